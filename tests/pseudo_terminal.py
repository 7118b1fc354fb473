"""A real terminal for a command: it writes to a pseudo-terminal, and the screen is what a person sees."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import NamedTuple

from commands import SAB

WIDTH, HEIGHT = 100, 40

SEQUENCE = re.compile(
    r"\x1b\[(?P<given>[?\d;]*)(?P<kind>[A-Za-z])|\x1b[=>]|\x1b\][^\x07]*\x07|(?P<plain>[\s\S])"
)


class Shown(NamedTuple):
    """What a finished command left on the screen."""

    code: int
    screen: str
    """All lines, those that scrolled away included, without colours."""
    raw: str
    """Every byte that was written, as text."""


def in_terminal(*words: str | Path, cwd: Path) -> Shown:
    """Run `sab` in a pseudo-terminal of 100 columns, as somebody without any key would."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    kept = {name: value for name, value in kept.items() if name not in ("COLUMNS", "LINES", "NO_COLOR", "CI")}
    process = subprocess.Popen(
        [*SAB, *map(str, words)],
        cwd=cwd,
        env={**kept, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    written = b"".join(iter(lambda: _read(master), b""))
    os.close(master)
    raw = written.decode()
    return Shown(process.wait(), screen_after(raw), raw)


def _read(master: int) -> bytes:
    try:
        return os.read(master, 65536)
    except OSError:  # Linux says so once nobody is at the other end.
        return b""


def screen_after(written: str) -> str:
    """What stands on the screen after all this: movements and erasures carried out, no colours."""
    lines: list[list[str]] = [[]]
    row = column = 0
    for found in SEQUENCE.finditer(written):
        count = int(re.sub(r"\D", "", found["given"] or "") or 1)
        match found["kind"] or found["plain"]:
            case "\n":
                row += 1
                lines += [[]] * (row == len(lines))
            case "\r":
                column = 0
            case "A":
                row = max(0, row - count)
            case "B":
                row = min(len(lines) - 1, row + count)
            case "K":
                lines[row] = [] if found["given"] == "2" else lines[row][:column]
            case "J":
                lines[row:] = [lines[row][:column]]
            case letter if found["plain"] and letter:
                lines[row] += [" "] * (column - len(lines[row]))
                lines[row][column : column + 1] = [letter]
                column += 1
    return "\n".join("".join(line).rstrip() for line in lines)
