"""What a question asks of a thing, and which row, with the pages it leads to, is described as that thing."""
