"""Studies of boards that others published."""
