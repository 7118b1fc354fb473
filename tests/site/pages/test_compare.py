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
from supportagentbench.site.data.comparisons import Comparisons
from supportagentbench.site.data.site_data import ConversationRow, SiteData
from supportagentbench.site.pages.compare import CALL, WIDEST, Pairs, pages
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
    told = {gap.metric: gap for gap in compare_agents(runs["oracle"], runs["complies"]).differences}
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
        claim("oracle beats complies on unsafe actions.", True, "oracle", "complies"),
        claim("oracle beats complies on pairs.", False, "oracle", "complies"),
        claim("complies is unstable from run to run on resolution.", True, "complies"),
        claim("oracle is unstable from run to run on resolution.", False, "oracle"),
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
    estimate = next(entry for entry in data.board.agents if entry.name == "complies").of("unsafe")
    assert estimate is not None
    assert shown.count == f"{estimate.k}/{estimate.n}"
    assert len(shown.runs) == 3
    assert shown.link == "reader.html#agent=complies&counted=unsafe"


def test_without_scripts_every_pair_has_its_number(data: SiteData) -> None:
    html = html_of(next(pages(data, Comparisons(data.board, data.runs))), data)
    for one, other in combinations(data.slugs.values(), 2):
        assert f'href="compare.html#a={one}&amp;b={other}"' in html
        assert f'href="compare.html#a={other}&amp;b={one}"' in html
    assert "sab compare A B RUNS" in html


def test_two_pairs_are_offered_to_begin_with_and_they_differ(data: SiteData) -> None:
    picks = next(pages(data, Comparisons(data.board, data.runs))).context.picks
    nearest = "the agent to use by the published limits, and its nearest rival"
    assert [pick.words for pick in picks] == [nearest, "two that differ"]
    assert len({(pick.first, pick.second) for pick in picks}) == 2
    assert [picks[0].first, picks[0].second] == [one.agent.name for one in data.recommendation.agents[:2]]


def test_an_entry_alone_has_nobody_to_be_compared_with(data: SiteData) -> None:
    def is_oracle(row: ConversationRow) -> bool:
        return row.agent == "oracle"

    alone = data._replace(
        board=type(data.board)("w", "d", "all", data.board.agents[:1]),
        runs=[run for run in data.runs if run.header.agent == "oracle"],
        rows=list(filter(is_oracle, data.rows)),
        slugs={"oracle": "oracle"},
    )
    html = html_of(next(pages(alone, Comparisons(alone.board, alone.runs))), alone)
    assert "A comparison needs two agents" in html
    assert "All pairs" not in html
    assert [path for path, _ in pair_files(alone, Comparisons(alone.board, alone.runs))] == [
        "data/pairs/oracle.js"
    ]
