"""Path: what one command runs through, counted: functions, modules and calls, by room.

    python bench/path.py            both commands
    PYTHONPATH=OTHER/src python bench/path.py     the same for another working tree

Counted are calls of this package's own functions, without lambdas, comprehensions and class bodies. A call
prepares if it is made, at any depth, while something is got ready that a conversation on this one case does
not need: reading and checking the file of another case type, or building a reader's tables of wordings for
words that nobody has said yet. What is compiled because a sentence was read belongs to the conversation. A
site has no case of its own: there every case type's file counts.
"""

import contextlib
import io
import os
import sys
import tempfile
import threading
from collections import Counter
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType

CASE_TYPE = "tracking"
CASE = f"{CASE_TYPE}-1"

PREPARING = {
    ("world/family.py", "read_family"): "case types",
    ("language/ear.py", "Ear.__init__"): "grammar",
    ("language/reader.py", "Reader.__init__"): "grammar",
    ("language/english_agent.py", "EnglishAgent.__init__"): "grammar",
}
"""Functions below which calls prepare, and what."""


class CallCount:
    """Counts calls while it is switched on."""

    def __init__(self, root: str, own: str) -> None:
        self._root = root
        self._own = own
        """The case type whose file is needed."""
        self._places: dict[CodeType, str] = {}
        self.calls: Counter[CodeType] = Counter()
        self.preparing: Counter[str] = Counter()
        self.built: Counter[str] = Counter()
        """How often each preparing function was entered."""
        self._open: list[tuple[FrameType, str]] = []

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        place = self._places.get(code)
        if place is None:
            name = code.co_filename
            is_own = name.startswith(self._root) and code.co_flags & CO_OPTIMIZED and code.co_name[0] != "<"
            place = name[len(self._root) :] if is_own else ""
            self._places[code] = place
        if event == "return":
            if self._open and self._open[-1][0] is frame:
                self._open.pop()
        elif event == "call" and place:
            self.calls[code] += 1
            what = PREPARING.get((place, code.co_qualname), "")
            if what and not (what == "case types" and frame.f_locals["path"].stem == self._own):
                self.built[code.co_qualname] += 1
                self._open.append((frame, what))
            if self._open:
                self.preparing[self._open[0][1]] += 1

    @property
    def modules(self) -> set[str]:
        """The files whose functions were called."""
        return {self._places[code] for code in self.calls}

    def by_room(self) -> Counter[str]:
        """Calls by folder of the package."""
        rooms: Counter[str] = Counter()
        for code, count in self.calls.items():
            rooms[self._places[code].partition("/")[0]] += count
        return rooms


def counted(arguments: list[str], own: str) -> CallCount:
    """What one command calls; it prints nothing."""
    import supportagentbench
    from supportagentbench.cli.main import main

    found = CallCount(f"{Path(supportagentbench.__file__).parent}{os.sep}", own)
    sys.argv = ["sab", *arguments]
    silent = io.StringIO()
    with (
        contextlib.redirect_stdout(silent),
        contextlib.redirect_stderr(silent),
        contextlib.suppress(SystemExit),
    ):
        threading.setprofile(found)
        sys.setprofile(found)
        try:
            main()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return found


def report(title: str, found: CallCount) -> None:
    """Print one command's counts."""
    calls, preparing = found.calls.total(), found.preparing.total()
    print(f"{title}: {calls:,} calls of {len(found.calls)} functions in {len(found.modules)} modules")
    shares = ", ".join(f"{what} {count / calls:.0%}" for what, count in found.preparing.most_common())
    print(f"  prepare: {preparing:,} ({preparing / calls:.0%}{'; ' + shares if shares else ''})")
    print("  built:   " + ", ".join(f"{name} {count}" for name, count in found.built.most_common()))
    print("  rooms:   " + ", ".join(f"{room} {count:,}" for room, count in found.by_room().most_common(8)))


def main() -> None:
    """Run a conversation and build its site, each in a process of its own so that nothing is warm."""
    if sys.argv[1:]:
        step, out = sys.argv[1:3]
        runs, site = f"{out}/runs", f"{out}/site"
        if step == "run":
            run = ["run", "oracle", "--set", CASE, "--out", runs]
            report(f"sab run oracle --set {CASE}", counted(run, CASE_TYPE))
        else:
            report("sab site build", counted(["site", "build", runs, "--out", site], ""))
        return
    with tempfile.TemporaryDirectory() as out:
        for step in ("run", "site"):
            sys.stdout.flush()
            os.spawnv(os.P_WAIT, sys.executable, [sys.executable, __file__, step, out])


if __name__ == "__main__":
    main()
