"""Rows for a planning expert that plans round by round, made of courses of planning: annotated ones, and own runs."""
