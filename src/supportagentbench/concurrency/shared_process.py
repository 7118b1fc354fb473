"""Shared process: what an agent's code may not do to the process that it shares with the benchmark.

It may not end it, because the exit code would be the agent's and not the benchmark's; and a copy of it, made
with `os.fork`, may not continue the benchmark's work. This is against accidents: such code is trusted.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

ENDINGS = ("_exit", "execv", "execve")
"""Functions after which a process does nothing more; all others of their kind call these."""

NATIVE = sys.modules.get("posix", os)
"""The module from which `os` has them."""


class ProcessEnded(SystemExit):
    """Raised in code that wanted to end the process at once."""


@contextmanager
def kept_alive() -> Iterator[None]:
    """While this is open, `os._exit` and `os.exec…` raise in this process; its children may call them."""
    before = {name: getattr(os, name) for name in ENDINGS}
    for name, ending in before.items():
        _set(name, _refusing(f"os.{name}", ending, os.getpid()))
    try:
        yield
    finally:
        for name, ending in before.items():
            _set(name, ending)


def _set(name: str, function: Callable[..., NoReturn]) -> None:
    setattr(os, name, function)
    setattr(NATIVE, name, function)


def _refusing(name: str, ending: Callable[..., NoReturn], owner: int) -> Callable[..., NoReturn]:
    def refuse(*given: Any) -> NoReturn:
        if os.getpid() != owner:
            ending(*given)
        raise ProcessEnded(f"it called {name}({', '.join(map(repr, given))}), which would end the benchmark")

    return refuse


def end_copy(owner: int) -> None:
    """End this process if it is a copy of its owner, made by an agent's `os.fork`."""
    if os.getpid() != owner:
        print("sab: an agent copied this process with os.fork; the copy was ended.", file=sys.stderr)
        sys.stderr.flush()
        os._exit(1)
