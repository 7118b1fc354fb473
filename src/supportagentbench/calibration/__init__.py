"""Calibration: agents with known faults, and whether the benchmark finds these faults."""
