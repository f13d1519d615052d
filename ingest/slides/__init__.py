"""Slide decks (.pptx): a section per slide, in the order in which people read it."""
