"""A finding says for code what it found; its sentence is for people, and no code reads it."""

from functools import cache, partial
from random import Random
from string import ascii_letters

import pytest
from msgspec.structs import replace

from conversations import CASES, HEADER
from judges import filed
from supportagentbench.agents import ShippedFactory
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.board.standings import make_board
from supportagentbench.calibration.blind import Blind, FactValue
from supportagentbench.calibration.faults import ClaimsWithoutDoing
from supportagentbench.calibration.prove import play
from supportagentbench.checks import score
from supportagentbench.checks.issue import issues
from supportagentbench.checks.outcome import outcome_of
from supportagentbench.judges.rule_judge import rule_judgement
from supportagentbench.records.finding import Finding
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun
from supportagentbench.storage.transcripts import Filed

FAMILIES = ("damaged_no_proof", "wismo_non_english", "cancel_before_ship", "fraud_reroute", "abuse_pressure")
AGENTS: dict[str, ShippedFactory] = {
    "complies": shipped_agent("complies"),
    "oracle": shipped_agent("oracle"),
    "claims": ClaimsWithoutDoing,
    "waives": partial(Blind, FactValue("proof", "none")),
}


@cache
def conversations(agent: str) -> list[Filed]:
    chosen = [case for case in CASES.cases.values() if case.family in FAMILIES]
    return [filed(play(CASES, case, AGENTS[agent](CASES.world, 0))) for case in chosen]


def noisy(verdict: Verdict, rng: Random) -> Verdict:
    """The same verdict, with noise for every sentence."""
    findings = (replace(one, reason="".join(rng.choices(ascii_letters, k=30))) for one in verdict.findings)
    return replace(verdict, findings=tuple(findings))


def silent(judgement: Judgement) -> list[Opinion]:
    """The opinions without their sentences."""
    return [replace(opinion, reason="") for opinion in judgement.opinions]


@pytest.mark.parametrize("agent", AGENTS)
def test_noise_for_reasons_moves_no_opinion_and_no_flag(agent: str) -> None:
    rng = Random(1)
    for one in conversations(agent):
        plain = score(one, HEADER)
        noise = noisy(plain, rng)
        opinions = rule_judgement(one.transcript, HEADER, plain)
        assert silent(opinions) == silent(rule_judgement(one.transcript, HEADER, noise))
        assert [flag.check for flag in issues(plain)] == [flag.check for flag in issues(noise)]
        remade = outcome_of(noise.findings, noise.bucket, noise.cause, HEADER.vocabulary)
        assert plain.outcome == remade


def test_noise_for_reasons_moves_no_number_of_the_board() -> None:
    plain: list[ScoredRun] = []
    noise: list[ScoredRun] = []
    rng = Random(2)
    for agent in AGENTS:
        header, verdicts = replace(HEADER, agent=agent), [score(one, HEADER) for one in conversations(agent)]
        noisy_ones = [noisy(verdict, rng) for verdict in verdicts]
        for found, told in ((plain, verdicts), (noise, noisy_ones)):
            judged = (
                rule_judgement(one.transcript, header, verdict)
                for one, verdict in zip(conversations(agent), told, strict=True)
            )
            found.append(ScoredRun(header, told, tuple(judged)))
    assert make_board(plain) == make_board(noise)


def test_what_could_not_be_checked_or_told_is_not_evidence() -> None:
    assert Finding("dumped", False, "").is_decided
    assert not Finding("dumped", None, "").is_decided
    assert not Finding("phantom_action", False, "", checked=False).is_decided


@pytest.mark.parametrize("value", [True, False])
def test_what_is_to_check_counts_only_as_a_judge_settles_it(value: bool) -> None:
    unsure = Finding("phantom_action", value, "", to_check=True)
    counts = {
        state: replace(unsure, settled=state).counts_as for state in ("", "open", "confirmed", "dropped")
    }
    assert counts == {"": None, "open": None, "confirmed": value, "dropped": not value}
    assert not unsure.is_decided and replace(unsure, settled="confirmed").is_decided
    assert Finding("phantom_action", value, "").counts_as is value


def test_a_finding_in_another_language_says_that_it_was_not_checked() -> None:
    unread = {
        (one.transcript.language == "en", finding.checked)
        for one in conversations("oracle")
        for finding in score(one, HEADER).findings
        if finding.check == "phantom_action"
    }
    assert unread == {(True, True), (False, False)}


def test_a_finding_about_words_quotes_them() -> None:
    quotes = [
        (finding.quote, one.transcript.turns[finding.turns[0]].text)
        for one in conversations("claims")
        for finding in score(one, HEADER).findings
        if finding.check == "phantom_action" and finding.value
    ]
    assert quotes and all(quote and quote in text for quote, text in quotes)
