"""Where runs are kept: stores, their history, how values are written."""
