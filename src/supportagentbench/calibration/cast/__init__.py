"""Cast: six invented agents with known faults at known rates, for a board with something to find."""
