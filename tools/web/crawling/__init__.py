"""Crawling of sites: normal forms of addresses, site maps, a polite client, the frontier's store."""
