"""The command line: a module per group of commands, no logic. Commands import what they need late."""
