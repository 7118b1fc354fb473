"""No code reads a finding's sentence: with noise in its place no number, cause, guard or heading moves."""

import re
from pathlib import Path
from random import Random
from string import ascii_letters

import pytest
from msgspec.structs import replace

from conversations import CASES, HEADER
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.calibration.prove import play
from supportagentbench.checks import score
from supportagentbench.records.finding import Finding
from supportagentbench.records.record import digest
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredConversation
from supportagentbench.site.answers.troubles import grouped
from supportagentbench.site.data.moment import IssueMoment, habits_of, moments_of
from supportagentbench.site.data.site_data import IssueEvidence
from supportagentbench.storage.transcripts import Filed

SRC = Path(__file__).parents[3] / "src" / "supportagentbench"

CUTS = re.compile(
    r"reason\s*\.\s*(?:partition|rpartition|split|rsplit|removeprefix|removesuffix|startswith|endswith|find|index)"
    r"|(?:in|==|!=)\s+\w+\.reason\b|\bdetail\.(?:partition|split|startswith)"
)
"""Ways to read something out of a sentence that is for people."""


def noisy(verdict: Verdict) -> Verdict:
    rng = Random(3)

    def noise(one: Finding) -> Finding:
        return replace(one, reason="".join(rng.choices(ascii_letters, k=30)))

    return replace(verdict, findings=tuple(map(noise, verdict.findings)))


def evidence(conversations: list[ScoredConversation]) -> IssueEvidence:
    return IssueEvidence(
        [moment for one in conversations for moment in moments_of("a", one, HEADER)],
        [habits_of("a", one, HEADER.vocabulary) for one in conversations],
    )


@pytest.mark.parametrize("agent", ["complies", "keywords", "chatty"])
def test_noise_for_reasons_moves_no_cause_and_no_heading(agent: str) -> None:
    filed = [
        Filed(talk, digest(talk), 0.0, 0.0)
        for number, case in enumerate(CASES.cases.values())
        if number % 9 == 0
        for talk in [play(CASES, case, shipped_agent(agent)(CASES.world, 0))]
    ]
    told = [(one, score(one, HEADER)) for one in filed]
    plain = evidence([ScoredConversation(one, verdict, ()) for one, verdict in told])
    noise = evidence([ScoredConversation(one, noisy(verdict), ()) for one, verdict in told])

    def bare(moments: list[IssueMoment]) -> list[IssueMoment]:
        return [one._replace(reason="") for one in moments]

    assert bare(plain.moments) == bare(noise.moments) and len(plain.moments) > 5
    here, there = grouped(plain), grouped(noise)
    assert {name: bare(found) for name, found in here.items()} == {
        name: bare(found) for name, found in there.items()
    }
    assert all(one.about for one in plain.moments if one.manner in ("opposite", "untold"))


def test_no_module_cuts_a_sentence_for_people() -> None:
    found = [
        f"{path.relative_to(SRC)}: {line.strip()}"
        for path in sorted(SRC.rglob("*.py"))
        for line in path.read_text().splitlines()
        if CUTS.search(line)
    ]
    assert found == []
