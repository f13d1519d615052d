"""Graphs for servers: with the policy and their configuration files, and one that ingests uploads."""
