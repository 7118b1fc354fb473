"""The simulated customer: a planner that decides, and voices that phrase its messages."""
