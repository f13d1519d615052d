"""Memory, decisions and settings of MMAPG."""
