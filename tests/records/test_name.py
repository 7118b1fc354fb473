"""Names are checked when a record is read: nothing that could lead anywhere is an id."""

import msgspec
import pytest

from conversations import CASES, HEADER
from supportagentbench.records.name import AgentName, Id, OptionalId, is_agent_name, is_id
from supportagentbench.records.record import from_json, to_json
from supportagentbench.records.run import Run


def reads(words: str, kind: object) -> bool:
    try:
        msgspec.json.decode(msgspec.json.encode(words), type=kind)
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.parametrize("words", [*CASES.places, "a", "A.b-c_d", "x" * 100, "a..b"])
def test_ids_as_worlds_make_them_are_read(words: str) -> None:
    assert reads(words, Id) and reads(words, OptionalId) and is_id(words)


@pytest.mark.parametrize(
    "words", ["..", ".", "../a", "a/b", "/a", "a\\b", "a\n", "a\x00", "a b", "é", ".a", "-a", "x" * 101]
)
def test_what_could_lead_somewhere_is_no_id(words: str) -> None:
    assert not reads(words, Id) and not reads(words, OptionalId) and not is_id(words)


def test_nothing_is_no_id_but_may_stand_for_none() -> None:
    assert reads("", OptionalId) and not reads("", Id) and not is_id("")


@pytest.mark.parametrize("words", ["openai:gpt-5.4,effort=high", "ollama:hf.co/a/b:Q4_K_M", "läden:Agent"])
def test_an_agent_is_called_whatever_its_provider_calls_it(words: str) -> None:
    assert reads(words, AgentName) and is_agent_name(words)


@pytest.mark.parametrize("words", ["", "a\n", "a\x1b[2J", "a\x9b", "x" * 1001])
def test_but_not_by_what_cannot_be_printed(words: str) -> None:
    assert not reads(words, AgentName) and not is_agent_name(words)


def test_a_header_with_the_names_of_all_cases_is_read_back() -> None:
    header = msgspec.structs.replace(HEADER, cases=tuple(CASES.places))
    assert from_json(to_json(header), Run) == header
