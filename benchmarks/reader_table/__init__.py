"""Methods with a strong model as their reader; its replies are kept, so that only changed prompts are sent again."""
