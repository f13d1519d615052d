"""Memory, decisions and settings of OmniSearch."""
