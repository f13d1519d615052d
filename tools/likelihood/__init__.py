"""Likelihood of given texts by a served model: captions of a picture, candidates for an answer."""
