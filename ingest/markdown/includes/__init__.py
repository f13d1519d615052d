"""Files that pages include, by the notations of generators: found among the ingested files only, and bounded."""
