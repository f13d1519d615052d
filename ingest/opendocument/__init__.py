"""Parsers of OpenDocument texts and presentations (.odt, .odp), which convert to HTML elements.

Own code on lxml: odfpy and odfdo unpack a file without bounds.
"""
