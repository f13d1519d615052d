"""Sites in an ingested folder: configurations, front matter, addresses, labels and page hierarchy."""
