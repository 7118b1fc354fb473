"""Records are values: what is written is what is read, and nothing else is accepted."""

import pickle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations import WORLD, Hold, judged
from supportagentbench.board.standings import make_board
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.language.reader import reader_of
from supportagentbench.records.board import Board
from supportagentbench.records.case import Case
from supportagentbench.records.record import digest, from_json, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import Harm, Vocabulary
from supportagentbench.results.load import ScoredRun
from supportagentbench.runner.run import header_of
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.folder import read_world, shipped_worlds


def test_every_case_comes_back_equal(cases: DrawnCases) -> None:
    for case in cases.cases.values():
        assert from_json(to_json(case), Case) == case


def test_a_transcript_its_verdict_and_its_board_come_back_equal(cases: DrawnCases, hold: Hold) -> None:
    header = header_of(cases, "all", "oracle", ScriptedVoice(), 1, 0)
    transcripts = [hold(name, Oracle(WORLD, 0)) for name in header.cases]
    verdicts = [judged(transcript) for transcript in transcripts]
    board = make_board([ScoredRun(header, verdicts)])
    assert [from_json(to_json(one), Transcript) for one in transcripts] == transcripts
    assert [from_json(to_json(one), Verdict) for one in verdicts] == verdicts
    assert from_json(to_json(board), Board) == board
    assert from_json(to_json(header), Run) == header
    for one in (header, *verdicts):
        assert to_json(pickle.loads(pickle.dumps(one))) == to_json(one), "another process writes other bytes"


def test_an_unknown_field_is_refused(cases: DrawnCases) -> None:
    content = msgspec.to_builtins(next(iter(cases.cases.values())))
    with pytest.raises(msgspec.ValidationError, match="unknown field `colour`"):
        msgspec.convert({**content, "colour": "red"}, Case)


def test_a_record_of_another_version_is_refused(cases: DrawnCases) -> None:
    content = msgspec.to_builtins(next(iter(cases.cases.values())))
    with pytest.raises(msgspec.ValidationError, match="case/2"):
        msgspec.convert({**content, "record": "case/2"}, Case)


def test_a_record_cannot_be_changed(cases: DrawnCases) -> None:
    case = next(iter(cases.cases.values()))
    with pytest.raises(AttributeError, match="immutable"):
        setattr(case, "note", "easy")  # noqa: B010


def test_the_digest_names_the_content_and_not_the_order_of_its_keys() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})


@pytest.mark.parametrize("name", shipped_worlds())
def test_a_vocabulary_has_one_digest_before_and_after_it_is_written(name: str) -> None:
    made = read_world(name).vocabulary
    read = from_json(to_json(made), Vocabulary)
    assert made == read and made.digest == read.digest
    assert reader_of(made) is reader_of(read)


@given(
    st.builds(
        Harm,
        st.text(),
        st.text(),
        st.text(),
        st.integers(0, 10**9) | st.floats(0, 1e9),
    )
)
def test_records_that_are_equal_have_one_digest(harm: Harm) -> None:
    read = from_json(to_json(harm), Harm)
    assert harm == read and digest(harm) == digest(read)


def test_a_digest_of_what_cannot_be_read_back_is_that_of_what_was_given() -> None:
    assert digest(Harm("a", "b", "c", "no number")) != digest(Harm("a", "b", "c", 1.0))  # type: ignore[arg-type]
