"""Right every time, unchecked changes and all handovers: one wording for pages and terminal."""

from supportagentbench.records.board import AgentResults, Board, Estimate, EveryTime, Interval
from supportagentbench.site.answers.more_figures import (
    every_time_sentence,
    handovers_sentence,
    more_figure_lines,
    more_figures,
    unchecked_sentence,
)


def share(metric: str, k: int, n: int, undecided: int = 0) -> Estimate:
    ends = Interval(0.004, 0.09)
    return Estimate(metric, k / n, k / n, n, (), k, new_cases_interval=ends, undecided=undecided)


def every(k: int, right: int, cases: int, open_cases: int = 0, *, traps: bool = False) -> EveryTime:
    whole = cases + open_cases
    worst, best = right / whole, (right + open_cases) / whole
    ends = Interval(0.69, 0.897)
    return EveryTime(k, traps, right / cases, cases, open_cases, 0, worst, best, ends, 20)


HASTY = AgentResults(
    "hasty",
    3,
    540,
    540,
    (
        share("unchecked", 5, 242),
        share("near_miss", 4, 242),
        share("unchecked_beyond", 5, 10),
        share("handovers", 72, 486),
    ),
    every_time=(every(1, 140, 160), every(3, 128, 157, 5), every(3, 15, 18, traps=True)),
)
SILENT = AgentResults("silent", 1, 180, 180, (), is_dummy=True, every_time=(every(1, 1, 160),))


def test_the_counts_come_with_their_intervals_and_luck_is_a_part_of_them() -> None:
    said = unchecked_sentence(HASTY)
    for figure in ("5 of 242", "1–9%", "4 of them right by luck", "5 of 10"):
        assert figure in said
    assert "72 of 486" in handovers_sentence(HASTY)


def test_what_code_cannot_tell_is_said() -> None:
    unclear = AgentResults("a", 1, 9, 9, (share("unchecked", 3, 9), share("near_miss", 1, 7, 2)))
    assert "1 of them right by luck and 2 undecided" in unchecked_sentence(unclear)


def test_every_time_has_its_traps_apart_and_the_range_of_what_is_open() -> None:
    said = every_time_sentence(HASTY)
    for figure in ("all 3 runs", "82% (128 of 157 cases; 69–90%)", "79% to 82% with 5", "15 of 18"):
        assert figure in said


def test_nothing_is_said_where_nothing_was_counted() -> None:
    assert (
        not every_time_sentence(SILENT) and not unchecked_sentence(SILENT) and not handovers_sentence(SILENT)
    )
    assert more_figures([SILENT]) == []
    assert len(more_figures([HASTY, SILENT])) == 2


def test_the_terminal_has_a_line_per_agent_and_none_for_dummies_beside_agents() -> None:
    lines = [*more_figure_lines(Board("w", "d", "all", (HASTY, SILENT)))]
    assert sum(line.startswith("  hasty:") for line in lines) == 3
    assert not any("silent" in line for line in lines)
