"""Two agents, or two versions, on a terminal: differing cases by name, nothing claimed beyond its test."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from boards import planted, printed, read_aloud, reference_runs
from filed import FEW, HOSTILE, failed, file_run, hostile, solved
from supportagentbench.board.agent_comparison import AgentComparison, compare_agents
from supportagentbench.board.claims import unclaimed
from supportagentbench.board.run_diff import RunDiff, diff_runs
from supportagentbench.results.load import ScoredRun
from supportagentbench.terminal.comparison import MOST_CASES, comparison_table, diff_markdown, diff_view
from supportagentbench.terminal.escape import on_one_line

TRAP = FEW[0]


def found_in(root: Path, *, is_hostile: bool = False) -> RunDiff:
    one = file_run(root / "before", "agent", 1, map(solved, FEW))
    bad = hostile(failed(TRAP)) if is_hostile else failed(TRAP)
    other = file_run(root / "after", "agent", 1, [bad, *map(solved, FEW[1:])])
    return diff_runs(one, other)


def test_flips_come_before_the_statistics_and_the_text_says_which_answers_what(tmp_path: Path) -> None:
    found = found_in(tmp_path)
    shown, at = " ".join(read_aloud(diff_view(found)).split()), found.flips[0].divergence
    assert at
    parts = ("Worse: 1 newly unsafe", f"{TRAP} 0 of 1 → 1 of 1", f"turn {at.turn} before: ")
    places = [shown.index(part) for part in (*parts, "For these cases", "For cases like these")]
    assert places == sorted(places)


def test_markdown_has_the_same_and_nothing_in_it_is_a_tag(tmp_path: Path) -> None:
    text = diff_markdown(found_in(tmp_path, is_hostile=True))
    assert text.startswith("### Worse: 1 newly unsafe") and f"| `{TRAP}` | 0 of 1 → 1 of 1 |" in text
    for line in text.splitlines():
        if HOSTILE[:9] in line:
            assert line.lstrip().startswith(("- before: `", "- after: `"))


def real(first: str, second: str) -> AgentComparison:
    one, other = ([run for run in reference_runs() if run.header.agent == name] for name in (first, second))
    return compare_agents(one, other)


def named(run: ScoredRun, agent: str) -> ScoredRun:
    return run._replace(header=replace(run.header, agent=agent))


def test_every_line_fits() -> None:
    found = real("oracle", "random-tool")
    for one in (found, replace(found, first="openrouter:" + "x" * 90, second="y" * 30)):
        assert max(map(cell_len, read_aloud(comparison_table(one)).splitlines())) <= 80


def test_no_printed_sentence_compares_without_a_claim() -> None:
    """The build check."""
    for pair in (("oracle", "complies"), ("keywords", "random-tool"), ("oracle", "oracle")):
        shown = comparison_table(real(*pair))
        assert unclaimed(read_aloud(shown), []) == unclaimed(read_aloud(shown, 500), []) == []


def test_a_row_has_both_values_the_difference_and_its_interval() -> None:
    found = real("oracle", "complies")
    unsafe = next(gap for gap in found.differences if gap.metric == "unsafe")
    assert unsafe.interval is not None
    row = next(line for line in read_aloud(comparison_table(found)).splitlines() if line.startswith("Unsafe"))
    assert row.split()[2:5] == ["0.0", "100.0", "-100.0"]
    assert f"{100 * unsafe.interval.low:+.1f} to {100 * unsafe.interval.high:+.1f}" in row
    assert row.endswith(f"{unsafe.adjusted:.3f}")


def test_metrics_that_neither_has_anything_of_are_left_out_and_still_counted() -> None:
    found = real("oracle", "complies")
    shown = " ".join(read_aloud(comparison_table(found)).split())
    assert "Goodbye loops" not in shown
    apart = sum(gap.is_significant for gap in found.differences)
    assert f"Significant differences: {apart} of {len(found.differences)} metrics, in bold." in shown
    assert "0 of" in " ".join(read_aloud(comparison_table(real("oracle", "oracle"))).split())


def test_what_tells_them_apart_is_bold_and_nothing_else() -> None:
    found = compare_agents([planted("a")], [planted("b", over=120, unsafe=1)])
    bold = {
        line
        for line in printed(comparison_table(found)).splitlines()
        if line.lstrip("\n").startswith("\x1b[1m")
    }
    assert any("Needless handovers" in line for line in bold)
    assert not any("Unsafe actions" in line for line in bold)


def test_the_cases_that_differ_are_listed_and_the_rest_counted() -> None:
    shown = " ".join(read_aloud(comparison_table(real("oracle", "complies"))).split())
    listed = re.search(r"Unsafe actions: (.*?) … and (\d+) more\.", shown)
    assert listed and listed[1].count(",") == MOST_CASES - 1 and listed[2] == "10"
    few = compare_agents([planted("a")], [planted("b", unsafe=2)])
    assert "Unsafe actions: trap0-1, trap1-1." in " ".join(read_aloud(comparison_table(few)).split())


def test_a_mean_without_an_interval_has_none_printed() -> None:
    found = compare_agents([planted("a")], [planted("b", unsafe=2)])
    gaps = tuple(
        replace(gap, interval=None) if gap.metric == "messages" else gap for gap in found.differences
    )
    row = next(
        line
        for line in read_aloud(comparison_table(replace(found, differences=gaps))).splitlines()
        if line.startswith("Messages")
    )
    assert row.split() == ["Messages", "2.0", "2.0", "+0.0", "1.000"]


@pytest.mark.parametrize("name", ["[red]x[/]", "\x1b[31mx", "a\nb", ":smile:"])
def test_names_are_printed_as_they_are_and_style_nothing(name: str) -> None:
    found = compare_agents([named(planted("a"), name)], [planted("b", unsafe=3)])
    harmless = replace(found, first="harmless")
    styles = [set(re.findall(r"\x1b.*?m", printed(comparison_table(one)))) for one in (found, harmless)]
    assert styles[0] == styles[1]
    assert f"First: {on_one_line(name)}. Second: b." in read_aloud(comparison_table(found))
