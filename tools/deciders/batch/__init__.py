"""Chat requests handed in together, for half the price and with hours to wait: OpenAI's batch format."""
