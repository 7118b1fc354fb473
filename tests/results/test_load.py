"""Results: stored runs with all that is on file about them, each once, and nothing that is not theirs."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from conversations import WORLD, Hold
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.judgement import FindingOpinion, Judgement, Opinion
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Ending, Transcript
from supportagentbench.results.load import load_conversations, load_run, load_runs, of_agent
from supportagentbench.results.search import find_talk
from supportagentbench.runner.run import header_of
from supportagentbench.storage.archive import JudgementWriter, RunWriter
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.world.drawn_cases import DrawnCases


@pytest.fixture
def runs(tmp_path: Path, cases: DrawnCases, hold: Hold) -> Path:
    """Two runs of one trap and its twin; in the second a provider broke one off."""
    for agent, make in (("oracle", Oracle), ("complies", shipped_agent("complies"))):
        header = header_of(cases, "damaged_no_proof", agent, ScriptedVoice(), 1, 0)
        with RunWriter(tmp_path, header) as writer:
            for number, case in enumerate(header.cases):
                talk: Transcript = hold(case, make(WORLD, 0))
                if agent == "complies" and number:
                    broke = Ending("broke", "provider_error", "503")
                    talk = replace(talk, turns=talk.turns[:1], ending=broke)
                writer.add(talk, started=0.0, seconds=0.0)
    return tmp_path


def test_verdicts_and_the_judge_that_is_code_are_made_anew(runs: Path) -> None:
    oracle = load_run(runs / "oracle-1")
    assert [one.case for one in oracle.verdicts] == list(oracle.header.cases)
    assert {one.judge for one in oracle.judgements} == {"rules"}
    assert [one.transcript for one in oracle.judgements] == [one.transcript for one in oracle.verdicts]


def test_what_broke_outside_the_agent_is_scored_but_not_judged(runs: Path) -> None:
    complies = load_run(runs / "complies-1")
    assert [one.counts for one in complies.verdicts] == [True, False]
    assert [one.transcript for one in complies.judgements] == [complies.verdicts[0].transcript]


def test_judgements_on_file_are_read_unless_their_transcript_is_gone(runs: Path) -> None:
    known = load_run(runs / "oracle-1").verdicts[0].transcript
    with JudgementWriter(runs / "oracle-1") as writer:
        for transcript in (known, "set aside"):
            writer.add(Judgement(transcript, "some judge", "1", (Opinion("sentiment", None),)))
    found = [one for one in load_run(runs / "oracle-1").judgements if one.judge == "some judge"]
    assert [one.transcript for one in found] == [known]


@pytest.mark.parametrize(
    ("changed", "void"),
    [
        ({}, ""),
        ({"turn": 999}, "no_such_turn"),
        ({"turn": None}, "no_such_turn"),
        ({"quote": "words that are nowhere"}, "not_found"),
        ({"quote": ""}, "short_quote"),
        ({"reason": " "}, "no_reason"),
        ({"void": "twice"}, "twice"),
    ],
)
def test_opinions_on_file_count_only_with_evidence(runs: Path, changed: dict[str, Any], void: str) -> None:
    folder = runs / "oracle-1"
    filed = next(iter(read_transcripts(folder)))
    quote = filed.transcript.turns[0].text[:40]
    opinion = replace(Opinion("resolution", True, 0, quote, reason="So it says."), **changed)
    finding = replace(FindingOpinion("dumped:1", "drop", 0, quote, reason="So it says."), **changed)
    with JudgementWriter(folder) as writer:
        writer.add(Judgement(filed.digest, "j", "1", (opinion,), findings=(finding,)))
    [conversation, *_] = load_conversations(folder)
    shown = find_talk(folder, filed.transcript.case)
    for given in (load_run(folder).judgements, conversation.judgements, shown.judgements):
        [found] = [one for one in given if one.judge == "j"]
        assert (found.opinions[0].met, found.opinions[0].void) == (None if void else True, void)
        assert (found.findings[0].says, found.findings[0].void) == (None if void else "drop", void)


def test_a_run_named_twice_is_read_once(runs: Path) -> None:
    once = load_runs([runs])
    assert [run.header.agent for run in once] == ["complies", "oracle"]
    again = [runs, runs / "oracle-1", runs / "complies-1" / ".." / "oracle-1"]
    assert [run.header.agent for run in load_runs(again)] == ["complies", "oracle"]


def test_the_runs_of_one_agent_are_found_by_its_name(runs: Path) -> None:
    results = load_runs([runs])
    [oracle] = of_agent(results, "oracle")
    assert oracle.header.agent == "oracle"
    with pytest.raises(Problem, match="there is no run of 'gpt' here; the agents are complies, oracle"):
        of_agent(results, "gpt")
