"""Terminal: everything that is printed for people who read it in 80 columns."""
