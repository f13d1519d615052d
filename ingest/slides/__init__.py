"""Parser of slide decks (.pptx): a section per slide, in reading order."""
