"""Local models: vision-language and text checkpoints in folders on this machine, run with torch."""
