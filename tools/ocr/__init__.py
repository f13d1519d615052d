"""Optical character recognition: the words in a picture's pixels."""
