"""Doors: how agents get to the desk. Each is one implementation of `desk.Door`."""
