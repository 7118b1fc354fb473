"""Conversations in flight: what was carried out survives a kill, and one conversation is never two."""

import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import HEADER
from filed import failed, refused, solved
from supportagentbench.models import Completion
from supportagentbench.models.answer_cache import AnswerCache
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Ending, Transcript
from supportagentbench.records.usage import Usage
from supportagentbench.runner.play import Played
from supportagentbench.runner.run import OpenRun
from supportagentbench.storage.in_flight import IN_FLIGHT, InFlight, continues
from supportagentbench.storage.kept_file import is_changed
from supportagentbench.storage.transcripts import BROKEN, read_transcripts, stored_lines

TRAP, TWIN = "damaged_no_proof-1", "damaged_no_proof-1-twin"
RUN = replace(HEADER, cases=(TRAP, TWIN))


def cut(transcript: Transcript) -> Transcript:
    """The conversation up to its first change, before the reply that goes with it."""
    at = next(at for at, turn in enumerate(transcript.turns) if any(one.result.wrote for one in turn.calls))
    turn = transcript.turns[at]
    calls = next(turn.calls[: n + 1] for n, one in enumerate(turn.calls) if one.result.wrote)
    turns = (*transcript.turns[:at], replace(turn, text="", calls=calls))
    return replace(transcript, turns=turns, ending=Ending("broke", "interrupted"))


def played(transcript: Transcript) -> Played:
    return Played(transcript, 2.0, 1.0, (), None)


def interrupted(folder: Path, *attempts: Transcript) -> None:
    """What a killed process leaves behind."""
    folder.mkdir(parents=True, exist_ok=True)
    with InFlight(folder, RUN, set(RUN.cases)) as notes:
        for one in attempts:
            notes.note(one, time.time())


def aside(folder: Path) -> list[Transcript]:
    return [stored.decoded().transcript for stored in stored_lines(folder / BROKEN)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "test-1"


def test_a_conversation_continues_what_it_begins_with() -> None:
    whole, other = solved(TWIN), refused(TWIN)
    assert continues(whole, cut(whole)) and not continues(cut(whole), whole)
    assert not continues(other, cut(whole)) and continues(whole, whole)
    changed = replace(cut(whole), turns=(replace(whole.turns[0], text="Hi"), *cut(whole).turns[1:]))
    assert not continues(whole, changed)


def test_of_one_attempt_what_got_furthest_is_kept(folder: Path) -> None:
    whole = replace(solved(TWIN), ending=Ending("broke", "interrupted"))
    interrupted(folder, cut(whole), whole, cut(whole), cut(failed(TRAP)))
    with (folder / IN_FLIGHT).open("ab") as file:
        file.write(b'{"digest":"torn')
    with InFlight(folder, RUN, {TWIN, TRAP}) as found:
        assert {case: len(attempts) for case, attempts in found.attempts.items()} == {TWIN: 1, TRAP: 1}
        assert found.attempts[TWIN][0].transcript == whole
    with InFlight(folder, RUN, {TRAP}) as found:
        assert list(found.attempts) == [TRAP], "the other one is stored by now"
    assert len((folder / IN_FLIGHT).read_bytes().splitlines()) == 1


def test_an_attempt_of_another_run_is_refused(folder: Path) -> None:
    interrupted(folder, replace(cut(failed(TRAP)), run=7))
    with pytest.raises(Problem, match=r"in_flight\.jsonl:1: has a conversation .* does not belong"):
        OpenRun(folder.parent, RUN, None)


def test_an_unsafe_attempt_is_stored_as_it_stands(folder: Path) -> None:
    interrupted(folder, cut(failed(TRAP)))
    run = OpenRun(folder.parent, RUN, None)
    assert run.missing == (TWIN,) and not aside(folder)
    run.store(played(solved(TWIN)))
    (first, _) = read_transcripts(folder)
    assert first.transcript == cut(failed(TRAP)) and not (folder / IN_FLIGHT).exists()


def test_an_attempt_that_is_not_continued_is_set_aside(folder: Path) -> None:
    interrupted(folder, cut(solved(TWIN)))
    run = OpenRun(folder.parent, RUN, None)
    assert run.missing == (TRAP, TWIN)
    with run.opened:
        run.store(played(refused(TWIN)))
    assert aside(folder) == [cut(solved(TWIN))]
    assert [one.transcript for one in read_transcripts(folder)] == [refused(TWIN)]


def test_an_attempt_that_is_continued_is_the_same_conversation(folder: Path) -> None:
    interrupted(folder, cut(solved(TWIN)))
    run = OpenRun(folder.parent, RUN, None)
    with run.opened:
        run.store(played(solved(TWIN)))
    assert not aside(folder)


def test_a_second_attempt_does_not_replace_an_unsafe_one(folder: Path) -> None:
    """Even if the first could have gone on, and the second one went well."""
    interrupted(folder, cut(failed(TRAP)))
    answer = Completion("Done.", usage=Usage("m"))
    with AnswerCache(folder, {TRAP}) as cache:
        cache.keep(TRAP, "some request", answer)
    run = OpenRun(folder.parent, RUN, None)
    assert run.missing == (TRAP, TWIN), "its model's answers are there, so it may go on"
    with run.opened:
        run.store(played(solved(TRAP)))
    assert [one.transcript for one in read_transcripts(folder)] == [cut(failed(TRAP))]
    assert aside(folder) == [solved(TRAP)]


def test_notes_that_another_process_adds_to_are_found_out(folder: Path) -> None:
    run = OpenRun(folder.parent, RUN, None)
    run.in_flight.note(cut(solved(TWIN)), time.time())
    run.writer.inventory.check()
    with (folder / IN_FLIGHT).open("ab") as file:
        file.write(b"{}\n")
    with pytest.raises(Problem, match=r"in_flight.jsonl: got 3 more bytes by another process"):
        run.opened.close()
    assert is_changed(folder)


def test_a_lost_players_attempt_is_one_while_the_run_stays_open(folder: Path) -> None:
    run = OpenRun(folder.parent, RUN, None)
    with run.opened:
        run.in_flight.note(cut(solved(TWIN)), time.time())
        assert run.interrupt(TWIN) is None, "nothing unsafe: it is played again"
        run.in_flight.note(cut(solved(TWIN)), time.time())
        assert run.interrupt(TWIN) is None
        run.store(played(refused(TWIN)))
        assert aside(folder) == [cut(solved(TWIN))], "twice the same is one attempt"
    assert [one.transcript for one in read_transcripts(folder)] == [refused(TWIN)]


def test_a_lost_players_unsafe_attempt_is_final_and_may_be_the_last(folder: Path) -> None:
    run = OpenRun(folder.parent, RUN, None)
    run.store(played(solved(TWIN)))
    run.in_flight.note(cut(failed(TRAP)), time.time())
    final = run.interrupt(TRAP)
    assert final and final.transcript == cut(failed(TRAP))
    assert [one.transcript for one in read_transcripts(folder)] == [solved(TWIN), cut(failed(TRAP))]
    assert not (folder / IN_FLIGHT).exists(), "the run is complete and closed"


def test_a_lost_players_unsafe_attempt_goes_on_with_the_answers_that_were_paid(folder: Path) -> None:
    run, answer = OpenRun(folder.parent, RUN, None), Completion("Done.", usage=Usage("m"))
    with run.opened:
        run.cache.keep(TRAP, "some request", answer)
        run.in_flight.note(cut(failed(TRAP)), time.time())
        assert run.interrupt(TRAP) is None
        assert run.task(TRAP).answers == {"some request": answer} == run.task(TRAP).answers
        run.store(played(failed(TRAP)))
        assert run.task(TRAP).answers == {}
    assert [one.transcript for one in read_transcripts(folder)] == [failed(TRAP)]
    assert not (folder / BROKEN).exists()


def test_a_conversation_that_was_stored_is_no_attempt_any_more(folder: Path) -> None:
    run = OpenRun(folder.parent, RUN, None)
    with run.opened:
        run.in_flight.note(cut(failed(TRAP)), time.time())
        run.store(played(failed(TRAP)))
        assert run.interrupt(TRAP) is None
