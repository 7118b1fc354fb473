"""Many requests in flight: the event loop that runs them, and two ways to stop them."""
