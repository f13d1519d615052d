"""Recorded decisions: recording, replay and caching."""
