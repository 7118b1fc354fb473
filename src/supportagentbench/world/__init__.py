"""The shop, and the desk the agent sits at. Plain functions over data; nobody here knows who visits."""
