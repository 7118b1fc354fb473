"""Regular file: reads an untrusted file without blocking on a pipe or filling the memory."""

import os
import stat
from pathlib import Path

from supportagentbench.records.problem import Problem


def read_regular(path: Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes; anything else is a Problem at once."""
    try:
        # A pipe without a writer would block an ordinary open for ever.
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise Problem("there is no such file.", place=path) from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise Problem("is a folder, a pipe or a device; put an ordinary file there.", place=path)
        with os.fdopen(file, "rb", closefd=False) as opened:
            data = opened.read(most + 1)
    except OSError as error:
        raise _unreadable(path, error) from None
    finally:
        os.close(file)
    if len(data) > most:
        raise Problem(f"has more than {most:,} bytes; make it smaller or split it.", place=path)
    return data


def _unreadable(path: Path, error: OSError | ValueError) -> Problem:
    why = error.strerror if isinstance(error, OSError) else str(error)
    return Problem(f"cannot be read ({why}); check the path and its permissions.", place=path)
