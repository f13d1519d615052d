"""Prepare components for deciders and readers, and resolve citations."""
