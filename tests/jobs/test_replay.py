"""The record of a replay: what it keeps, in which order, how much of it, and what it says first."""

import asyncio
from pathlib import Path

import pytest

from openings import CANCEL, CRACKED, imported, said
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.jobs.job import Job, open_job
from supportagentbench.jobs.replay import LONGEST_SHOWN, NO_BOOKS, notes_on, planned_openings, replay_of
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.spec import JobSpec, TicketSpec
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json, to_json
from supportagentbench.records.replay import Replay
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.storage.archive import read_header
from supportagentbench.tickets.pseudonyms import UNREAD

MAP = """\
tickets:
  t-1: {request: cancel, subject: "#40171", facts: {stage: unfulfilled}}
  t-2: {request: damage, subject: "#40172", facts: {stage: delivered, delivery: unsigned, age: fresh}}
"""


def job_on(
    tmp_path: Path,
    *tickets: SupportTicket,
    agents: tuple[str, ...] = ("oracle", "hands-over"),
    desk_map: str = "",
    sample: int = 0,
) -> Job:
    """A job that sends these openings."""
    place = tmp_path / "map.yaml" if desk_map else None
    if place:
        place.write_text(desk_map)
    folder = imported(tmp_path / "tickets", *tickets)
    asked = TicketSpec(folder, place, openings=True, sample=sample)
    return open_job(JobSpec("northline", agents, out=tmp_path / "runs", tickets=asked))


def replayed(job: Job) -> Replay:
    asyncio.run(run_job(job, [], Interrupt(lambda words: None)))
    found = replay_of(job.spec, job)
    return from_json(to_json(found), Replay)


def test_the_agents_are_side_by_side_and_what_differs_is_first(tmp_path: Path) -> None:
    found = replayed(job_on(tmp_path, said(*CANCEL), said(*CRACKED, name="t-2"), desk_map=MAP))
    assert found.agents == ("oracle", "hands-over") and found.planned == found.tickets == 2
    scores = [one.score for one in found.replayed]
    assert scores == sorted(scores, reverse=True)
    first = found.replayed[0]
    assert (first.ticket, first.difference, first.pair) == ("t-1", "acts", ("oracle", "hands-over"))
    assert first.contrasts[0].words == "oracle cancelled order #40171 (other); hands-over handed it over"
    assert [talk.agent for talk in first.talks] == ["oracle", "hands-over"]
    assert first.in_books and (first.request, first.language) == ("cancel", "en")


def test_both_talks_are_kept_with_their_calls_and_without_plans_and_bills(tmp_path: Path) -> None:
    one = replayed(job_on(tmp_path, said(*CANCEL), desk_map=MAP)).replayed[0]
    assert one.shown and one.opening.text == CANCEL[0] and one.opening.sender
    turns = one.talks[0].turns
    assert [turn.party for turn in turns[:3]] == ["agent", "customer", "agent"]
    assert "cancel_order" in [call.tool for turn in turns for call in turn.calls]
    assert not any(turn.conduct or turn.usage for turn in turns)
    act = one.talks[0].acts[0]
    assert act.turn - 1 < len(turns) and turns[act.turn - 1].calls[-1].tool == act.act


def test_runs_say_that_they_are_unlabelled_and_what_they_were_made_of(tmp_path: Path) -> None:
    job = job_on(tmp_path, said(*CANCEL), agents=("oracle",))
    found = replayed(job)
    header = read_header(tmp_path / "runs" / "oracle-1")
    assert header.unlabelled and header.set == "openings"
    assert header.case_seed == found.cases == job.cases.seed.name
    assert found.replayed[0].difference is None and found.replayed[0].pair == ()


def test_a_reader_is_told_what_cannot_be_known(tmp_path: Path) -> None:
    hidden = said(CRACKED[0], "Which order?", f"It is 12345 {UNREAD * 4}", name="t-2", approved=False)
    job = job_on(tmp_path, said(*CANCEL), hidden)
    notes = list(notes_on(job.cases, planned_openings(job)))  # type: ignore[arg-type]
    assert notes[0].startswith("Unlabelled:") and NO_BOOKS in notes
    assert notes[2].startswith("In 1 ticket the customer's later messages have words that are hidden")
    assert replayed(job).unapproved == 1


def test_with_a_map_for_some_the_others_are_counted(tmp_path: Path) -> None:
    job = job_on(tmp_path, said(*CANCEL), said(*CRACKED, name="t-3"), desk_map=MAP)
    notes = list(notes_on(job.cases, planned_openings(job)))  # type: ignore[arg-type]
    assert "The books hold nothing about 1 of 2 tickets." in notes


@pytest.mark.parametrize(("sample", "chosen"), [(0, 10), (5, 5), (3, 3), (10, 10), (99, 10)])
def test_a_sample_is_spread_evenly_and_the_same_each_time(tmp_path: Path, sample: int, chosen: int) -> None:
    tickets = [said(*CANCEL, name=f"t-{number}") for number in range(10)]
    names = planned_openings(job_on(tmp_path, *tickets, sample=sample))
    assert len(set(names)) == chosen and names[0] == "t-0"
    assert list(names) == sorted(names)


def test_runs_of_other_tickets_are_refused(tmp_path: Path) -> None:
    job = job_on(tmp_path, said(*CANCEL), agents=("oracle",))
    replayed(job)
    (tmp_path / "other").mkdir()
    other = job_on(tmp_path / "other", said(*CRACKED), agents=("oracle",))
    with pytest.raises(Problem, match="made with other tickets or another map"):
        replay_of(other.spec.with_(out=job.spec.out), other)


def test_an_import_of_which_nothing_can_be_replayed_is_refused_with_the_reasons(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"no ticket that can be replayed \(1 × its opening has no words\)"):
        job_on(tmp_path, said(" "))


def test_long_words_are_cut_in_the_record_alone(tmp_path: Path) -> None:
    long = "My order never came. " * 600
    (one,) = replayed(job_on(tmp_path, said(long), agents=("oracle",))).replayed
    assert len(one.opening.text) < LONGEST_SHOWN + 20 < len(long)
    assert long in (tmp_path / "runs" / "oracle-1" / "transcripts.jsonl").read_text()


def test_only_the_first_tickets_have_their_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supportagentbench.jobs.replay.SHOWN", 2)
    tickets = [said(*CANCEL, name=f"t-{number}") for number in range(4)]
    found = replayed(job_on(tmp_path, *tickets))
    assert [one.shown for one in found.replayed] == [True, True, False, False]
    assert [bool(one.talks[0].turns) for one in found.replayed] == [True, True, False, False]


def test_turns_are_kept_until_the_record_is_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supportagentbench.jobs.replay.MOST_BYTES", 1)
    tickets = [said(*CANCEL, name=f"t-{number}") for number in range(3)]
    assert [one.shown for one in replayed(job_on(tmp_path, *tickets)).replayed] == [True, False, False]
