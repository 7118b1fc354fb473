"""Ticket pages: the page of each record that the commands on real tickets store, in the same folder."""

from collections.abc import Callable
from pathlib import Path

from supportagentbench.records.desk_score import DeskScore
from supportagentbench.records.problem import Problem
from supportagentbench.records.replay import Replay
from supportagentbench.records.secrets import sealed_text
from supportagentbench.records.shadow import ShadowWeek
from supportagentbench.site.pages.replay import replay_page
from supportagentbench.site.pages.score import score_page
from supportagentbench.site.pages.week import week_page
from supportagentbench.storage.file import write_whole
from supportagentbench.storage.record_file import read_record

WEEK, SCORE, REPLAY = "week.json", "score.json", "replay.json"

AGAIN = "make it again with the same command"


def _week(path: Path) -> bytes:
    return week_page(read_record(path, ShadowWeek, AGAIN))


def _score(path: Path) -> bytes:
    return score_page(read_record(path, DeskScore, AGAIN))


def _replay(path: Path) -> bytes:
    return replay_page(read_record(path, Replay, AGAIN))


PAGES: dict[str, Callable[[Path], bytes]] = {WEEK: _week, SCORE: _score, REPLAY: _replay}
"""By the file of a record, how its page is made."""


def page_name(record: str) -> str:
    """The file of the page."""
    return Path(record).with_suffix(".html").name


def write_page(record: Path) -> Path:
    """Write the page of a record where only this user can read it."""
    place = record.with_name(page_name(record.name))
    write_whole(place, sealed_text(PAGES[record.name](record)), mode=0o600)
    return place


def write_pages(folder: Path) -> list[Path]:
    """The pages of all records in a folder; a Problem if there is none."""
    found = [folder / name for name in PAGES if (folder / name).is_file()]
    if not found:
        named = ", ".join(PAGES)
        raise Problem(f"has none of {named}; make one with a command of `sab tickets`.", place=folder)
    return [write_page(record) for record in found]
