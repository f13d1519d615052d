"""What MMAPG remembers, decides and is set by."""
