"""What is written like code: options, commands, files, versions, and what stands where nothing is set."""
