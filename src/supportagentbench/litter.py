"""Litter: how seldom Python looks for forgotten objects while a job runs."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

EVERY = 20_000
"""New objects between two looks; Python's own 700 has it looking several times a request."""


@contextmanager
def swept_seldom() -> Iterator[None]:
    """Leave alone what stands already: the cases and the books last as long as the job does."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(EVERY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
