"""Jupyter notebooks (.ipynb): prose as Markdown, code, and what it printed and drew."""
