"""What LILaC remembers."""
