"""The version of this package, as every run, judgement and site records it."""

__version__ = "0.2.0"
