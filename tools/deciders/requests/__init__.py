"""One question to a chat model, until there is a usable reply or a reason why not."""
