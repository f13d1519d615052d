"""What a folder of pages says of itself as a site: its generator, addresses, redirects and the place of each page."""
