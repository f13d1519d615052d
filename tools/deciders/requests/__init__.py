"""Send a decision to a chat model, and repeat the request until the reply is valid or hopeless."""
