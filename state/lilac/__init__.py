"""Memory and settings of LILaC."""
