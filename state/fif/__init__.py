"""What FiF remembers and decides."""
