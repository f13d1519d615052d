"""What office formats share: packages of parts with relations, charts, pictures."""
