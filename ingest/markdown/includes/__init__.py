"""Files that pages include: only ingested ones, within bounds."""
