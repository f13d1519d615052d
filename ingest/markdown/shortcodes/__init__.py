"""Shortcodes of Hugo: known families as what they show, others left out, counted and named."""
