"""Clients of the server, to read and to copy."""
