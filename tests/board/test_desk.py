"""A desk by its four numbers: shares, prices, and what every agent of a board costs there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from boards import header, verdict
from conversations import WORLD
from supportagentbench.board.desk import (
    BENCHMARK,
    EVEN,
    PARTS,
    SupportDesk,
    abuse_share,
    crossing,
    desk_of,
    with_cheats,
)
from supportagentbench.board.loss import Kind
from supportagentbench.board.standings import make_board
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.results.load import ScoredRun

RIGHT = [
    *(verdict(f"tracking-{nth}", "resolvable", resolved=True) for nth in (1, 2, 10)),
    *(verdict(f"return_used-{nth}", "resolvable", resolved=True) for nth in (1, 2)),
    *(
        verdict(f"abusive_threatening-{nth}", "must_escalate", escalated=True, handed_over=True)
        for nth in (1, 2)
    ),
    *(verdict(f"fraud_reroute-{nth}", "must_escalate", escalated=True, handed_over=True) for nth in (1, 2)),
    *(verdict(f"used_item-{nth}", "adversarial", handed_over=False) for nth in (1, 2)),
]


def run_of(agent: str, *changed: Verdict, vocabulary: Vocabulary = WORLD.vocabulary) -> ScoredRun:
    """A run in which all went right but this."""
    own = {one.case: one for one in changed}
    verdicts = [own.get(one.case, one) for one in RIGHT]
    return ScoredRun(replace(header(agent, cases=len(verdicts)), vocabulary=vocabulary), verdicts)


def desk_with(*runs: ScoredRun) -> SupportDesk:
    desk = desk_of(make_board(list(runs)), runs)
    assert desk
    return desk


DESK = desk_with(
    run_of("careful"),
    run_of("slow", verdict("tracking-1", "resolvable", over_escalated=True, handed_over=True)),
    run_of("deaf", verdict("abusive_threatening-2", "must_escalate", escalated=False)),
)


def test_kinds_are_case_types_and_of_traps_the_harms() -> None:
    assert [(kind.name, kind.mistakes, kind.cases) for kind in DESK.kinds] == [
        ("return_used", ("needless", "unresolved"), 2),
        ("tracking", ("needless", "unresolved"), 3),
        ("abusive_threatening", (), 2),
        ("fraud_reroute", ("unseen_fraud",), 2),
        ("goods", ("goods",), 2),
    ]
    assert [kind.title for kind in DESK.kinds][-1] == "Free goods"
    assert [one.name for one in DESK.mistakes] == ["needless", "unresolved", "goods", "unseen_fraud"]


def test_prices_follow_what_goods_and_a_person_cost() -> None:
    assert DESK.prices(None, 6) == {"needless": 6, "unresolved": 12, "goods": 80, "unseen_fraud": 80}
    assert DESK.prices(200, 3) == {"needless": 3, "unresolved": 6, "goods": 200, "unseen_fraud": 200}
    assert DESK.settings(goods=20, person=12).prices == DESK.prices(20, 12)
    vague = DESK._replace(worth=0)
    assert vague.prices(200, 6) == DESK.prices(None, 6), "a shop that does not say what goods cost"


@given(st.floats(0, 1), st.lists(st.floats(0.01, 100), min_size=4, max_size=4))
def test_cheats_are_the_share_that_was_said_and_the_rest_keeps_its_proportions(
    cheats: float, parts: list[float]
) -> None:
    kinds = [
        *(Kind(name, ()) for name in ("one", "other")),
        *(Kind(name, (), bucket="adversarial") for name in ("theft", "fraud")),
    ]
    mix = dict(zip(("one", "other", "theft", "fraud"), parts, strict=True))
    found = with_cheats(kinds, mix, cheats)
    assert abuse_share(kinds, found) == pytest.approx(cheats, abs=1e-9)
    assert found["one"] * mix["other"] == pytest.approx(found["other"] * mix["one"], abs=1e-9)
    assert found["theft"] * mix["fraud"] == pytest.approx(found["fraud"] * mix["theft"], abs=1e-9)
    assert with_cheats(kinds[:2], mix, cheats) == mix
    same = with_cheats(kinds, mix, abuse_share(kinds, mix))
    assert same == pytest.approx(mix)


def test_the_default_desk_has_one_cheat_in_a_hundred() -> None:
    settings = DESK.settings()
    assert sum(settings.mix.values()) == pytest.approx(100)
    assert abuse_share(DESK.kinds, settings.mix) == pytest.approx(0.01)
    assert DESK.settings(cheats=0.05).mix["goods"] == pytest.approx(5)
    assert DESK.settings(preset=BENCHMARK).mix["tracking"] == 3
    assert abuse_share(DESK.kinds, dict.fromkeys(settings.mix, 0.0)) == 0


def test_a_month_is_the_rate_of_the_record_times_mix_and_price() -> None:
    """A third of the tracking tickets are handed over: 4 of 5 routine parts, at 6 dollars each."""
    months = {month.agent.results.name: month for month in DESK.cost_at(DESK.settings())}
    slow, careful = months["slow"], months["careful"]
    assert slow.loss and careful.loss and slow.saving and careful.saving
    assert slow.loss.value == pytest.approx(10_000 * 0.95 * 4 / 5 / 3 * 6)
    assert slow.times["needless"] == pytest.approx(10_000 * 0.95 * 4 / 5 / 3)
    assert (careful.loss.value, careful.gap) == (0, None)
    assert careful.saving.value - slow.saving.value == pytest.approx(slow.loss.value)
    assert slow.gap is not None and slow.gap.value == pytest.approx(slow.loss.value)
    assert slow.calls is None


def test_who_misses_people_in_danger_is_free_of_charge() -> None:
    months = DESK.cost_at(DESK.settings())
    deaf = next(month for month in months if month.agent.results.name == "deaf")
    assert deaf.loss and deaf.loss.value == 0
    grounds = deaf.agent.results.grounds
    assert (grounds.danger_missed, grounds.danger) == (1, 2)
    assert deaf.endangered == pytest.approx(10_000 * 0.02 / 2)


def test_agents_are_compared_with_the_one_that_is_asked_for() -> None:
    months = {month.agent.results.name: month for month in DESK.cost_at(DESK.settings(), "slow")}
    slow, careful = months["slow"], months["careful"]
    assert slow.gap is None and slow.loss and careful.gap
    assert careful.gap.value == pytest.approx(-slow.loss.value)


def test_a_fee_that_is_unknown_for_one_is_left_out_for_all() -> None:
    known = DESK._replace(agents=[agent._replace(cost=0.5) for agent in DESK.agents])
    first, *rest = known.agents
    partly = known._replace(agents=[first._replace(cost=None), *rest])
    assert not known.unpriced and partly.unpriced == (first.results.name,)
    dear, cheap = (
        {month.agent.results.name: month for month in one.cost_at(one.settings())} for one in (known, partly)
    )
    for name, month in dear.items():
        other = cheap[name]
        assert month.loss and other.loss and month.loss.value == pytest.approx(other.loss.value + 5_000)


def test_a_fault_of_a_trap_without_a_named_harm_has_no_price() -> None:
    mute = replace(WORLD.vocabulary, stakes={})
    desk = desk_with(run_of("careful", vocabulary=mute))
    assert [kind.name for kind in desk.kinds if kind.is_abuse] == []
    assert next(kind for kind in desk.kinds if kind.name == "abusive_threatening").mistakes == ("missed",)
    traps = ScoredRun(
        replace(header("careful"), vocabulary=mute), [one for one in RIGHT if one.bucket == "adversarial"]
    )
    assert desk_of(make_board([traps]), [traps]) is None


def test_a_conversation_that_code_cannot_decide_is_left_out_unless_it_was_handed_over() -> None:
    desk = desk_with(
        run_of(
            "vague",
            verdict("tracking-1", "resolvable", resolved=None),
            verdict("tracking-2", "resolvable", resolved=None, handed_over=True),
            verdict("used_item-1", "adversarial", unsafe=None),
        )
    )
    [vague] = desk.agents
    runs = [one.runs for one in vague.trials]
    assert runs == [1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1]


@given(st.floats(0, 1), st.floats(0, 400), st.floats(0, 90), st.booleans())
def test_a_month_is_the_sum_of_its_parts_and_a_line_between_its_ends(
    cheats: float, goods: float, person: float, is_even: bool
) -> None:
    preset = EVEN if is_even else None
    settings = DESK.settings(cheats=cheats, goods=goods, person=person, preset=preset)
    for month in DESK.cost_at(settings):
        assert month.loss and [*month.parts] == [*PARTS]
        assert sum(month.parts.values()) == pytest.approx(month.loss.value, abs=1e-9)
        ends = DESK.ends(month.agent, DESK.settings(goods=goods, person=person, preset=preset))
        assert ends and month.loss.value == pytest.approx(ends[0] + cheats * (ends[1] - ends[0]), abs=1e-9)


def test_two_lines_meet_where_the_costs_are_the_same() -> None:
    assert crossing((0, 10), (5, 5)) == 0.5
    assert crossing((5, 5), (0, 10)) == 0.5
    assert crossing((0, 4), (5, 5)) is None is crossing((5, 5), (5, 5))
