"""Files of people, read by us and by programs that have nothing to do with us."""
