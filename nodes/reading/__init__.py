"""Preparation of components for deciders and readers, and citations."""
