"""Fetching from untrusted addresses: guards, robots.txt, text of pages, cleaned pictures."""
