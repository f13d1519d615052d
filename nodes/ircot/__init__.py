"""IRCoT's verbs: look up, think."""
