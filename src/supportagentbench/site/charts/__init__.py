"""Charts: laid out in Python, drawn as SVG or as a table."""
