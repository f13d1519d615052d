"""Parsers of workbooks and delimited files: finds tables on sheets with headers, titles and notes."""
