"""What is read from the runs and grouped by agent, case and fork, before any sentence is written."""
