"""Fetching from addresses that strangers name: guards, robots, pages as text, pictures made fit to keep."""
