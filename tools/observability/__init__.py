"""What a server tells whoever runs it of its runs: what they spent, figures, log lines and spans. Never their words."""
