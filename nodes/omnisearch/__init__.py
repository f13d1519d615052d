"""OmniSearch's node: think what to search next."""
