"""Texts and presentations of OpenDocument (.odt, .odp): own code on lxml, within the bounds of every archive.

odfpy and odfdo hold a file as objects of their own and unpack it without bounds; pages of elements are what the walk
over HTML reads already.
"""
