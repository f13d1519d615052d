"""Deciders: chat models, the offline rules, recordings and scripts."""
