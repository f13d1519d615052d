"""Rewrites of sites' and generators' markup to plain HTML before the walk, one file per construct."""
