"""Shadow on a terminal: how each agent's acts differ, in counts that add up, whatever it is called."""

import io

from msgspec.structs import replace
from rich.console import Console

from supportagentbench.records.shadow import ActsJudged, AgentTry, Difference, ShadowTicket, ShadowWeek
from supportagentbench.terminal.shadow import week_tables


def week(**differences: tuple[Difference, ...]) -> ShadowWeek:
    """A week in which these agents differed from people in these ways, ticket by ticket."""
    count = max(map(len, differences.values()), default=0)
    tickets = [
        ShadowTicket(
            *(f"t-{place}", "cancel", "", {}, (), (), (), "", ActsJudged()),
            tries=tuple(
                AgentTry(agent, 1, ActsJudged(), found[place])
                for agent, found in differences.items()
                if place < len(found)
            ),
        )
        for place in range(count)
    ]
    return ShadowWeek("northline", "", "Northline", "zendesk", 9, 0, {}, tuple(tickets), "scripted", "", "1")


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


def test_what_a_reader_has_to_know_is_said() -> None:
    found = replace(week(oracle=("same",)), notes=("Beware of 1 ticket.",), unapproved=1)
    said = printed(found)[-2:]
    assert said[0] == "Beware of 1 ticket." and said[1].startswith("1 of them not approved")


def test_a_week_without_runs_has_its_tickets_all_the_same() -> None:
    assert printed(week())[-1] == "0 tickets of 9 resumed"
