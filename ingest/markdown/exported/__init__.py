"""Texts that a page of MDX holds in values of JavaScript, exported or handed to a component. Nothing is run."""
