"""Files that clients of a server upload, in a folder per corpus."""
