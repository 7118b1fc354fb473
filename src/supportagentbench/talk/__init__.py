"""Case becomes Transcript: the customer, the conversation, the run."""
