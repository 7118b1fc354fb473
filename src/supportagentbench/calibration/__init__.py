"""Calibration: agents whose faults are known, and what the benchmark makes of them."""
