"""Chat requests in OpenAI's batch format: half the price, replies within a day."""
