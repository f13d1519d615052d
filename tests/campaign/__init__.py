"""Files that are broken or mean harm, for every kind that ingestion reads, each tried in a process of its own."""
