"""Engines that execute runs for the page: in this process, or on the LangGraph server."""
