"""A job while it runs: its events add up to a view, and pages show the view."""
