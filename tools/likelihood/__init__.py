"""How likely a model behind a server finds given texts: captions of a picture, candidates for an answer."""
