"""The frozen shapes that everything else reads and writes."""
