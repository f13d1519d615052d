"""Benchmarks over documents: questions about PDFs, pages and papers."""
