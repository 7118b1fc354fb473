"""What a message says: one closed set of speech acts, read by rule."""
