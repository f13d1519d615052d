"""What holds of every text, whoever wrote it."""
