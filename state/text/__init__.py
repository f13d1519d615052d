"""Treatment of any text, whatever its source."""
