"""Attempt: a numbered folder for a job that may be resumed, but never taken for another version's."""

from pathlib import Path

from supportagentbench.records.attempt import AttemptPlan
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.storage.file import disk_problem, refuse_way_out, write_new, write_whole
from supportagentbench.storage.place import inside, refuse_link
from supportagentbench.storage.record_file import read_record

PLAN = "attempt.json"
"""The plan of the attempt, written when it begins."""

ENDED = "ended"
"""A file that exists once the attempt is over."""

MOST = 10_000


def open_attempt(root: Path, plan: AttemptPlan, *, resume: bool = True) -> Path:
    """The last attempt below `root` if it has the same plan and was cut short; otherwise a new one.

    Without `resume` always a new one: what is there is not believed.
    """
    refuse_link(root)
    refuse_way_out(root)
    taken = sorted(int(one.name) for one in root.glob("*") if one.name.isdecimal()) if root.is_dir() else []
    if resume and taken and _is_cut_short(last := inside(root, f"{taken[-1]:04d}"), plan):
        return last
    for number in range(max(taken, default=0) + 1, MOST):
        folder = inside(root, f"{number:04d}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise disk_problem(folder, error) from None
        write_new(folder / PLAN, to_json(plan))
        return folder
    raise Problem("is full; delete old attempts.", place=root)


def end_attempt(folder: Path) -> None:
    """Nothing is added to this attempt any more."""
    write_whole(folder / ENDED, b"")


def _is_cut_short(folder: Path, plan: AttemptPlan) -> bool:
    if (folder / ENDED).exists():
        return False
    try:
        return read_record(folder / PLAN, AttemptPlan) == plan
    except Problem:  # Of an earlier version of this package, or torn.
        return False
