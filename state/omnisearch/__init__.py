"""What OmniSearch remembers, decides and is set by."""
