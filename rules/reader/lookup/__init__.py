"""Looking up in tables: the cell whose row and column a question names, and what all rows of a table say together."""
