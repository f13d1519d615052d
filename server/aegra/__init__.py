"""Adapters for aegra, a free server with LangGraph's protocol that stores runs in Postgres."""
