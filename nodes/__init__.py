"""The nodes of the methods, one file per verb. Each reads a slice of the state and returns its writes."""
