"""How runs, answers and records look in a terminal, as a drawing and as a page."""
