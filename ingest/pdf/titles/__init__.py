"""What a PDF is called: by its properties, or by what stands large on its first page."""
