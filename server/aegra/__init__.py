"""Backtrail on aegra, a free server of the same protocol that keeps its runs in Postgres: what is different there."""
