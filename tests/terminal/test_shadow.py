"""Shadow: what is printed at the end, and what is stored."""

import io
import stat
from pathlib import Path

import pytest
from msgspec import convert
from msgspec.structs import replace
from rich.console import Console

from commands import sab
from recorded import made_once
from shadow_tickets import AGENTS, imported, played
from supportagentbench.records.shadow import ActsJudged, AgentTry, Difference, ShadowTicket, ShadowWeek
from supportagentbench.terminal.shadow import week_tables


@pytest.fixture(scope="module")
def folder() -> Path:
    return made_once("shadow-week", played)


def test_it_says_where_the_page_is_what_is_left_out_and_what_is_hidden(folder: Path) -> None:
    printed = " ".join((folder / "printed.txt").read_text().split())
    assert "the page is out/week.html; it opens by a double click" in printed
    assert "left out, 1 ×: spam." in printed and "2 tickets left out, for the reasons above." in printed
    assert "14 tickets not approved, so doubtful words in them are hidden" in printed
    assert "sab import --review tickets" in printed


def test_only_the_user_can_read_the_record_and_the_page(folder: Path) -> None:
    for name in ("week.json", "week.html"):
        assert stat.S_IMODE((folder / "out" / name).stat().st_mode) == 0o600


def test_runs_of_other_tickets_are_named_and_not_counted(tmp_path: Path) -> None:
    imported(tmp_path / "tickets")
    words = ("tickets", "resume", "tickets", AGENTS[0], "-o", "out", "--yes", "--customer", "scripted")
    first = sab(*words, "--map", "tickets.yaml", "--display", "plain", cwd=tmp_path)
    assert first.returncode == 0 and "not counted" not in first.stderr
    other = (tmp_path / "tickets.yaml").read_text().replace("claims: few", "claims: many", 1)
    (tmp_path / "other.yaml").write_text(other)
    again = sab(*words, "--map", "other.yaml", "--display", "plain", cwd=tmp_path)
    assert again.returncode == 0
    assert "not counted, because made with other tickets or another map" in " ".join(again.stderr.split())


TICKET = convert(
    dict.fromkeys(("unknown", "history", "human"), ())
    | {"ticket": "t", "request": "cancel", "kind": "", "person": "", "facts": {}, "judged": {}}
    | {"approved": True, "in_books": True, "is_danger": False},
    ShadowTicket,
)
BARE = convert(
    dict.fromkeys(("world_digest", "imported", "rights", "cases"), "")
    | {"record": "shadow_week/1", "world": "northline", "shop": "Northline", "source": "zendesk"}
    | {"tickets": 9, "unapproved": 0, "dropped": {}, "left_out": {}, "resumed": ()}
    | {"customer": "scripted", "package": "1"},
    ShadowWeek,
)


def week(**differences: tuple[Difference, ...]) -> ShadowWeek:
    """A week in which these agents differed from people in these ways, ticket by ticket."""
    count = max(map(len, differences.values()), default=0)
    tickets = [
        replace(
            TICKET,
            ticket=f"t-{place}",
            tries=tuple(
                AgentTry(agent, 1, ActsJudged(), found[place])
                for agent, found in differences.items()
                if place < len(found)
            ),
        )
        for place in range(count)
    ]
    return replace(BARE, resumed=tuple(tickets))


def printed(found: ShadowWeek) -> list[str]:
    out = io.StringIO()
    Console(width=100, file=out, color_system=None).print(*week_tables(found), sep="\n")
    return [" ".join(line.split()) for line in out.getvalue().splitlines() if line.strip()]


def test_each_agent_has_a_row_of_counts() -> None:
    generous: tuple[Difference, ...] = ("other", "handed_over", "more_generous")
    lines = printed(week(oracle=("same", "same", "stricter"), silent=generous))
    assert lines == [
        "same more generous stricter handed over taken on other",
        "oracle 2 0 1 0 0 0",
        "silent 0 1 0 1 0 1",
        "3 tickets of 9 resumed",
    ]


def test_every_way_to_differ_has_a_column() -> None:
    ways: tuple[Difference, ...] = ("same", "more_generous", "stricter", "handed_over", "taken_on", "other")
    assert printed(week(a=ways))[1] == "a 1 1 1 1 1 1"


def test_no_name_can_style_or_move_the_text() -> None:
    same: dict[str, tuple[Difference, ...]] = {"[red]x[/]\x1b[31m": ("same",)}
    lines = printed(week(**same))
    assert "\x1b" not in "".join(lines) and lines[1].startswith("[red]x[/]")


def test_a_week_without_runs_has_its_tickets_all_the_same() -> None:
    assert printed(week())[-1] == "0 tickets of 9 resumed"
