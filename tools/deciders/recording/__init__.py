"""Decisions kept to be taken again without whoever took them."""
