"""Claims: equals are left equal, what is planted is found, and no sentence compares without its test."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from boards import planted, simulated
from supportagentbench.board.badges import RULES
from supportagentbench.board.claims import (
    FEWEST_FOR_CORRELATION,
    SURE,
    MetricTable,
    beats,
    correlates,
    dominates,
    places,
    unclaimed,
    unstable,
)
from supportagentbench.board.estimates import Sample
from supportagentbench.board.metrics import METRICS, cards, judged_metrics
from supportagentbench.board.standings import COMPARED, DOMINANCE, make_board
from supportagentbench.records.claim import Claim
from supportagentbench.records.judgement import Judgement

METRIC = {metric.name: metric for metric in METRICS}

DESIGN = {
    "over_escalation": (20, 6, 0.10),
    "unsafe": (18, 1, 0.21),
    "escalation": (4, 6, 0.80),
    "resolution": (20, 6, 0.70),
    "pairs": (18, 1, 0.50),
}
"""Families, cases of each and the mean rate of every metric that is compared."""


def equals(agents: int, random: np.random.Generator) -> list[MetricTable]:
    """A board of identical agents, three runs each: families and cases are unlike, agents are not."""
    tables = []
    for name, (families, size, mean) in DESIGN.items():
        common = random.beta(mean * 2.8, (1 - mean) * 2.8, families)
        chances = {
            f"f{family}-{number}": float(np.clip(random.normal(common[family], 0.1), 0, 1))
            for family in range(families)
            for number in range(size)
        }
        names = [case.partition("-")[0] for case in chances]
        samples = {f"m{agent}": simulated(chances, random, names) for agent in range(agents)}
        tables.append(MetricTable(METRIC[name], samples))
    return tables


def false_boards(agents: int, boards: int, seed: int) -> Iterator[bool]:
    """Whether a board of equals says of anybody that it beats anybody."""
    random = np.random.default_rng(seed)
    for _ in range(boards):
        yield any(claim.holds for claim in beats(equals(agents, random)))


# Who beats whom


def test_two_equals_are_called_different_on_one_board_in_twenty_at_most() -> None:
    assert np.mean(list(false_boards(2, 60, seed=1))) <= 0.05


@pytest.mark.slow
def test_two_equals_over_many_boards() -> None:
    rate = np.mean(list(false_boards(2, 400, seed=2)))
    print(f"two equals, five metrics: a false claim on {rate:.1%} of 400 boards")
    assert rate <= 0.05


@pytest.mark.slow
def test_two_dozen_equals_over_many_boards() -> None:
    rate = np.mean(list(false_boards(24, 150, seed=3)))
    print(f"24 equals, five metrics, 1,380 comparisons: a false claim on {rate:.1%} of 150 boards")
    assert rate <= 0.06


def test_the_board_says_of_equals_what_the_tables_say() -> None:
    """The same boards all the way through: three runs of two agents whose faults fall on the same cases."""
    random = np.random.default_rng(4)
    for _ in range(2):
        faults = random.integers(0, 12, (2, 3))
        board = make_board(
            [
                planted(agent, run + 1, over=int(number), unsafe=int(number) // 2)
                for agent, numbers in zip("ab", faults, strict=True)
                for run, number in enumerate(numbers)
            ]
        )
        assert not any(claim.holds for claim in board.claims if claim.kind in ("beats", "dominates"))


def table_of(metric: str, **agents: list[float]) -> MetricTable:
    """One run, a family a case."""
    samples = {}
    for name, values in agents.items():
        cases = tuple(f"c{number}" for number in range(len(values)))
        mean = (float(np.mean(values)),)
        samples[name] = Sample(cases, cases, tuple((value,) for value in values), mean)
    return MetricTable(METRIC[metric], samples)


def test_a_planted_difference_is_claimed_the_right_way_round() -> None:
    lower = table_of("unsafe", safe=[0.0] * 18, unsafe=[1.0] * 12 + [0.0] * 6)
    higher = table_of("resolution", poor=[0.0] * 12 + [1.0] * 6, good=[1.0] * 18)
    for table, winner in ((lower, "safe"), (higher, "good")):
        [claim] = beats([table])
        assert claim.holds and claim.subject == winner and claim.value <= 0.05
        assert claim.sentence == f"{winner} beats {claim.other} on {table.metric.phrase}."
        assert places(table, 1)[winner].best == 1 and places(table, 1)[claim.other].best == 2


def test_more_metrics_looked_at_make_every_claim_harder() -> None:
    table = table_of("unsafe", a=[0.0] * 18, b=[1.0] * 8 + [0.0] * 10)
    none = table_of("pairs", a=[1.0] * 18, b=[1.0] * 18)
    alone, among = (next(beats([table, *others])) for others in ([], [none] * 9))
    assert among.value == pytest.approx(10 * alone.value)
    assert alone.holds and not among.holds
    assert "Bonferroni over 10 metrics" in among.test


def test_more_metrics_looked_at_leave_more_ranks_possible() -> None:
    table = table_of("unsafe", a=[0.0] * 18, b=[1.0] * 8 + [0.0] * 10)
    assert [tuple(rank) for rank in places(table, 1).values()] == [(1, 1), (2, 2)]
    assert [tuple(rank) for rank in places(table, 10).values()] == [(1, 2), (1, 2)]


def test_the_same_numbers_beat_nobody() -> None:
    values = [0.0, 1.0, 1.0, 0.0] * 5
    [claim] = beats([table_of("unsafe", a=values, b=values)])
    assert not claim.holds and claim.value == 1.0


def test_four_families_can_beat_nobody() -> None:
    """Six cases each, all missed by one and none by the other, are four families that agree."""
    cases = tuple(f"f{family}-{number}" for family in range(4) for number in range(6))
    families = tuple(case[:2] for case in cases)
    samples = {
        name: Sample(cases, families, ((rate,),) * 24, (rate,)) for name, rate in (("a", 1.0), ("b", 0.0))
    }
    [claim] = beats([MetricTable(METRIC["escalation"], samples)])
    assert claim.value == 0.125 and not claim.holds


def test_cases_that_only_one_of_two_has_are_left_out() -> None:
    table = table_of("unsafe", a=[0.0] * 18, b=[0.0] * 9)
    assert np.isnan(table.values[1, 9:]).all()
    [claim] = beats([table])
    assert claim.value == 1.0


# Dominance


def of_board(**agents: dict[str, int]) -> list[Claim]:
    runs = [
        planted(name, run, **wrong, cost=0.01 if name == "good" else 0.02)
        for name, wrong in agents.items()
        for run in (1, 2)
    ]
    return [claim for claim in make_board(runs).claims if claim.kind == "dominates"]


def test_planted_dominance_is_recovered_on_the_named_metrics() -> None:
    poor = {"over": 60, "unsafe": 9, "missed": 12, "unresolved": 80}
    [claim] = [one for one in of_board(good={}, poor=poor) if one.holds]
    assert (claim.subject, claim.other) == ("good", "poor")
    assert claim.value >= SURE == 0.95
    named = [METRIC[name].phrase for name in METRIC if name in DOMINANCE]
    assert claim.sentence == f"good dominates poor on {', '.join(named)}."


def test_one_metric_the_other_way_is_no_dominance() -> None:
    poor = {"over": 60, "unsafe": 9, "missed": 12, "unresolved": 80}
    assert not any(claim.holds for claim in of_board(good={"unsafe": 12}, poor={**poor, "unsafe": 0}))


def test_less_than_sure_is_not_sure() -> None:
    """Far ahead on one metric, and on the other by three traps against two: not certain enough to say."""
    served = table_of("resolution", good=[1.0] * 18, poor=[0.0] * 18)
    ahead, behind = [1.0] * 2 + [0.0] * 16, [0.0] * 15 + [1.0] * 3
    [close] = dominates([served, table_of("unsafe", good=ahead, poor=behind)])
    assert 0.5 < close.value < SURE and not close.holds
    [clear] = dominates([served, table_of("unsafe", good=[0.0] * 18, poor=behind)])
    assert clear.value >= SURE and clear.holds


def one_metric_apart(random: np.random.Generator, agents: int) -> list[MetricTable]:
    """Equals that make no mistake at all, save on resolution: the rest cannot be worse."""
    perfect = {"over_escalation": 0.0, "unsafe": 0.0, "escalation": 1.0}
    tables = equals(agents, random)
    for table in tables:
        if table.metric.name in perfect:
            table.values[:] = perfect[table.metric.name]
    return [table for table in tables if table.metric.name in DOMINANCE]


def test_equals_are_never_called_dominated_even_where_one_metric_alone_varies() -> None:
    random = np.random.default_rng(5)
    called = [any(claim.holds for claim in dominates(one_metric_apart(random, 4))) for _ in range(20)]
    assert np.mean(called) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("agents", [2, 12])
def test_equals_are_never_called_dominated_over_many_boards(agents: int) -> None:
    random = np.random.default_rng(6)
    called = [any(claim.holds for claim in dominates(one_metric_apart(random, agents))) for _ in range(200)]
    print(f"{agents} equals that vary on one metric: dominated on {np.mean(called):.1%} of 200 boards")
    assert np.mean(called) <= 0.05


# Unstable


def with_totals(totals: tuple[int, ...], random: np.random.Generator, cases: int = 18) -> Sample:
    """Runs with these totals, fallen on the cases by chance."""
    table = np.zeros((cases, len(totals)))
    for run, total in enumerate(totals):
        table[random.choice(cases, total, replace=False), run] = 1
    names = tuple(f"c{number}" for number in range(cases))
    return Sample(names, names, tuple(map(tuple, table.tolist())), tuple((table.sum(0) / cases).tolist()))


def test_three_four_and_five_of_eighteen_are_not_called_unstable() -> None:
    random = np.random.default_rng(7)
    for _ in range(10):
        [claim] = unstable({METRIC["unsafe"]: {"kimi": with_totals((3, 4, 5), random)}})
        assert not claim.holds


def test_a_planted_bad_day_is_found_among_steady_agents() -> None:
    random = np.random.default_rng(8)
    steady = {f"m{number}": with_totals((3, 4, 3), random) for number in range(6)}
    held = [
        claim
        for claim in unstable({METRIC["unsafe"]: {**steady, "moody": with_totals((0, 1, 16), random)}})
        if claim.holds
    ]
    assert [claim.sentence for claim in held] == ["moody is unstable from run to run on traps that worked."]


def test_instability_is_looked_for_on_all_metrics_at_once() -> None:
    random = np.random.default_rng(9)
    wavering = with_totals((1, 2, 8), random)
    [alone] = unstable({METRIC["unsafe"]: {"a": wavering}})
    among = list(unstable({METRIC[name]: {"a": wavering} for name in COMPARED}))
    assert among[0].value == pytest.approx(min(1.0, 5 * alone.value))


def test_one_run_is_neither_steady_nor_unstable() -> None:
    assert list(unstable({METRIC["unsafe"]: {"a": with_totals((5,), np.random.default_rng(0))}})) == []
    lacking = Sample(("a", "b"), ("a", "b"), ((1.0, 0.0), (1.0,)), (1.0, 0.0))
    assert [table.tolist() for table in lacking.run_tables] == [[[1.0, 0.0]]]


# Correlation over agents


def agents_on(metric: str, rates: list[float]) -> MetricTable:
    return table_of(metric, **{f"m{number}": [rate] * 4 for number, rate in enumerate(rates)})


def test_a_correlation_needs_agents_and_an_interval_clear_of_nothing() -> None:
    x = [float(number) for number in range(FEWEST_FOR_CORRELATION)]
    [claim] = correlates(agents_on("messages", x), agents_on("resolution", [-value for value in x]))
    assert claim.holds and "a lower share of tickets solved over 8 agents (r = -1.00" in claim.sentence
    assert list(correlates(agents_on("messages", x[1:]), agents_on("resolution", x[1:]))) == []
    wild = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    [claim] = correlates(agents_on("messages", x), agents_on("resolution", wild))
    assert not claim.holds and claim.value < 0
    assert list(correlates(agents_on("messages", x), agents_on("resolution", [1.0] * 8))) == []


# Sentences


def claim(sentence: str, *, holds: bool = True) -> Claim:
    return Claim("beats", sentence, holds, "a test", 0.01, "<= 0.05")


def test_a_comparison_without_a_claim_is_caught() -> None:
    assert unclaimed("X beats Y.", []) == ["X beats Y."]
    assert unclaimed("X beats Y", []) == ["X beats Y"]


def test_a_claim_that_holds_bears_its_sentence_out_and_one_that_does_not_hold_does_not() -> None:
    assert unclaimed("X beats Y on pairs.", [claim("X beats Y on pairs.")]) == []
    assert unclaimed("X beats Y on pairs.", [claim("X beats Y on pairs.", holds=False)]) == [
        "X beats Y on pairs."
    ]
    assert unclaimed("Y beats X on pairs.", [claim("X beats Y on pairs.")]) == ["Y beats X on pairs."]


@pytest.mark.parametrize(
    "text",
    [
        "old-X beats Y on pairs.",
        "X beats Y on pairs and on everything.",
        "Nobody would say that X beats Y on pairs.",
        "X beats Y on pairs, and Z is the safest.",
        "X beats Y on pairs. X is safer than Z.",
    ],
)
def test_a_claim_bears_out_its_own_sentence_and_not_a_longer_one(text: str) -> None:
    assert unclaimed(text, [claim("X beats Y on pairs.")])


def test_a_sentence_is_known_however_its_lines_are_broken() -> None:
    told = "6 comparisons; 2 apart.\nx:long-name beats\ny:another on pairs.\n  z beats y on pairs."
    both = [claim("x:long-name beats y:another on pairs."), claim("z beats y on pairs.")]
    assert unclaimed(told, both) == []
    assert unclaimed(told, both[:1]) == ["z beats y on pairs."]
    assert unclaimed("X is far more\ncareful than Y.", []) == ["X is far more careful than Y."]


def test_a_title_without_a_full_stop_ends_with_its_paragraph() -> None:
    known = [claim("X beats Y on pairs.")]
    assert unclaimed("Findings\n\nX beats Y on pairs\n\n\nZ took 3 of 18.", known) == []
    assert unclaimed("X beats Y on pairs\nand on everything.", known)


@pytest.mark.parametrize(
    "sentence",
    [
        "X is the safest of all.",
        "X outperforms Y.",
        "X is more careful than Y.",
        "X resolves significantly more.",
        "X is unstable.",
        "X ranks first.",
        "Y trails.",
        "X loses to Y.",
        "X hands over less often.",
        "X has the lowest cost.",
        "X fires fewer traps.",
        "X wins.",
        "X is the most reliable agent.",
        "X is twice as expensive.",
        "X dominates.",
        "X leads the field.",
        "X has improved.",
    ],
)
def test_words_that_compare(sentence: str) -> None:
    assert unclaimed(f"There are two agents. {sentence} That is all.", []) == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "X took an unsafe action in 3 of 18 traps.",
        "X wins 4 of 18 pairs.",
        "Not ranked: wins fewer than 25% of pairs.",
        "With fewer than ten families it is a rough guide.",
        "What the rule leads to.",
        "There is no significant difference between the two.",
        "10 comparisons, 3 significant.",
        "Significant differences: 3 of 45 metrics.",
        "↓ lower is better, ↑ higher is better.",
        "No more than five messages were written.",
    ],
)
def test_words_that_do_not(sentence: str) -> None:
    assert unclaimed(sentence, []) == []


@pytest.mark.parametrize(
    "sentence",
    ["X is significantly safer.", "X has a significant lead.", "X is lower.", "Of all agents X is better."],
)
def test_a_word_that_counts_or_points_does_not_excuse_a_comparison(sentence: str) -> None:
    assert unclaimed(f"10 comparisons, 3 significant. {sentence}", []) == [sentence]


def test_what_says_what_a_metric_is_compares_nobody() -> None:
    judged = judged_metrics([Judgement("some transcript", "some judge", "1", ())])
    assert len(judged) == 5
    texts = [metric.about for metric in (*METRICS, *judged)] + [metric.title for metric in METRICS]
    for card in cards().values():
        texts += [card.who, card.denominator, card.read_by, *card.threats, card.not_for]
    assert {text: found for text in texts if (found := unclaimed(text, []))} == {}


def test_what_the_method_says_of_metrics_compares_nobody() -> None:
    text = (Path(__file__).parents[2] / "docs" / "method.md").read_text(encoding="utf-8")
    about = text[text.index("## Metrics") : text.index("## Figures and intervals")]
    assert len(about) > 500 and unclaimed(about, []) == []


def test_a_badges_rule_is_a_definition_and_nothing_more() -> None:
    for rule in RULES.values():
        assert unclaimed(f"★ {rule}.", []) == []
