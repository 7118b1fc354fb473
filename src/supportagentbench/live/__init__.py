"""A running job: its events add up to a view, which a terminal or a page shows."""
