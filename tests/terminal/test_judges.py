"""Judges as they are read in a terminal of 80 columns."""

import io
import re
from random import Random

import msgspec
import pytest
from rich.console import Console, RenderableType

from judgements import Errs, entrants, errs, judged_by, opinions_of, truth_of
from supportagentbench.judges.agreement import Item, Judged, agreement
from supportagentbench.judges.people import Calibration, calibrate
from supportagentbench.terminal.judges import WORST_RULES, agreement_report, calibration_report

AGENTS = {"openai:gpt-9-with-a-rather-long-name": "gpt", "b": "claude", "c": "claude", "[/red]": ""}
RULES = tuple(f"A{number}" for number in range(1, 9))


@pytest.fixture(scope="module")
def judged() -> Judged:
    """Two models, one of which is kinder to one vendor, and the judge that is code."""
    sources = entrants(AGENTS, families=30, cases=4, runs=2)
    truth = truth_of(sources, dict.fromkeys(AGENTS, 0.8), (*RULES, "resolution", "sentiment"))
    random, honest = Random(1), errs(0.95, 0.9)

    def biased(item: Item, met: bool) -> bool | None:
        seen = honest(item, met)
        return seen or (sources[item[0]].vendor == "claude" and random.random() < 0.4)

    rules: Errs = lambda item, met: None if random.random() < 0.1 else met  # noqa: E731
    judges = {"anthropic:claude-x": biased, "gemini:pro": errs(0.9, 0.9, seed=4), "rules": rules}
    return judged_by(sources, truth, judges)


def shown(report: RenderableType) -> str:
    console = Console(width=80, file=io.StringIO(), color_system=None)
    console.print(report)
    assert isinstance(console.file, io.StringIO)
    text = "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())
    assert max(map(len, text.splitlines())) <= 80
    return text


def calibrated(judged: Judged, annotators: int, every: int) -> Calibration:
    sources = {name: one for at, (name, one) in enumerate(judged.sources.items()) if at % every == 0}
    rates = dict.fromkeys(AGENTS, 0.8)
    truth = truth_of(judged.sources, rates, (*RULES, "resolution", "sentiment"))
    asked = {item: met for item, met in truth.items() if item[0] in sources}
    people = [
        one
        for seed, name in enumerate(("anna", "bert", "carl")[:annotators])
        for one in opinions_of(name, asked, errs(0.97, 0.97, seed))
    ]
    return calibrate(judged, people, "anthropic:claude-x", "v")


def test_every_judge_every_pair_and_all_together(judged: Judged) -> None:
    text = shown(agreement_report(agreement(judged)))
    titles = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert titles == [
        "Judges",
        "anthropic:claude-x and gemini:pro",
        "anthropic:claude-x and rules",
        "gemini:pro and rules",
        "Together",
    ]
    for words in (
        "judge               convs  opinions  void  undecided  flips",
        "items  yes yes  yes no  no yes  no no  same  kappa   AC1",
        "not met     first's, found by second  second's, found by first",
        "The most frequent of 8 rules on which they disagree.",
        "anthropic:claude-x favours the vendor claude: adherence +",
        "Neither judge favours an agent or a model family",
    ):
        assert words in text, words
    assert len(re.findall(r"^  A\d  ", text, re.MULTILINE)) == 3 * WORST_RULES


def test_other_versions_are_named_as_not_used(judged: Judged) -> None:
    old = [msgspec.structs.replace(one, version="v0") for one in judged.judgements[:7]]
    text = shown(agreement_report(agreement(Judged(judged.sources, [*judged.judgements, *old]))))
    assert "anthropic:claude-x: 7 judgements of version v0 not used; version v has more." in text


def test_one_judge_alone(judged: Judged) -> None:
    alone = [one for one in judged.judgements if one.judge == "rules"]
    text = shown(agreement_report(agreement(Judged(judged.sources, alone))))
    assert "There is only one judge. Agreement needs two." in text


def test_judges_that_have_nothing_in_common(judged: Judged) -> None:
    half = len(judged.sources) // 2
    first = [one for one in judged.judgements if one.judge == "rules"][:half]
    second = [one for one in judged.judgements if one.judge == "gemini:pro"][half:]
    text = shown(agreement_report(agreement(Judged(judged.sources, first + second))))
    assert "They have no decision in common." in text


def test_what_people_say_and_what_becomes_of_the_figures(judged: Judged) -> None:
    text = shown(calibration_report(calibrated(judged, annotators=3, every=4)))
    titles = [line for line in text.splitlines() if line and not line.startswith(" ")][2:]
    assert titles == [
        "Annotators",
        "anthropic:claude-x",
        "gemini:pro",
        "rules",
        "How to read it",
    ]
    for words in (
        "labels by anna, bert, carl, sampled by the verdicts of",
        "anna and bert resolution 240",
        "finds met finds not met",
        "annotators; agrees with the others at least as much in",
        "as judged",
        "all agents",
        "[/red]",
    ):
        assert words in " ".join(text.split()), words


def test_few_labels_by_one_person_are_called_what_they_are(judged: Judged) -> None:
    text = shown(calibration_report(calibrated(judged, annotators=1, every=40)))
    assert "There is only one annotator, so agreement between people is unknown." in text
    assert "Alt-test: needs 3 annotators with 30 items each." in text
    assert "too few labels" in text


def test_without_labels_everything_is_uncalibrated(judged: Judged) -> None:
    text = shown(calibration_report(calibrate(judged, [], "rules", "v")))
    assert text.startswith("No labels yet: every judged figure is uncalibrated.\n")
