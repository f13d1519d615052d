"""Tables of the papers as files: methods, settings, and figures as printed."""
