"""Code shared by office formats: relations between parts, charts, pictures, HTML elements."""
