"""Parse what was discovered: in this process, or in processes beside it where there is enough of it."""
