"""What moved since an earlier board: agents, never the scoring."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from boards import planted
from site_data import html_of, site_data_of
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json, to_json
from supportagentbench.records.version import __version__
from supportagentbench.results.load import ScoredRun
from supportagentbench.site.pages.changes import Changes, Moved, changes_of, page
from supportagentbench.stats.rates import holm


def again(run: ScoredRun) -> ScoredRun:
    """The same outcome in other conversations."""
    return run._replace(verdicts=[replace(one, transcript=f"again {one.transcript}") for one in run.verdicts])


def elsewhere(run: ScoredRun) -> ScoredRun:
    """Other conversations on a world of other content."""
    return again(run)._replace(header=replace(run.header, world_digest="other"))


def only(changes: Changes) -> Moved:
    (found,) = changes.stayed
    return found


def test_new_and_removed_entries_are_named() -> None:
    found = changes_of([planted("old"), planted("kept")], [planted("kept"), planted("young")])
    assert (found.new, found.removed) == (("young",), ("old",))
    assert [one.agent for one in found.stayed] == ["kept"]


def test_the_very_same_conversations_are_no_change() -> None:
    found = only(changes_of([planted("a")], [planted("a")]))
    assert (found.how, found.gaps) == ("same", ())


def test_further_runs_beside_the_earlier_ones_are_no_second_try() -> None:
    found = only(changes_of([planted("a", 1)], [planted("a", 1), planted("a", 2)]))
    assert (found.how, found.gaps, found.before, found.now) == ("more", (), 180, 360)


def test_an_entry_that_was_run_again_is_tested_case_by_case() -> None:
    found = only(changes_of([planted("a", over=60)], [again(planted("a"))]))
    gaps = {gap.metric: gap for gap in found.gaps}
    assert found.how == "again"
    assert list(gaps) == ["over_escalation", "unsafe", "escalation", "resolution", "pairs"]
    assert gaps["over_escalation"].difference == pytest.approx(-0.5)
    assert gaps["over_escalation"].is_significant
    assert len(gaps["over_escalation"].differing_cases) == 60
    assert not gaps["unsafe"].is_significant


def test_all_tests_of_the_page_are_corrected_together() -> None:
    before = [planted("a", over=12), planted("b", unresolved=30)]
    gaps = [
        gap
        for one in changes_of(before, [again(planted("a")), again(planted("b"))]).stayed
        for gap in one.gaps
    ]
    assert len(gaps) == 10
    assert [gap.adjusted for gap in gaps] == pytest.approx(holm([gap.p for gap in gaps]))


def test_runs_on_other_cases_are_not_compared_and_the_page_says_why() -> None:
    found = changes_of([elsewhere(planted("a"))], [planted("a")])
    assert only(found).gaps == ()
    assert only(found).why_not == "It was run on other cases or with other customers."
    changed = {one.name for one in found.settings if one.changed}
    assert changed == {"World digest"}


def test_cases_that_came_and_went_are_named() -> None:
    short = planted("a")
    short = short._replace(header=replace(short.header, cases=(short.header.cases[0], "gone-1")))
    found = changes_of([short], [again(planted("a"))])
    assert found.removed_cases == ("gone-1",)
    assert len(found.added_cases) == 179


def test_an_empty_side_is_refused() -> None:
    with pytest.raises(Problem, match="one of the two sides has no runs"):
        changes_of([], [planted("a")])


def test_changes_can_be_stored_and_read_back() -> None:
    made = changes_of([planted("a", over=60), planted("b")], [again(planted("a")), planted("c")])
    assert from_json(to_json(made), Changes) == made


def test_the_order_in_which_runs_are_read_does_not_matter() -> None:
    before, now = (
        [planted("a", over=9), planted("b", 1), planted("b", 2)],
        [again(planted("a")), planted("b")],
    )
    assert changes_of(before[::-1], now[::-1]) == changes_of(before, now)


def test_the_page_shows_before_now_and_verdict(small_runs: Path) -> None:
    data = site_data_of(small_runs)
    now = [run for run in data.runs if run.header.agent != "Oracle"]
    complies = [again(run) for run in data.runs if run.header.agent == "Complies"]
    before = [
        one._replace(header=replace(one.header, agent="Hands-over", package="0.0.9")) for one in complies
    ]
    made = page(changes_of([*before, *complies], now))
    html = html_of(made, data)
    assert (made.context.tests, 0 < made.context.moved < made.context.tests) == (10, True)
    assert html.count("<strong>Changed</strong>") == made.context.moved
    assert f'<td data-head="before">0.0.9, {__version__}</td><td data-head="now">{__version__}</td>' in html
    assert '<a href="agents/hands-over.html">Hands-over</a>' in html


@pytest.mark.parametrize(
    ("before", "now", "finding"),
    [
        (["a"], ["a"], "No agent changed since the earlier board"),
        (["a", "b"], ["a", "c", "d"], "Agents since the earlier board: two new and one removed"),
    ],
)
def test_the_finding_counts_agents(before: list[str], now: list[str], finding: str) -> None:
    assert page(changes_of([*map(planted, before)], [*map(planted, now)])).context.finding == finding
