"""Memory, decisions and settings of FiF."""
