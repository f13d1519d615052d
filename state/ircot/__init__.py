"""What IRCoT remembers and decides."""
