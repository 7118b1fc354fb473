"""What is read from the runs and gathered by agent, case and fork, before a sentence is written."""
