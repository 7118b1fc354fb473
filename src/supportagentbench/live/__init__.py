"""A job while it runs: what happens becomes events, events add up to a view, and pages show it."""
