"""What was paid for, kept where all machines that share a corpus find it."""
