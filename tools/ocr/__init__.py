"""Optical character recognition: the words that stand in a picture's pixels."""
