"""What is said of pictures outside the pages that show them: in the files themselves, and in files beside them."""
