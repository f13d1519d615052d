"""OmniSearch's verb: think what to search next."""
