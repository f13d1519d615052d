"""Rows of training data in the forms that other trainers read."""
