"""Converters of benchmarks over documents: PDFs, pages and papers."""
