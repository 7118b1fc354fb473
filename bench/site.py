"""How long the pages of a full board take to build, and how large they are, with the limits of each.

python bench/site.py               # 24 invented agents x 180 x 3, made first (about a minute)
python bench/site.py RUNS          # stored runs
"""

import gzip
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from synthetic import write_archive

from supportagentbench.site.build import build
from supportagentbench.site.verify import verify


class Held(NamedTuple):
    """A measurement and its limit."""

    what: str
    found: float
    most: float
    unit: str


def weights(site: Path) -> Iterator[Held]:
    """The sizes of the pages."""
    bundles = [path.stat().st_size for path in (site / "data" / "t").rglob("*.js")]
    everything = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    yield Held("index.js, gzipped", _packed(site / "data" / "index.js"), 100, "KB")
    yield Held("board with its scripts and styles, gzipped", _board(site), 60, "KB")
    yield Held("bundle, median", median(bundles) / 1000, 40, "KB")
    yield Held("bundle, largest", max(bundles) / 1000, 400, "KB")
    yield Held("folder without conversations", (everything - sum(bundles)) / 1e6, 5, "MB")
    yield Held("folder with all conversations", everything / 1e6, 250, "MB")


def _packed(path: Path) -> float:
    return len(gzip.compress(path.read_bytes(), 6)) / 1000


def _board(site: Path) -> float:
    page = (site / "index.html").read_text()
    used = [path for path in (site / "assets").iterdir() if path.name in page]
    return _packed(site / "index.html") + sum(map(_packed, used))


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        runs, site = Path(scratch) / "runs", Path(scratch) / "site"
        if len(sys.argv) > 1:
            runs = Path(sys.argv[1])
        else:
            write_archive(runs)
        began, cpu = time.perf_counter(), os.times()
        files = build([runs], site)
        seconds, after = time.perf_counter() - began, os.times()
        spent = sum(after[:4]) - sum(cpu[:4])
        held = [Held(f"build, {len(files):,} files ({spent:.0f} s CPU)", seconds, 60, "s"), *weights(site)]
        began = time.perf_counter()
        wrong = list(verify(site))
        held.append(Held(f"verify ({len(wrong)} differences)", time.perf_counter() - began, 90, "s"))
    for what, found, most, unit in held:
        print(f"{what:44}{found:9.1f} {unit:3}at most {most:g}{'' if found <= most else '   MISSED'}")


if __name__ == "__main__":
    main()
