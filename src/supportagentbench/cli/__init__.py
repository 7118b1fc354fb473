"""Command line: one module per group of commands, without logic. Commands import what they need lazily."""
