"""Any two entries can be laid beside each other: all that takes is worked out beforehand."""

from itertools import combinations
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace

from site_data import html_of, site_data_of
from supportagentbench.board.agent_comparison import compare_agents
from supportagentbench.records.claim import Claim
from supportagentbench.records.record import from_json
from supportagentbench.site.answers.pair_view import WIDEST, ShownGap, pair_view
from supportagentbench.site.data.comparisons import Comparisons
from supportagentbench.site.data.site_data import ConversationRow, SiteData
from supportagentbench.site.pages.compare import CALL, Pairs, pages
from supportagentbench.site.pages.compare import files as pair_files


@pytest.fixture
def data(small_runs: Path) -> SiteData:
    return site_data_of(small_runs)


def read(script: bytes) -> Pairs:
    return from_json(script.removeprefix(CALL.encode()).removesuffix(b")\n"), Pairs)


@pytest.fixture
def files(data: SiteData) -> dict[str, Pairs]:
    return {path: read(content) for path, content in pair_files(data, Comparisons(data.board, data.runs))}


def test_there_is_a_file_an_entry_and_every_pair_is_in_one(files: dict[str, Pairs], data: SiteData) -> None:
    slugs = list(data.slugs.values())
    assert list(files) == [f"data/pairs/{slug}.js" for slug in slugs]
    pairs = [(one.id, other) for one in files.values() for other in one.pairs]
    assert pairs == list(combinations(slugs, 2))


def test_a_difference_is_printed_as_the_command_computes_it(files: dict[str, Pairs], data: SiteData) -> None:
    runs = {name: [run for run in data.runs if run.header.agent == name] for name in data.slugs}
    told = {gap.metric: gap for gap in compare_agents(runs["Oracle"], runs["Complies"]).differences}
    shown = files["data/pairs/oracle.js"].pairs["complies"].gaps
    gap = shown["unsafe"]
    assert gap.text == f"−{-100 * told['unsafe'].difference:.1f}"
    assert gap.differ == len(told["unsafe"].differing_cases) == len(gap.which)
    assert [list(data.cases)[place] for place in gap.which] == list(told["unsafe"].differing_cases)
    assert gap.significant


def test_of_a_mean_only_the_cases_widest_apart_are_listed(files: dict[str, Pairs]) -> None:
    gap = files["data/pairs/oracle.js"].pairs["complies"].gaps["words"]
    assert gap.differ > WIDEST == len(gap.which)


def claim(sentence: str, holds: bool, subject: str, other: str = "") -> Claim:
    kind: Literal["beats", "unstable"] = "beats" if other else "unstable"
    return Claim(kind, sentence, holds, "a test", 0.01, "<= 0.05", "unsafe", subject, other)


def test_what_the_board_claims_of_two_entries_is_printed_and_nothing_that_does_not_hold(
    data: SiteData,
) -> None:
    claims = (
        claim("oracle beats complies on unsafe actions.", True, "Oracle", "Complies"),
        claim("oracle beats complies on pairs.", False, "Oracle", "Complies"),
        claim("complies is unstable from run to run on resolution.", True, "Complies"),
        claim("oracle is unstable from run to run on resolution.", False, "Oracle"),
    )
    claimed = data._replace(board=replace(data.board, claims=claims))
    found = {
        made.id: made
        for made in map(read, dict(pair_files(claimed, Comparisons(claimed.board, claimed.runs))).values())
    }
    assert found["oracle"].pairs["complies"].claims == ("oracle beats complies on unsafe actions.",)
    assert found["oracle"].pairs["hands-over"].claims == ()
    assert found["complies"].claims == ("complies is unstable from run to run on resolution.",)
    assert found["oracle"].claims == ()


def test_values_are_those_of_the_board_with_every_run(files: dict[str, Pairs], data: SiteData) -> None:
    shown = files["data/pairs/complies.js"].values["unsafe"]
    estimate = next(entry for entry in data.board.agents if entry.name == "Complies").of("unsafe")
    assert estimate is not None
    assert shown.count == f"{estimate.k}/{estimate.n}"
    assert len(shown.runs) == 3
    assert shown.link == "reader.html#agent=complies&counted=unsafe"


def test_it_opens_with_the_agent_to_use_and_its_rival(data: SiteData) -> None:
    pair = next(pages(data, Comparisons(data.board, data.runs))).context.pair
    assert pair and [one.name for one in pair.agents] == [
        one.agent.name for one in data.recommendation.agents[:2]
    ]
    assert pair.title.startswith("Use Oracle, not ")


def test_two_turned_round_have_opposite_differences_and_the_same_tickets(data: SiteData) -> None:
    comparisons = Comparisons(data.board, data.runs)
    one, other = (
        pair_view(data, comparisons, *names) for names in (("Oracle", "Complies"), ("Complies", "Oracle"))
    )
    assert (one.title, one.answer, one.apart, one.differing) == (
        other.title,
        other.answer,
        other.apart,
        other.differing,
    )
    for mine, theirs in zip(one.rows, other.rows, strict=True):
        assert mine.values == theirs.values[::-1] and (mine.places or ()) == (theirs.places or ())[::-1]
        assert (mine.gap is None) is (theirs.gap is None)
        assert not mine.gap or mine.gap.text.strip("+−") == theirs.gap.text.strip("+−")  # type: ignore[union-attr]
    danger = one.rows[0]
    assert danger.values[1] and danger.values[1].count == "18/18" and danger.places == ("0%", "100%")


def test_both_opens_two_runs_that_ended_differently(data: SiteData) -> None:
    pair = pair_view(data, Comparisons(data.board, data.runs), "Oracle", "Complies")
    cases = [one for some in pair.shelves.values() for one in some]
    assert cases
    for one in cases:
        grades = [{row.run: row.outcome.grade for row in rows} for rows in one.tried]
        run, run2 = one.apart
        assert grades[0][run] != grades[1][run2]
        same = [at for at in grades[0] if grades[0][at] != grades[1].get(at, grades[0][at])]
        assert run == run2 or not same, one.sheet.id


def test_danger_stands_above_the_table_and_a_range_decides_nothing(data: SiteData) -> None:
    html = html_of(next(pages(data, Comparisons(data.board, data.runs))), data)
    assert html.index("People in danger missed:") < html.index('class="dumbbells"')
    table = html.partition('class="dumbbells"')[2].partition("</table>")[0]
    assert "People in danger" not in table
    for row in table.split('<tr role="row">')[2:]:
        assert not ("likely" in row and "too few case types to tell" in row)
    assert "too few case types to tell" in table and "likely" in table
    gap = ShownGap("−4.7", "−12.1", "−1.4", "p = 0.2", 9, 2, (), False)
    assert gap.words == "not clear once corrected for all measures"
    assert replace(gap, high="+1.4").words == "no clear difference"
    assert replace(gap, significant=True).words == "clear difference"


def test_suspected_faults_are_rows_that_no_test_decides(cast_runs: Path) -> None:
    data = site_data_of(cast_runs)
    pair = pair_view(data, Comparisons(data.board, data.runs), "By-the-book", "Chatty")
    dates = next(row for row in pair.rows if row.metric.title == "Made-up dates")
    assert dates.gap is None and dates.metric.note == "found by code, not yet confirmed"
    assert dates.values[1] and dates.values[1].count == "130/486" and "counted=" in dates.values[1].link
    assert dates.values[0] and not dates.values[0].link


def test_an_entry_alone_has_nobody_to_be_compared_with(data: SiteData) -> None:
    def is_oracle(row: ConversationRow) -> bool:
        return row.agent == "Oracle"

    alone = data._replace(
        board=type(data.board)("w", "d", "all", data.board.agents[:1]),
        runs=[run for run in data.runs if run.header.agent == "Oracle"],
        rows=list(filter(is_oracle, data.rows)),
        slugs={"Oracle": "oracle"},
    )
    html = html_of(next(pages(alone, Comparisons(alone.board, alone.runs))), alone)
    assert "A comparison needs two agents" in html
    assert [path for path, _ in pair_files(alone, Comparisons(alone.board, alone.runs))] == [
        "data/pairs/oracle.js"
    ]
