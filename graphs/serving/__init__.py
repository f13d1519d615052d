"""The graphs as servers have them: behind the policy, in their configurations, and one that ingests uploads."""
