"""Official layouts of benchmarks over documents: PDFs, pages and papers."""
