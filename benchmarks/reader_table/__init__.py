"""Methods with a strong model as reader; its replies are recorded, so that only changed prompts are sent again."""
