"""What passes between a run and whoever talks with it: messages, progress, pictures."""
