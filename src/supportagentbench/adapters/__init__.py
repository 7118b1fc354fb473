"""Adapters: agents of other frameworks at the desk, each by one module that imports its framework.

All have the same shape: `on_desk` takes the user's function of a desk and its tools, in the framework's own
form, and returns what `sab run` runs. No framework is a dependency of this package.
"""
