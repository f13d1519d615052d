"""Enforcement of the policy on requests: admission of runs and rate limits."""
