"""Searching the web, or what stands for it: providers, page reader, pictures, cache."""
