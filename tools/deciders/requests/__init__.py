"""Requests to chat models: messages, options, rate limits, retries, and parsing of replies."""
