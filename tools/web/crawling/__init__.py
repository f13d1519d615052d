"""What it takes to walk a site: normal forms of addresses, site maps, and a ledger of what was met."""
