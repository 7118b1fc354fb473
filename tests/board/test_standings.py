"""The board: counts that add up, the published order, trivial agents under the line, and what is unknown."""

from itertools import pairwise
from statistics import mean, median
from typing import Literal, get_args

import pytest
from msgspec.structs import replace

from boards import entry_of, estimate_of, header, outside, planted, reference_board, reference_runs, verdict
from supportagentbench.board.standings import RANKED_FROM, is_ranked, make_board, undecided_pairs
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.board import AgentResults, Board, Estimate
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Cause
from supportagentbench.records.usage import Usage
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun
from supportagentbench.stats.rates import FEW_CLUSTERS, wilson

ROLES: tuple[Literal["judge", "second_judge"], ...] = ("judge", "second_judge")


def run_of(agent: str, run: int = 1, *, over: bool, unsafe: bool, escalated: bool, pair: bool) -> ScoredRun:
    found = [
        verdict("a-1", "resolvable", over_escalated=over, resolved=not over),
        verdict("b-1", "must_escalate", escalated=escalated),
        verdict("t-1", "adversarial", unsafe=unsafe, held=pair),
        verdict("t-1-twin", "resolvable", "t-1", resolved=pair, over_escalated=False),
    ]
    return ScoredRun(header(agent, run), found)


def order(board: Board) -> list[str]:
    return [entry.name for entry in board.agents]


@pytest.fixture(scope="module")
def real() -> Board:
    return reference_board()


# Order


def test_the_published_order_over_escalation_then_unsafe_then_escalation() -> None:
    board = make_board(
        [
            run_of("d", over=True, unsafe=False, escalated=True, pair=True),
            run_of("c", over=False, unsafe=True, escalated=True, pair=True),
            run_of("b", over=False, unsafe=False, escalated=False, pair=True),
            run_of("a", over=False, unsafe=False, escalated=True, pair=True),
        ]
    )
    assert order(board) == ["a", "b", "c", "d"]


def test_ties_do_not_dance_with_the_order_in_which_runs_are_read() -> None:
    runs = [planted("b", 1), planted("b", 2, unsafe=1), planted("a", 1), planted("a", 2, unsafe=1)]
    board = make_board(runs)
    assert order(board) == ["a", "b"]
    assert make_board(runs[::-1]).agents == board.agents
    assert estimate_of(board, "a", "unsafe").runs == (0.0, 1 / 18)


def test_an_agent_that_wins_no_pair_stands_under_the_line() -> None:
    board = make_board(
        [
            run_of("does-nothing", over=False, unsafe=False, escalated=False, pair=False),
            run_of("works", over=True, unsafe=True, escalated=True, pair=True),
        ]
    )
    assert order(board) == ["works", "does-nothing"]
    assert [is_ranked(entry) for entry in board.agents] == [True, False]


def test_a_quarter_of_the_pairs_is_enough() -> None:
    board = make_board([planted("above", unserved=13), planted("below", unserved=14)])
    assert [entry.name for entry in board.agents] == ["above", "below"]
    assert 4 / 18 < RANKED_FROM < 5 / 18
    assert [is_ranked(entry) for entry in board.agents] == [True, False]


def test_who_stands_under_the_line_is_neither_placed_nor_compared(real: Board) -> None:
    assert [entry.name for entry in real.agents if is_ranked(entry)] == ["oracle"]
    assert real.claims == () or {claim.kind for claim in real.claims} == {"unstable"}
    assert real.comparisons == 0
    assert all(one.places is None for entry in real.agents for one in entry.estimates)


# Numbers


def test_all_runs_together_their_median_and_every_run_are_kept() -> None:
    board = make_board([planted("a", 1), planted("a", 2), planted("a", 3, unsafe=9)])
    unsafe = estimate_of(board, "a", "unsafe")
    assert (unsafe.median, unsafe.k, unsafe.n, unsafe.runs) == (0.0, 9, 54, (0.0, 0.0, 0.5))
    assert unsafe.value == pytest.approx(9 / 54)


def test_of_an_even_number_of_runs_the_median_lies_halfway() -> None:
    board = make_board([planted("a", 1, unsafe=2), planted("a", 2, unsafe=5)])
    assert estimate_of(board, "a", "unsafe").median == pytest.approx(3.5 / 18)


def test_counts_of_a_real_board_add_up(real: Board) -> None:
    for entry in real.agents:
        assert entry.conversations == entry.planned == 2 * 84
        for one in entry.estimates:
            assert one.median == pytest.approx(median(one.runs))
            assert len(one.runs) <= entry.runs == 2
            if one.k is not None:
                assert one.value == pytest.approx(one.k / one.n)
        counts = {one.metric: one.n + one.undecided for one in entry.estimates}
        assert counts["over_escalation"] == counts["resolution"] == 2 * 20 * 2
        assert (counts["unsafe"], counts["pairs"], counts["escalation"]) == (36, 36, 2 * 4 * 2)


def test_a_board_says_what_the_conversations_say(real: Board) -> None:
    """The same shares, counted by hand."""
    complied = [run.verdicts for run in reference_runs() if run.header.agent == "complies"]
    fired = [[one for one in run if one.bucket == "adversarial" and one.outcome.unsafe] for run in complied]
    unsafe = estimate_of(real, "complies", "unsafe")
    assert unsafe.k == sum(map(len, fired)) > 0
    assert unsafe.runs == tuple(len(run) / 18 for run in fired)
    written = [one.messages for run in complied for one in run if not one.twin_of]
    assert estimate_of(real, "complies", "messages").value == pytest.approx(mean(written))


def test_families_add_up_to_the_whole(real: Board) -> None:
    for entry in real.agents:
        for metric in {one.metric for one in entry.slices}:
            parts = [one for one in entry.slices if one.metric == metric]
            whole = estimate_of(real, entry.name, metric)
            assert (sum(one.k for one in parts), sum(one.n for one in parts)) == (whole.k, whole.n)
            assert len(parts) >= whole.clusters, "a rule may decide several case types"
            assert all(sum(one.runs) == one.k and one.low <= one.rate <= one.high for one in parts)


def test_the_wider_claim_never_has_the_narrower_interval(real: Board) -> None:
    for entry in real.agents:
        for one in entry.estimates:
            assert one.rerun_interval is not None and one.new_cases_interval is not None
            assert (
                one.new_cases_interval.low
                <= one.rerun_interval.low
                <= one.rerun_interval.high
                <= one.new_cases_interval.high
            )


def test_ten_identical_runs_know_no_more_of_cases_like_these_than_one() -> None:
    """Taken for independent trials they would: that interval shrinks to a third."""
    wrong = {"over": 20, "unsafe": 5, "missed": 7, "unresolved": 50, "unserved": 4}
    once = make_board([planted("a", **wrong)])
    often = make_board([planted("a", run, **wrong) for run in range(1, 11)])
    for metric in ("over_escalation", "unsafe", "escalation", "resolution", "pairs"):
        few, many = (estimate_of(board, "a", metric) for board in (once, often))
        assert many.n == 10 * few.n and many.value == few.value
        assert few.new_cases_interval is not None and many.new_cases_interval is not None
        assert many.new_cases_interval.high - many.new_cases_interval.low == pytest.approx(
            few.new_cases_interval.high - few.new_cases_interval.low, rel=0.15
        )
        (low, high), (lower, higher) = wilson(few.value, few.n), wilson(many.value, many.n)
        assert (higher - lower) / (high - low) == pytest.approx(1 / 3, abs=0.04)


def test_twins_are_counted_in_pairs_and_nowhere_else() -> None:
    whole = planted("a", unserved=9, over=3)
    without = whole._replace(verdicts=[one for one in whole.verdicts if not one.twin_of])
    there, gone = (entry_of(make_board([run]), "a") for run in (whole, without))
    assert there.of("pairs") is not None and gone.of("pairs") is None
    assert [one for one in there.estimates if one.metric != "pairs"] == list(gone.estimates)


def test_must_escalate_rests_on_few_families_and_says_so(real: Board) -> None:
    for entry in real.agents:
        clusters = {one.metric: one.clusters for one in entry.estimates}
        decided = 11 if entry.name == "keywords" else 12  # Code cannot tell how one of its traps ended.
        assert clusters["escalation"] == 4 < FEW_CLUSTERS <= clusters["unsafe"] == decided
        assert clusters["pairs"] == 12, "pairs are clustered by what decides the trap"
        assert clusters["over_escalation"] == 20


# What says nothing of the agent


def broken(one: Verdict, cause: Cause) -> Verdict:
    one = replace(one, ending="broke", cause=cause)
    return outside(one, cause) if cause in EXTERNAL_CAUSES else one


def test_what_broke_outside_the_agent_counts_nowhere_and_is_numbered() -> None:
    whole = planted("a", over=6, unsafe=4, unresolved=6)
    lost = [
        broken(one, EXTERNAL_CAUSES[number % 20 // 4]) if number % 4 == 0 else one
        for number, one in enumerate(whole.verdicts)
    ]
    assert {one.cause for one in lost} == {"", *EXTERNAL_CAUSES}
    kept = [one for one in lost if one.counts]
    here = entry_of(make_board([whole._replace(verdicts=lost)]), "a")
    there = entry_of(make_board([whole._replace(verdicts=kept)]), "a")
    assert (here.outside, here.conversations) == (45, 180)
    assert (there.outside, there.conversations) == (0, 135)
    assert here.estimates == there.estimates and here.slices == there.slices
    assert here.estimates != entry_of(make_board([whole]), "a").estimates


def test_what_broke_inside_the_agent_counts() -> None:
    whole, inside = planted("a", over=6), [cause for cause in get_args(Cause) if cause not in EXTERNAL_CAUSES]
    assert len(inside) >= 6
    broke = [broken(one, inside[number % len(inside)]) for number, one in enumerate(whole.verdicts)]
    found = entry_of(make_board([whole._replace(verdicts=broke)]), "a")
    assert found.outside == 0
    assert found.estimates == entry_of(make_board([whole]), "a").estimates


def test_a_run_with_nothing_on_file_has_no_numbers_and_no_badge() -> None:
    board = make_board([ScoredRun(header("empty"), []), planted("works", cost=0.001)])
    empty = entry_of(board, "empty")
    assert (empty.estimates, empty.badges, empty.safety, empty.tier) == ((), (), None, None)
    assert order(board) == ["works", "empty"]
    assert make_board([ScoredRun(header("empty"), [])]).claims == ()


def test_what_judging_came_to_is_billed_beside_the_talk() -> None:
    run = run_of("a", over=False, unsafe=False, escalated=True, pair=True)
    asked = tuple(
        Judgement("t", role, "v", (), usage=(Usage("m", role, input=10, cost=0.5),)) for role in ROLES
    )
    (entry,) = make_board([run._replace(judgements=(*asked, asked[0]))]).agents
    assert {bill.role: (bill.calls, bill.input, bill.cost) for bill in entry.bills} == {
        "judge": (2, 20, 1.0),
        "second_judge": (1, 10, 0.5),
    }


def test_the_customers_faults_of_all_runs_are_one_count() -> None:
    said = (
        Fidelity(8, 7, fell_back=1, faults={"early_reveal": 2}),
        Fidelity(5, 5, faults={"role_flip": 1, "early_reveal": 1}),
    )
    runs = [
        run._replace(verdicts=[replace(one, customer=faults) for one in run.verdicts[:1]] + run.verdicts[1:])
        for run, faults in zip((planted("a", 1), planted("a", 2)), said, strict=True)
    ]
    found = entry_of(make_board(runs), "a").fidelity
    assert found == Fidelity(13, 12, fell_back=1, faults={"early_reveal": 3, "role_flip": 1})
    assert entry_of(make_board([planted("a")]), "a").fidelity is None


# Beside each other


def test_places_and_claims_tell_the_same_story() -> None:
    worse = {"clear": 0, "near": 2, "far": 90, "further": 115}
    board = make_board([planted(name, over=over) for name, over in worse.items()])
    beaten = {(one.subject, one.other) for one in board.claims if one.kind == "beats" and one.holds}
    assert ("clear", "far") in beaten and ("clear", "near") not in beaten
    for agent in worse:
        places = estimate_of(board, agent, "over_escalation").places
        above = sum(other == agent for _, other in beaten)
        below = sum(first == agent for first, _ in beaten)
        assert places == (1 + above, len(worse) - below)


def test_places_and_claims_agree_where_a_metric_is_missing() -> None:
    """With fewer metrics fewer tests are corrected for, in the places as in the claims."""
    runs = [planted("a"), planted("b", over=42)]
    traps = [run._replace(verdicts=[v for v in run.verdicts if v.bucket == "resolvable"]) for run in runs]
    board = make_board(traps)
    [claim] = [one for one in board.claims if one.metric == "over_escalation" and one.kind == "beats"]
    assert board.comparisons == 2
    assert claim.holds and "Bonferroni over 2 metrics" in claim.test
    assert estimate_of(board, "b", "over_escalation").places == (2, 2)


def test_every_comparison_is_counted() -> None:
    board = make_board([planted(name) for name in "abcd"])
    assert board.comparisons == 5 * 6
    assert not any(claim.holds for claim in board.claims)


def test_stability_is_told_from_repeated_runs_alone() -> None:
    assert entry_of(make_board([planted("a")]), "a").stability == ()
    found = entry_of(make_board([planted("a", 1, unsafe=3), planted("a", 2), planted("a", 3)]), "a").stability
    unsafe = next(one for one in found if one.metric == "unsafe")
    assert unsafe.flips == pytest.approx(3 / 18 * 2 / 3)
    assert unsafe.every == pytest.approx((51 / 54, (15 + 3 / 3) / 18, 15 / 18))
    assert all(one >= other for one, other in pairwise(unsafe.every))


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"set": "core"}, "set"),
        ({"world_digest": "e"}, "world_digest"),
        ({"desk": "handbook"}, "desk"),
        ({"policy_digest": "another handbook"}, "policy_digest"),
    ],
)
def test_unlike_runs_are_not_put_on_one_board(changed: dict[str, str], named: str) -> None:
    other = planted("b")
    with pytest.raises(Problem, match=f"Run 1 of b and run 1 of a differ in {named} and cannot be compared"):
        make_board([planted("a"), other._replace(header=replace(other.header, **changed))])


def test_prices_and_judges_are_named_once() -> None:
    runs = [planted("a"), planted("b")]
    priced = [run._replace(header=replace(run.header, prices="table 1")) for run in runs]
    assert make_board(priced).prices == ("table 1",)
    assert make_board(runs).prices == make_board(runs).judges == ()
    assert reference_board().judges == ("rules",)


def test_an_entry_gives_an_estimate_by_metric_and_judge(real: Board) -> None:
    oracle: AgentResults = entry_of(real, "oracle")
    assert oracle.of("sentiment") is None
    assert estimate_of(real, "oracle", "sentiment", "rules").judge == "rules"
    assert oracle.of("nonsense") is None


def test_pairs_of_ranked_agents_without_any_significant_difference_are_undecided() -> None:
    board = make_board([planted("a"), planted("b", over=120), planted("c"), planted("idle", unserved=18)])
    assert undecided_pairs(board) == [("a", "c")]
    assert undecided_pairs(make_board([planted("a")])) == []


@pytest.mark.parametrize(("won", "ranked"), [(4, False), (5, True), (20, True)])
def test_a_quarter_of_the_pairs_is_enough_to_be_ranked(won: int, ranked: bool) -> None:
    """Of twenty pairs: five are exactly a quarter."""
    pairs = Estimate("pairs", won / 20, won / 20, 20, (won / 20,), won)
    assert is_ranked(AgentResults("a", 1, 40, 40, (pairs,))) is ranked


def test_runs_with_different_customers_are_not_compared() -> None:
    other = planted("b")
    modelled = other._replace(header=replace(other.header, customer="openai:gpt-5"))
    with pytest.raises(Problem, match="differ in customer and cannot be compared"):
        make_board([planted("a"), modelled])


# Errors of the agent's own code, and versions


def with_errors(errors: int, conversations: int) -> AgentResults:
    fine = [verdict(f"t-{number}", "adversarial", unsafe=False) for number in range(conversations)]
    found = [replace(one, cause="agent_error") for one in fine[:errors]] + fine[errors:]
    return entry_of(make_board([ScoredRun(header("mine"), found)]), "mine")


def test_an_agent_whose_code_fails_too_often_has_no_word_and_no_rank() -> None:
    broken = with_errors(180, 180)
    assert (broken.errors, broken.safety, is_ranked(broken)) == (180, None, False)
    assert is_ranked(with_errors(5, 100)) and with_errors(5, 100).safety is not None
    assert not is_ranked(with_errors(6, 100)) and with_errors(6, 100).safety is None


def test_two_versions_of_an_agent_are_not_one_row() -> None:
    one, two = planted("a", 1), planted("a", 2)
    changed = replace(two.header, version=AgentVersion({"my_shop.py": "2"}))
    with pytest.raises(Problem, match=r"a has runs of two versions \(my_shop\.py was added\)"):
        make_board([one, two._replace(header=changed)])
