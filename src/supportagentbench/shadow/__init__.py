"""Shadow: real tickets: scored as they are, replayed from their openings, or resumed before the first act."""
