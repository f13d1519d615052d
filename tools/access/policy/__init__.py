"""What clients of the server may choose and spend: a file of whoever hosts, by key and by group."""
