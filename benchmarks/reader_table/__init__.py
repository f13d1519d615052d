"""Methods with a strong model as reader, whose replies are recorded: only changed prompts are sent."""
