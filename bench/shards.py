"""Sixteen parts of a job against one machine: the same board and site, how even the parts are, what it costs.

`python bench/shards.py [PARTS]`. Every part is a process of its own, as on a machine of its own; some are
killed at random and resumed. Clock readings, which no two runs share, are set alike in both archives before
the pages are compared. It exits 1 if a byte of board or site differs.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace

from supportagentbench.records.record import from_json, to_json
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.transcripts import TRANSCRIPTS, ArchiveLine

SAB = (sys.executable, "-c", "from supportagentbench.cli.main import main; main()")
JOB = ("cast", "--runs", "3", "--seed", "0", "-j", "16", "--display", "none")
KILLED = 4
"""Parts that are killed in the middle, and resumed."""


def sab(*words: str | Path, cwd: Path) -> float:
    """Run a command to its end; returns seconds."""
    clock = time.perf_counter()
    subprocess.run([*SAB, *map(str, words)], cwd=cwd, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - clock


def play_part(part: int, of: int, root: Path, *, kill: bool) -> tuple[float, bool]:
    """Play one part, killed once if asked; returns seconds of the last try, and whether one was killed."""
    words = ("run", *JOB, "--shard", f"{part}/{of}", "--out", f"part-{part}")
    was_killed = False
    if kill:
        process = subprocess.Popen([*SAB, *words], cwd=root, stdout=subprocess.DEVNULL)
        wait_for_lines(root / f"part-{part}", random.randint(5, 60), process)
        process.send_signal(signal.SIGKILL)
        was_killed = process.wait() < 0
    return sab(*words, cwd=root), was_killed


def wait_for_lines(folder: Path, count: int, process: "subprocess.Popen[bytes]") -> None:
    """Wait until so many conversations are stored."""
    while process.poll() is None:
        if sum(path.read_bytes().count(b"\n") for path in folder.glob(f"*/{TRANSCRIPTS}")) >= count:
            return
        time.sleep(0.02)


def set_clocks_alike(root: Path) -> None:
    for path in root.glob(f"*/{TRANSCRIPTS}"):
        lines = [from_json(line, ArchiveLine) for line in path.read_bytes().splitlines()]
        alike = [replace(one, started=1e9, seconds=1.0, clock=()) for one in lines]
        path.write_bytes(b"".join(to_json(one) + b"\n" for one in alike))


def differing(one: Path, other: Path) -> list[str]:
    """Files that are not the same in both folders, byte for byte."""
    names = {path.relative_to(root) for root in (one, other) for path in root.rglob("*") if path.is_file()}

    def content(path: Path) -> bytes:
        return path.read_bytes() if path.is_file() else b"missing"

    return sorted(str(name) for name in names if content(one / name) != content(other / name))


def weights(root: Path, of: int) -> list[int]:
    """Bytes of conversations in every part."""
    return [
        sum((folder / TRANSCRIPTS).stat().st_size for folder in find_runs([root / f"part-{part}"]))
        for part in range(1, of + 1)
    ]


def main() -> int:
    of = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        alone = sab("run", *JOB, "--out", "whole/runs", cwd=root)
        planned = sum(len(read_header(folder).cases) for folder in find_runs([root / "whole" / "runs"]))
        killed = set(random.sample(range(1, of + 1), min(KILLED, of)))
        played = [play_part(part, of, root, kill=part in killed) for part in range(1, of + 1)]
        seconds = [took for took, _ in played]
        parts = [f"part-{part}" for part in range(1, of + 1)]
        merging = sab("merge", *parts, "-o", "merged/runs", cwd=root)
        sites = []
        for place in ("whole", "merged"):
            set_clocks_alike(root / place / "runs")
            with (root / place / "board.json").open("wb") as out:
                subprocess.run([*SAB, "board", "runs", "--json"], cwd=root / place, check=True, stdout=out)
            sab("site", "build", "runs", "-o", "site", cwd=root / place)
            sites.append(root / place)
        found = [one for one in differing(*sites) if one == "board.json" or one.startswith(f"site{os.sep}")]
        files = sum(path.is_file() for path in (root / "merged" / "site").rglob("*"))
        even = weights(root, of)
    print(
        f"{planned:,} conversations; {of} parts, {sum(was for _, was in played)} of them killed and resumed"
    )
    print(f"board and {files} files of the site: {len(found)} differ from those of one machine {found[:5]}")
    print(f"bytes of the largest part over the mean    {max(even) * of / sum(even):6.3f}")
    print(f"all parts one after the other, over whole  {sum(seconds) / alone:6.2f}  (each starts anew)")
    print(f"longest part over whole                    {max(seconds) / alone:6.2f}")
    print(f"merging over whole                         {merging / alone:6.2f}  ({merging:.1f} s)")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
