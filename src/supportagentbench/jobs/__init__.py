"""Jobs: what a command does, from its options to its result, without a terminal."""
