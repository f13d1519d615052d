"""IRCoT's nodes: look up, think."""
