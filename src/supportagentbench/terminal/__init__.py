"""Terminal: everything printed for people, in 80 columns."""
