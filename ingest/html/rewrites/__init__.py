"""Rewrites what sites and generators write into plain HTML, before a page is walked: one file per kind of thing."""
