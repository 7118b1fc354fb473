"""Judges against each other: what is counted, what is set aside, and what no mean would show."""

from random import Random

import msgspec
import numpy as np
import pytest

from judgements import Errs, entrants, errs, judged_by, opinions_of, truth_of
from supportagentbench.judges.agreement import (
    Agreement,
    Drift,
    Item,
    Judged,
    Source,
    agreement,
    series_of,
    votes,
)
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.record import from_json, to_json
from supportagentbench.stats.agreement import Confusion

RULES = ("A1", "A2")
EVERYTHING = (*RULES, "resolution", "sentiment")
TALKS = {name: Source(name, "agent", "", name, "family") for name in ("t1", "t2", "t3", "t4")}


def said(judge: str, *words: str, criterion: str = "resolution", sample: int = 0) -> list[Judgement]:
    """What a judge says of the conversations t1, t2 …: yes, no, or nothing."""
    met = {"yes": True, "no": False, "nothing": None}
    return [
        Judgement(f"t{number}", judge, "v", (Opinion(criterion, met[word]),), sample=sample)
        for number, word in enumerate(words, start=1)
    ]


# What is counted.


def test_two_judges_are_held_against_each_other_on_what_both_decided() -> None:
    one = said("one", "yes", "yes", "no", "nothing")
    other = said("other", "yes", "no", "no", "yes")
    [pair] = agreement(Judged(TALKS, one + other)).pairs
    [found] = pair.kinds
    assert (pair.first, pair.second, found.kind) == ("one", "other", "resolution")
    assert found.counts == Confusion(both=1, first_only=1, second_only=0, neither=1)
    assert found.agreed == pytest.approx(2 / 3)
    assert found.kappa == pytest.approx(0.4)
    assert found.found_by_second and (found.found_by_second.k, found.found_by_second.n) == (1, 1)
    assert found.found_by_first and (found.found_by_first.k, found.found_by_first.n) == (1, 2)


def test_rule_by_rule_and_all_rules_together() -> None:
    sources = entrants({"a": ""}, families=4)
    truth = truth_of(sources, {"a": 0.5}, EVERYTHING)
    [pair] = agreement(judged_by(sources, truth, {"m": errs(1, 1), "rules": errs(1, 1)})).pairs
    assert [kind.kind for kind in pair.kinds] == ["resolution", "adherence", "sentiment", "A1", "A2"]
    assert [kind.counts.items for kind in pair.kinds] == [12, 24, 12, 12, 12]
    assert pair.of("A1") and pair.of("Z9") is None


def test_every_pair_once_and_rules_last() -> None:
    judgements = said("rules", "yes", "no") + said("m1", "yes", "no") + said("m2", "no", "no")
    found = agreement(Judged(TALKS, judgements))
    assert [one.judge for one in found.judges] == ["m1", "m2", "rules"]
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("m1", "m2"),
        ("m1", "rules"),
        ("m2", "rules"),
    ]


def test_judging_again_tells_how_steady_a_judge_is_and_nothing_else() -> None:
    first, again = said("m", "yes", "yes", "no", "no"), said("m", "no", "yes", "no", "no", sample=1)
    rules = said("rules", "yes", "yes", "no", "no")
    found = agreement(Judged(TALKS, first + again + rules))
    assert found.pairs[0].kinds[0].agreed == 1
    assert (found.judges[0].flips.flips, found.judges[0].flips.pairs) == (1, 4)
    assert (found.judges[0].conversations, found.judges[1].flips.rate) == (4, None)


def test_what_is_void_and_what_could_not_be_told_are_counted_apart() -> None:
    opinions = Opinion("A1", None, void="not_found"), Opinion("A2", None), Opinion("A3", True)
    [one] = agreement(Judged(TALKS, [Judgement("t1", "m", "v", opinions)])).judges
    assert (one.opinions, one.void, one.untold) == (3, 1, 1)


def test_what_speaks_of_no_known_conversation_is_left_out() -> None:
    stray = Judgement("elsewhere", "m", "v", (Opinion("resolution", False),))
    [one] = agreement(Judged(TALKS, [*said("m", "yes"), stray])).judges
    assert one.conversations == 1


def test_it_comes_back_from_a_file_as_it_was() -> None:
    sources = entrants({"a": "x", "b": "y"}, families=4)
    truth = truth_of(sources, {"a": 0.5, "b": 0.7}, EVERYTHING)
    found = agreement(judged_by(sources, truth, {"m": errs(0.9, 0.9), "rules": errs(1, 1)}))
    assert from_json(to_json(found), Agreement) == found


# Versions.


def test_two_versions_of_a_judge_are_never_mixed() -> None:
    new = [msgspec.structs.replace(one, version="w") for one in said("m", "no", "no")]
    judged = Judged(TALKS, said("m", "yes", "yes", "yes") + new)
    [most] = series_of(judged)
    assert (most.version, len(most.judgements), most.set_aside) == ("v", 3, {"w": 2})
    assert set(most.verdicts().values()) == {True}
    [asked] = series_of(judged, {"m": "w"})
    assert (asked.version, asked.set_aside, set(asked.verdicts().values())) == ("w", {"v": 3}, {False})
    [one] = agreement(judged).judges
    assert one.set_aside == {"w": 2}


# What no mean would show.


def test_a_shuffled_judge_with_the_right_mean_is_exposed() -> None:
    sources = entrants({"a": "", "b": ""}, families=40, cases=4, runs=2)
    truth = truth_of(sources, {"a": 0.95, "b": 0.95}, ("resolution",))
    verdicts = list(truth.values())
    Random(2).shuffle(verdicts)
    shuffled = dict(zip(truth, verdicts, strict=True))
    judges: dict[str, Errs] = {"shuffled": lambda item, _: shuffled[item], "rules": lambda _, met: met}
    [pair] = agreement(judged_by(sources, truth, judges)).pairs
    found, recall = pair.kinds[0], pair.kinds[0].found_by_first
    assert found.counts.first_only == found.counts.second_only
    assert found.agreed > 0.85 and found.ac1 > 0.85
    assert found.kappa is not None and abs(found.kappa) < 0.1
    assert recall is not None and recall.high < 0.4


def test_noes_that_come_in_one_family_are_no_many_noes() -> None:
    def noes(families: int) -> float:
        sources = entrants({"a": ""}, families=families, cases=60 // families)
        truth = truth_of(sources, {"a": 0.0}, ("resolution",))

        def every_other(item: Item, met: bool) -> bool:
            return int(sources[item[0]].family[1:]) % 2 == 0

        [pair] = agreement(judged_by(sources, truth, {"m": every_other, "rules": errs(1, 1)})).pairs
        found = pair.kinds[0].found_by_first
        assert found is not None and found.k / found.n == 0.5
        return found.high - found.low

    assert noes(4) > 1.5 * noes(30)


# Whom they favour.

VENDORS = {"a1": "alpha", "a2": "alpha", "b1": "beta", "b2": "beta", "c1": "gamma", "c2": "gamma"}


def favours(judged: Judged) -> list[Drift]:
    return [drift for pair in agreement(judged).pairs for drift in pair.drifts if drift.is_favour]


@pytest.mark.parametrize(("criteria", "runs"), [(("resolution",), 8), (RULES, 4)])
def test_five_points_for_ones_own_vendor_are_detected(criteria: tuple[str, ...], runs: int) -> None:
    """A judge that lets pass what it saw, in one vendor's conversations, often enough for five points."""
    sources = entrants(VENDORS, families=40, cases=4, runs=runs)
    truth = truth_of(sources, dict.fromkeys(VENDORS, 0.8), criteria)
    random, honest = Random(3), errs(0.95, 0.9)

    def biased(item: Item, met: bool) -> bool:
        seen = bool(honest(item, met))
        return seen or (sources[item[0]].vendor == "beta" and random.random() < 0.05 / 0.22)

    judged = judged_by(sources, truth, {"biased": biased, "honest": errs(0.95, 0.9, seed=5)})
    vendors = {drift.entrant: drift for drift in agreement(judged).pairs[0].drifts if drift.level == "vendor"}
    beta = vendors["beta"]
    assert beta.first - beta.second == pytest.approx(0.05, abs=0.02)
    assert beta.gap.low <= 0.05 <= beta.gap.high
    assert beta.is_favour and beta.beyond and beta.beyond.difference > 0.02
    for other in ("alpha", "gamma"):
        assert vendors[other].gap.low <= 0 <= vendors[other].gap.high
        assert not (found := vendors[other].beyond) or found.difference < 0


def test_honest_judges_favour_nobody_however_unlike_the_entrants_are() -> None:
    """Errors pull the best down and the worst up; that is no favour, and is not called one."""
    rates = dict(zip(VENDORS, (0.98, 0.9, 0.7, 0.5, 0.3, 0.1), strict=True))
    sources, claims = entrants(VENDORS, families=30, cases=3), 0
    for seed in range(8):
        truth = truth_of(sources, rates, ("resolution",), seed)
        judges = {"good": errs(0.97, 0.95, seed), "poor": errs(0.8, 0.75, seed + 100), "rules": errs(1, 1)}
        judged = judged_by(sources, truth, judges)
        gaps = [drift.gap for drift in agreement(judged).pairs[0].drifts if drift.entrant in ("a1", "c2")]
        assert gaps[0].low > 0 > gaps[1].high, "they do drift"
        claims += bool(favours(judged))
    assert claims <= 1


def test_who_stands_alone_is_compared_with_nobody() -> None:
    sources = entrants({"a": ""})
    truth = truth_of(sources, {"a": 0.8}, ("resolution",))
    [pair] = agreement(judged_by(sources, truth, {"m": errs(0.9, 0.9), "rules": errs(1, 1)})).pairs
    assert [drift.beyond for drift in pair.drifts] == [None, None]


# All together.


def test_judges_that_say_the_same_are_one_vote_and_independent_ones_are_many() -> None:
    sources = entrants({"a": ""}, families=100)
    truth = truth_of(sources, {"a": 0.5}, ("resolution",))
    coins = {f"coin{seed}": errs(0.5, 0.5, seed) for seed in range(3)}
    [apart] = agreement(judged_by(sources, truth, coins)).together
    assert apart.votes == pytest.approx(3, abs=0.35) and apart.alpha == pytest.approx(0, abs=0.1)
    [alike] = agreement(judged_by(sources, truth, {name: errs(1, 1) for name in coins})).together
    assert (alike.judges, alike.items) == (3, 300)
    assert alike.votes == pytest.approx(1) and alike.alpha == pytest.approx(1)


def test_how_many_votes_is_unknown_where_one_never_varies() -> None:
    sources = entrants({"a": ""})
    truth = truth_of(sources, {"a": 0.5}, ("resolution",))
    [found] = agreement(judged_by(sources, truth, {"m": errs(1, 0), "rules": errs(1, 1)})).together
    assert found.votes is None


def test_kishs_number_on_a_worked_example() -> None:
    """Two judges whose verdicts correlate by a half are worth 2 / 1.5 votes."""
    one, other = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    assert votes(np.array([one, other])) == pytest.approx(2 / 1.5)


def test_one_judge_alone_agrees_with_nobody() -> None:
    found = agreement(Judged(TALKS, opinions_of("m", {("t1", "A1"): True}, errs(1, 1))))
    assert (found.pairs, found.together) == ((), ())
