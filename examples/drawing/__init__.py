"""Pictures of the demo corpus, one file per kind of picture.

Each module ends in `PICTURES`, a table from file name to the function that draws
it on a fresh canvas, so that `__main__.py` needs no list of its own.
"""
