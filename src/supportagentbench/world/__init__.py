"""The shop, and the agent's desk. Plain functions over data; nothing here knows agents or customers."""
