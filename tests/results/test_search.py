"""Finding a conversation by whose it is, and lines by what they say."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import CASES, WORLD
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.spec import Surroundings
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.problem import Problem
from supportagentbench.results.search import find_talk, find_words
from supportagentbench.runner.run import header_of, run_agent


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    for agent, run in (("oracle", 1), ("complies", 1), ("complies", 2)):
        whole = header_of(CASES, "core", agent, ScriptedVoice(), run, 0)
        header = replace(whole, cases=("damaged_no_proof-1", "tracking-1")[: 3 - run])
        asyncio.run(
            run_agent(
                CASES, header, resolve(agent).open(Surroundings(WORLD)), ScriptedVoice(), root, concurrency=2
            )
        )
    return root


def test_a_conversation_is_found_by_model_and_run(runs: Path) -> None:
    found = find_talk(runs, "damaged_no_proof-1", "complies", 2)
    assert (found.agent, found.transcript.run) == ("complies", 2)
    assert found.verdict.case == "damaged_no_proof-1"


def test_a_part_of_the_name_and_no_run_will_do(runs: Path) -> None:
    assert find_talk(runs, "tracking-1", "COMP").transcript.run == 1
    assert find_talk(runs / "complies-2", "damaged_no_proof-1").transcript.run == 2


@pytest.mark.parametrize(
    ("folder", "case", "model", "run", "words"),
    [
        ("", "tracking-1", "", 0, "there are 2 agents; name one with --model: complies, oracle"),
        ("", "tracking-1", "l", 0, "2 agents here are called 'l'; name one with --model: complies, oracle"),
        ("", "tracking-1", "gpt", 0, "no agents here are called 'gpt'; name one with --model: complies"),
        ("", "tracking-1", "complies", 2, "has no conversation on 'tracking-1' in run 2"),
        ("", "nothing-1", "complies", 0, "has no conversation on 'nothing-1'; `sab cases` lists them"),
        ("nowhere", "tracking-1", "", 0, "is not a run"),
    ],
)
def test_what_cannot_be_found_is_said(
    runs: Path, folder: str, case: str, model: str, run: int, words: str
) -> None:
    with pytest.raises(Problem) as told:
        find_talk(runs / folder, case, model, run)
    assert words in str(told.value)


def test_words_are_found_wherever_somebody_wrote_or_did_them(runs: Path) -> None:
    hits = list(find_words("replace_item|replacement", [runs]))
    assert {hit.place for hit in hits} == {"said", "call", "result"}
    for hit in hits:
        assert hit.line[hit.start : hit.end] in ("replace_item", "replacement")
    assert {(hit.agent, hit.run) for hit in hits if hit.place == "call"} == {("complies", 1), ("complies", 2)}


def test_capitals_matter_unless_they_do_not(runs: Path) -> None:
    assert not list(find_words("REPLACE_ITEM", [runs]))
    assert list(find_words("REPLACE_ITEM", [runs], ignore_case=True))


def test_what_is_no_pattern_is_said(runs: Path) -> None:
    with pytest.raises(Problem, match="is not a valid regular expression"):
        list(find_words("(", [runs]))
