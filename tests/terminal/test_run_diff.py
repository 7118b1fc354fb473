"""A diff on a terminal and in a pull request: flips first, then statistics, and hostile words stay words."""

from pathlib import Path

from boards import read_aloud
from filed import FEW, HOSTILE, failed, file_run, hostile, solved
from supportagentbench.board.run_diff import RunDiff, diff_runs
from supportagentbench.terminal.run_diff import diff_markdown, diff_view

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
