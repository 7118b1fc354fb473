"""Judges against people: planted errors are recovered, corrected figures cover the truth, or are refused."""

from collections.abc import Mapping, Sequence
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgements import Errs, entrants, errs, judged_by, opinions_of, truth_of
from supportagentbench.judges.agreement import Item, Judged, series_of
from supportagentbench.judges.labelling import draw
from supportagentbench.judges.people import (
    TOO_FEW,
    TOO_WEAK,
    Calibration,
    LabelledCell,
    calibrate,
    calibration_note,
    found_share,
    majority,
    trials_behind,
)
from supportagentbench.records.record import from_json, to_json
from supportagentbench.stats.correction import Corrected
from supportagentbench.stats.rates import wilson

AGENTS = {"good": "alpha", "fair": "beta", "poor": "beta"}
RATES = {"good": 0.9, "fair": 0.75, "poor": 0.5}
EVERYTHING = ("A1", "A2", "resolution", "sentiment")
NOBODY: Errs = lambda item, met: met  # noqa: E731


def labelled(
    judged: Judged, truth: Mapping[Item, bool], people: Mapping[str, Errs], items: int, seed: int = 0
) -> Calibration:
    """The whole path: draw by the judge `m`, let people label what was drawn, and calibrate."""
    by = next(one for one in series_of(judged) if one.judge == "m")
    drawn = {(row.source, row.criterion) for row in draw(judged, by, items, seed).items}
    asked = {item: met for item, met in truth.items() if item in drawn}
    given = [one for name, errs in people.items() for one in opinions_of(name, asked, errs)]
    return calibrate(judged, given, "m", "v")


def test_planted_errors_of_a_judge_are_recovered_and_its_figures_put_right() -> None:
    sources = entrants(AGENTS, families=40, cases=4, runs=3)
    truth = truth_of(sources, RATES, EVERYTHING)
    judged = judged_by(sources, truth, {"m": errs(0.95, 0.8), "rules": errs(0.9, 0.9, seed=2)})
    people = {name: errs(0.98, 0.98, seed) for seed, name in enumerate(("anna", "bert", "carl"), start=10)}
    found = labelled(judged, truth, people, items=900)
    assert (found.drawn_by, found.annotators, found.tied) == ("m", ("anna", "bert", "carl"), 0)
    assert found.labels == 900
    model, rules = found.judges
    for judge, sensitivity, specificity in ((model, 0.95, 0.8), (rules, 0.9, 0.9)):
        for metric in ("resolution", "adherence", "sentiment"):
            skill = judge.skill(metric)
            assert skill and skill.sensitivity and skill.specificity
            assert skill.sensitivity.low - 0.02 < sensitivity < skill.sensitivity.high + 0.02
            assert skill.specificity.low - 0.02 < specificity < skill.specificity.high + 0.02
    for figure in (figure for figure in model.figures if figure.agent):
        assert isinstance(figure.rogan_gladen, Corrected)
        assert figure.rogan_gladen.low - 0.02 < RATES[figure.agent] < figure.rogan_gladen.high + 0.02
        assert abs(figure.rogan_gladen.rate - RATES[figure.agent]) < 0.1
    poor = next(one for one in model.figures if (one.metric, one.agent) == ("resolution", "poor"))
    assert poor.raw.low > RATES["poor"], "uncorrected it would be wrong"
    assert [pair.kinds[0].agreed > 0.9 for pair in found.among] == [True] * 3
    assert model.alt_test and model.alt_test.annotators == 3
    assert from_json(to_json(found), Calibration) == found


def test_corrected_figures_cover_the_truth() -> None:
    """Of an honest simulation, Rogan–Gladen for the rate behind, PPI for these very conversations."""
    sources = entrants({"a": "", "b": ""}, families=30, cases=4, runs=2)
    rates, rounds = {"a": 0.85, "b": 0.6}, 100
    tried, gladen, ppi = 0, 0, 0
    for seed in range(rounds):
        truth = truth_of(sources, rates, ("resolution",), seed)
        judged = judged_by(sources, truth, {"m": errs(0.93, 0.8, seed + 1000)})
        found = labelled(judged, truth, {"anna": NOBODY}, items=200, seed=seed)
        for figure in found.judges[0].figures:
            if figure.agent:
                assert isinstance(figure.rogan_gladen, Corrected)
                gladen += figure.rogan_gladen.low <= rates[figure.agent] <= figure.rogan_gladen.high
                tried += 1
            if not figure.agent:
                assert isinstance(figure.powered, Corrected)
                here = sum(truth.values()) / len(truth)
                ppi += figure.powered.low <= here <= figure.powered.high
    assert gladen / tried >= 0.93
    assert ppi / rounds >= 0.93


def test_raw_counts_of_a_stratified_sample_would_be_far_off() -> None:
    """Noes are drawn as often as yeses, so unweighted the judge seems to miss many yeses."""
    sources = entrants({"a": ""}, families=40, cases=5, runs=4)
    truth = truth_of(sources, {"a": 0.9}, ("resolution",))
    judged = judged_by(sources, truth, {"m": errs(0.9, 0.9)})
    [model] = labelled(judged, truth, {"anna": NOBODY}, items=66).judges
    skill = model.skill("resolution")
    assert skill and skill.sensitivity
    naive = skill.counts.both / (skill.counts.both + skill.counts.first_only)
    assert naive < 0.8 < 0.86 < skill.sensitivity.rate < 0.94


def test_a_judge_is_weighed_right_by_a_sample_that_another_was_drawn_by() -> None:
    sources = entrants({"a": ""}, families=40, cases=5, runs=4)
    found = []
    for seed in range(12):
        truth = truth_of(sources, {"a": 0.85}, ("resolution",), seed)
        judges = {"m": errs(0.95, 0.9, seed), "other": errs(0.85, 0.8, seed + 50)}
        calibration = labelled(
            judged_by(sources, truth, judges), truth, {"anna": NOBODY}, items=100, seed=seed
        )
        skill = calibration.judges[1].skill("resolution")
        assert skill and skill.sensitivity and skill.specificity
        found.append((skill.sensitivity.rate, skill.specificity.rate))
    sensitivity, specificity = (sum(part) / len(part) for part in zip(*found, strict=True))
    assert (round(sensitivity - 0.85, 1), round(specificity - 0.8, 1)) == (0, 0)


def test_judges_that_err_together_are_one_vote_however_right_they_are() -> None:
    sources = entrants({"a": ""}, families=40, cases=5)
    truth = truth_of(sources, {"a": 0.7}, ("resolution",))
    apart = labelled(
        judged_by(sources, truth, {"m": errs(0.8, 0.8), "other": errs(0.8, 0.8, seed=2)}),
        truth,
        {"anna": NOBODY},
        items=200,
    )
    alike = labelled(
        judged_by(sources, truth, {"m": errs(0.8, 0.8), "other": errs(0.8, 0.8)}),
        truth,
        {"anna": NOBODY},
        items=200,
    )
    assert apart.votes and apart.votes > 1.7
    assert alike.votes == pytest.approx(1)


# Refusals.


def figures(judge: Errs, items: int, rate: float = 0.7) -> Sequence[tuple[Corrected | str, Corrected | str]]:
    sources = entrants({"a": ""}, families=30, cases=4, runs=2)
    truth = truth_of(sources, {"a": rate}, ("resolution",))
    found = labelled(judged_by(sources, truth, {"m": judge}), truth, {"anna": NOBODY}, items)
    return [(figure.rogan_gladen, figure.powered) for figure in found.judges[0].figures]


def test_few_labels_are_refused() -> None:
    assert figures(errs(0.9, 0.8), items=40) == [(TOO_FEW, TOO_FEW)] * 2
    assert not any(isinstance(one, str) for pair in figures(errs(0.9, 0.8), items=200) for one in pair)


def test_a_judge_that_hardly_beats_a_coin_is_refused_where_it_would_have_to_be_trusted() -> None:
    for gladen, ppi in figures(errs(0.55, 0.5), items=200):
        assert gladen == TOO_WEAK
        assert isinstance(ppi, Corrected) and ppi.low < 0.7 < ppi.high


def test_a_judge_that_says_yes_to_everything_is_too_weak() -> None:
    [(gladen, ppi), _] = figures(errs(1, 0), items=200)
    assert gladen == TOO_WEAK and isinstance(ppi, Corrected)


def test_a_stratum_of_which_everything_was_labelled_does_no_harm() -> None:
    [(_, ppi), _] = figures(errs(0.9, 0.8), items=240)
    assert isinstance(ppi, Corrected) and ppi.low < 0.7 < ppi.high


# What people say.


def test_most_people_decide_and_a_tie_is_no_label() -> None:
    one, other, third = ("t", "A1"), ("t", "A2"), ("t", "A3")
    labels, tied = majority([{one: True, other: True}, {one: True, other: False}, {one: False, third: False}])
    assert (labels, tied) == ({one: True, third: False}, {other})


def test_unclear_and_tied_items_are_counted_and_carry_no_label() -> None:
    sources = entrants({"a": ""}, families=4)
    truth = truth_of(sources, {"a": 0.5}, ("resolution",))
    judged, items = judged_by(sources, truth, {"m": errs(1, 1)}), list(truth)
    unclear, tied = items[:2]
    people = [
        *opinions_of("anna", truth, lambda item, met: None if item == unclear else met),
        *opinions_of("bert", {tied: truth[tied]}, lambda item, met: not met),
    ]
    found = calibrate(judged, people, "m", "v")
    assert (found.labels, found.unclear, found.tied) == (len(items) - 2, 1, 1)


def test_what_the_board_does_not_count_is_no_part_of_any_figure() -> None:
    """Twins of traps, and whether a case was resolved that could not be."""
    sources = entrants({"a": ""}, families=4)
    twin, trap, *_ = sources.values()
    marked = sources | {
        twin.name: msgspec.structs.replace(twin, is_twin=True),
        trap.name: msgspec.structs.replace(trap, bucket="adversarial"),
    }
    truth = truth_of(marked, {"a": 0.5}, ("resolution", "sentiment"))
    people = opinions_of("anna", truth, NOBODY)
    found = calibrate(judged_by(marked, truth, {"m": errs(1, 1)}), people, "m", "v")
    items = {(figure.metric, figure.items) for figure in found.judges[0].figures}
    assert items == {("resolution", 10), ("sentiment", 11)}
    assert found.labels == 21


# The arithmetic.


def test_the_share_found_is_the_plain_one_where_everything_is_labelled() -> None:
    found = found_share([LabelledCell(True, 60, 60, 54), LabelledCell(False, 40, 40, 6)])
    assert found is not None
    assert (found.rate, found.labels) == (54 / 60, 60)
    assert found.low < 54 / 60 < found.high


def test_each_label_counts_for_as_many_items_as_it_stands_for() -> None:
    found = found_share([LabelledCell(True, 900, 30, 27), LabelledCell(False, 100, 30, 6)])
    assert found is not None and found.rate == pytest.approx(810 / 830)


def test_no_miss_among_few_labels_is_not_no_miss() -> None:
    """Of 950 that were read as no, 33 are labelled and none is a yes; any of the others may be."""
    found = found_share([LabelledCell(True, 50, 33, 30), LabelledCell(False, 950, 33, 0)])
    assert found is not None
    assert found.rate == 1 and found.low < 0.7
    assert found.worth == pytest.approx(2.9, abs=0.2)


def test_a_cell_without_labels_is_wholly_open() -> None:
    known = found_share([LabelledCell(True, 90, 30, 27), LabelledCell(False, 90, 30, 6)])
    small = found_share(
        [LabelledCell(True, 90, 30, 27), LabelledCell(False, 90, 30, 6), LabelledCell(False, 2, 0, 0)]
    )
    large = found_share(
        [LabelledCell(True, 90, 30, 27), LabelledCell(False, 90, 30, 6), LabelledCell(False, 90, 0, 0)]
    )
    assert known and small and large
    assert abs(small.rate - known.rate) < 0.02 and small.worth > 0.8 * known.worth
    assert large.worth < 0.5 * known.worth
    assert found_share([LabelledCell(True, 90, 30, 0), LabelledCell(False, 90, 30, 0)]) is None


def test_intervals_of_the_share_found_hold_where_noes_are_rare() -> None:
    random, covered, rounds = Random(4), 0, 400
    for _ in range(rounds):
        truth = [random.random() < 0.1 for _ in range(1500)]
        read = [random.random() < (0.8 if yes else 0.03) for yes in truth]
        cells = []
        for said in (True, False):
            whose = [yes for yes, one in zip(truth, read, strict=True) if one == said]
            drawn = random.sample(whose, 60)
            cells.append(LabelledCell(said, len(whose), 60, sum(drawn)))
        found = found_share(cells)
        assert found is not None
        covered += found.low <= 0.8 <= found.high
    assert covered / rounds >= 0.93


@given(st.integers(0, 40), st.integers(1, 4000))
def test_trials_behind_an_interval_are_those_it_was_made_from(eighth: int, trials: int) -> None:
    rate = eighth / 40
    assert trials_behind(Corrected(rate, *wilson(rate, trials))) == pytest.approx(trials, rel=1e-6)


# What the board says.


def test_without_labels_every_judged_figure_is_called_uncalibrated() -> None:
    assert calibration_note(None, "m", "resolution").startswith("uncalibrated")
    sources = entrants(AGENTS, families=30)
    truth = truth_of(sources, RATES, EVERYTHING)
    judged = judged_by(sources, truth, {"m": errs(0.9, 0.9)})
    nothing = calibrate(judged, [], "m", "v")
    assert (nothing.labels, nothing.judges[0].skills) == (0, ())
    few = labelled(judged, truth, {"anna": NOBODY}, items=30)
    for calibration in (nothing, few):
        for metric in ("resolution", "adherence", "sentiment"):
            assert calibration_note(calibration, "m", metric).startswith("uncalibrated")
    assert calibration_note(few, "somebody else", "resolution").startswith("uncalibrated")


def test_with_labels_it_says_how_good_the_judge_is() -> None:
    sources = entrants(AGENTS, families=30)
    truth = truth_of(sources, RATES, EVERYTHING)
    people = {"anna": NOBODY, "bert": NOBODY}
    good = labelled(judged_by(sources, truth, {"m": errs(0.9, 0.9)}), truth, people, items=300)
    note = calibration_note(good, "m", "resolution")
    assert note.startswith("100 labels by 2 people: finds ") and "coin" not in note
    coin = labelled(judged_by(sources, truth, {"m": errs(0.5, 0.5)}), truth, people, items=300)
    assert calibration_note(coin, "m", "resolution").endswith("hardly better than a coin")
