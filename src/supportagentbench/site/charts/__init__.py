"""Charts, laid out in Python and drawn as SVG or as tables."""
