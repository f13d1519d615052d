"""Reproduce a published table: run its rows, and report their figures beside the printed ones."""
