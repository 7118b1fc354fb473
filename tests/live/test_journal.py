"""The journal of a real job: complete, discreet, and never in the job's way."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import CASES, WORLD
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.spec import Surroundings
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.checks import score
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Desk
from supportagentbench.live import journal as journal_module
from supportagentbench.live.conversation import LiveConversation, read_conversation
from supportagentbench.live.follow import Follower
from supportagentbench.live.journal import LIVE, Journal
from supportagentbench.models.http_client import Retry
from supportagentbench.records.event import Dropped, Event, Finished, Retried
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Turn
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.storage.archive import RunWriter, folder_name
from supportagentbench.storage.events import EVENTS, EventReader
from supportagentbench.storage.transcripts import read_transcripts

HEADER = replace(
    header_of(CASES, "core", "complies", ScriptedVoice(), 1, 0),
    cases=("damaged_no_proof-1", "tracking-1", "abusive_threatening-1", "tracking-2"),
)


def held(root: Path, journal: Journal, header: Run = HEADER) -> Journal:
    """Hold a run under the eyes of this journal."""
    journal.job_planned([header], lambda: 1.25)
    asyncio.run(
        run_agent(
            CASES,
            header,
            resolve("complies").open(Surroundings(WORLD)),
            ScriptedVoice(),
            root,
            concurrency=2,
            observers=[journal],
        )
    )
    journal.ended("complete")
    return journal


def events(root: Path) -> list[Event]:
    return [event for _, event in EventReader(root).more()]


def names(found: list[Event]) -> Counter[str]:
    return Counter(type(event).__name__ for event in found)


def test_a_run_leaves_an_event_for_everything_that_happened(tmp_path: Path) -> None:
    journal = held(tmp_path, Journal(tmp_path, low=1.0, high=2.0, cap=3.0))
    assert names(events(tmp_path)) == {"Planned": 1, "Began": 4, "Finished": 4, "Spent": 1, "Ended": 1}
    assert journal.failed == []
    view = Follower(tmp_path).view()
    assert (view.done, view.total, view.ended, view.spent, view.cap) == (4, 4, "complete", 1.25, 3.0)


def test_what_an_event_says_is_what_the_checks_find(tmp_path: Path) -> None:
    held(tmp_path, Journal(tmp_path))
    told = {event.case: event for event in events(tmp_path) if isinstance(event, Finished)}
    for filed in read_transcripts(tmp_path / folder_name(HEADER)):
        verdict, event = score(filed, HEADER), told[filed.transcript.case]
        assert (event.outcome, event.unsafe) == (verdict.outcome.kind, verdict.outcome.unsafe)
        for check in ("over_escalated", "escalated"):
            finding = verdict.of(check)
            assert getattr(event, check) == (finding.value if finding else None)
        assert event.messages == verdict.messages
    assert told["damaged_no_proof-1"].unsafe is True
    assert told["damaged_no_proof-1"].reason == "replace_item, against D1"
    assert told["abusive_threatening-1"].escalated is False


def test_nothing_that_was_said_is_in_the_events(tmp_path: Path) -> None:
    held(tmp_path, Journal(tmp_path))
    written = (tmp_path / EVENTS).read_text()
    for filed in read_transcripts(tmp_path / folder_name(HEADER)):
        for turn in filed.transcript.turns:
            for line in filter(str.strip, turn.text.splitlines()):
                assert line not in written


def test_a_second_session_tells_nothing_twice(tmp_path: Path) -> None:
    held(tmp_path, Journal(tmp_path))
    held(tmp_path, Journal(tmp_path))
    assert names(events(tmp_path))["Finished"] == 4
    assert Follower(tmp_path).view().done == 4


def test_events_that_were_lost_are_made_again_from_the_record(tmp_path: Path) -> None:
    held(tmp_path, Journal(tmp_path))
    before = Follower(tmp_path).view()
    (tmp_path / EVENTS).unlink()
    without = Follower(tmp_path).view()
    held(tmp_path, Journal(tmp_path))
    after = Follower(tmp_path).view()
    for view in (without, after):
        assert [replace(row, turn=None, left=None) for row in view.rows] == [
            replace(row, turn=None, left=None) for row in before.rows
        ]
        assert (view.done, view.ended) == (4, "complete")


def test_what_is_no_longer_on_file_is_dropped_and_held_again(tmp_path: Path) -> None:
    held(tmp_path, Journal(tmp_path))
    path = tmp_path / folder_name(HEADER) / "transcripts.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    held(tmp_path, Journal(tmp_path))
    (dropped,) = [event for event in events(tmp_path) if isinstance(event, Dropped)]
    assert len(dropped.cases) == 1
    assert Follower(tmp_path).view().done == 4


def test_a_watcher_that_fails_is_dropped_and_the_job_goes_on(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    heard: list[Event] = []

    def fails(event: Event) -> None:
        raise BrokenPipeError("nobody there")

    journal.listen(fails)
    journal.listen(heard.append)
    held(tmp_path, journal)
    assert journal.failed == ["BrokenPipeError: nobody there"]
    assert len(heard) == len(events(tmp_path)) == 11


def test_a_disk_that_takes_no_events_does_not_stop_the_conversations(tmp_path: Path) -> None:
    (tmp_path / EVENTS).mkdir()
    journal = held(tmp_path, Journal(tmp_path))
    assert len(list(read_transcripts(tmp_path / folder_name(HEADER)))) == 4
    assert journal.failed and "events.jsonl: is a folder" in journal.failed[0]
    assert journal.view().done == 4


class Peeks(Oracle):
    """Looks, while it is asked, at what a reader of the live view can see of its conversation."""

    def __init__(self, root: Path) -> None:
        super().__init__(WORLD, 0)
        self.root = root
        self.peeked: list[LiveConversation | None] = []

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        self.peeked.append(read_conversation(self.root, folder_name(HEADER), HEADER.cases[0]))
        return await super().reply(turns, desk)


@pytest.mark.parametrize("hears", [True, False])
def test_a_conversation_can_be_read_while_it_grows_if_somebody_asked_for_it(
    tmp_path: Path, hears: bool
) -> None:
    header, agent, journal = (
        replace(HEADER, cases=HEADER.cases[:1]),
        Peeks(tmp_path),
        Journal(tmp_path, wants_turns=hears),
    )
    journal.job_planned([header], float)
    asyncio.run(
        run_agent(
            CASES, header, lambda seed: agent, ScriptedVoice(), tmp_path, concurrency=1, observers=[journal]
        )
    )
    shown = [conversation and len(conversation.turns) for conversation in agent.peeked]
    assert shown == ([1 + 2 * number for number in range(len(shown))] if hears else [None] * len(shown))
    assert list((tmp_path / LIVE).rglob("*.jsonl")) == []
    whole = read_conversation(tmp_path, folder_name(HEADER), HEADER.cases[0])
    assert whole is not None and whole.ending
    journal.ended("complete")
    assert not (tmp_path / LIVE).exists()


def test_a_conversation_that_begins_again_is_read_from_its_new_beginning(tmp_path: Path) -> None:
    journal, case = Journal(tmp_path, wants_turns=True), HEADER.cases[0]
    journal.job_planned([HEADER], float)
    for words in (("Hi.", "Hello.", "Bye."), ("Hi again.",)):
        journal.conversation_began(HEADER, case)
        for said in words:
            journal.turn_said(HEADER, case, Turn("customer", said))
    with RunWriter(tmp_path, HEADER):
        shown = read_conversation(tmp_path, folder_name(HEADER), case)
    journal.ended("partial")
    assert shown and [turn.words for turn in shown.turns] == ["Hi again."]


def test_what_a_provider_says_is_cut_to_a_sensible_length(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.job_planned([HEADER], float)
    journal.request_retried(HEADER, "tracking-1", Retry("5" * 10_000, 1, 8, 2.0))
    (told,) = [event for event in events(tmp_path) if isinstance(event, Retried)]
    assert len(told.words) == 300
    journal.ended("done")


@pytest.mark.parametrize("jump", [-3 * 86_400, 365 * 86_400])
def test_setting_the_clock_changes_no_duration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    monkeypatch.setattr(journal_module, "EVERY", 0.0)
    journal, real, spending = Journal(tmp_path), time.time, count()
    journal.job_planned([HEADER], lambda: float(next(spending)))
    monkeypatch.setattr(time, "time", lambda: real() + jump)
    door = resolve("complies").open(Surroundings(WORLD))
    asyncio.run(run_agent(CASES, HEADER, door, ScriptedVoice(), tmp_path, concurrency=1, observers=[journal]))
    told = events(tmp_path)
    assert [event.at for event in told] == sorted(event.at for event in told)
    assert journal.view().spent >= 4, "noted again with every conversation"
    assert journal.view().elapsed < 60 and Follower(tmp_path).view().elapsed < 60
    journal.ended("done")
