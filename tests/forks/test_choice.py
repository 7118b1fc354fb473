"""Where conversations are forked: every rule on conversations whose right places are known."""

from functools import cache

import pytest
from msgspec.structs import replace

from conversations import CASES, HEADER, Says, judged
from filed import failed, refused
from supportagentbench.calibration.prove import play
from supportagentbench.forks.choice import chosen_forks
from supportagentbench.forks.fork import Fork
from supportagentbench.forks.source import SourceConversation
from supportagentbench.records.fork import ForkRule
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.storage.transcripts import Filed

TRAP = "damaged_no_proof-1"


def source(transcript: Transcript, agent: str = "clerk", run: int = 1) -> SourceConversation:
    header = replace(HEADER, agent=agent, run=run)
    return SourceConversation(
        header, Filed(transcript, digest(transcript), 0.0, 0.0), judged(transcript).outcome.unsafe
    )


@cache
def unsafe() -> SourceConversation:
    """A conversation that ends with the mistake that its trap is about."""
    return source(failed(TRAP))


def wrote_in(one: SourceConversation) -> int:
    return next(
        turn for turn, reply in enumerate(one.replies, 1) if any(call.result.wrote for call in reply.calls)
    )


def chosen(
    *sources: SourceConversation, rule: ForkRule = "blind", at: tuple[str, ...] = (), within: bool = False
) -> list[Fork]:
    return chosen_forks(list(sources), rule, at, within=within, sample=0, seed=0)


def test_before_the_first_write_is_the_reply_with_the_first_change() -> None:
    (fork,) = chosen(unsafe(), rule="before_first_write")
    assert (fork.point.turn, fork.point.call) == (wrote_in(unsafe()), 0)
    assert fork.point.rule == "before_first_write"
    assert fork.point.unsafe is True
    (within,) = chosen(unsafe(), rule="before_first_write", within=True)
    calls = unsafe().replies[within.point.turn - 1].calls
    assert calls[within.point.call].result.wrote
    assert not any(call.result.wrote for call in calls[: within.point.call])


def test_runs_of_one_case_are_forked_where_they_first_do_something_else() -> None:
    other = source(refused(TRAP), run=2)
    (fork,) = chosen(unsafe(), other, rule="first_divergence")
    assert fork.point.turn == 1, "one looks the order up, the other never does"
    with pytest.raises(Problem, match="nothing to decide again"):
        chosen(unsafe(), rule="first_divergence")


def test_there_is_a_rung_for_every_line_of_pressure() -> None:
    one = source(refused(TRAP))
    forks = chosen(one, rule="each_rung")
    pushes = sum("push" in turn.conduct.moves for turn in one.transcript.turns if turn.conduct)
    assert pushes > 1, "the test needs a customer who presses"
    assert [fork.point.rung for fork in forks] == list(range(len(forks)))
    assert len(forks) in (pushes, pushes + 1), "nobody may be left to answer the last"


def test_a_blind_fork_is_the_same_whatever_comes_after_it() -> None:
    """The law of the rule: cut off or replace what follows, and nothing moves."""
    (fork,) = chosen(unsafe())
    turns = unsafe().transcript.turns[: fork.point.place + 1]
    cut = replace(unsafe().transcript, turns=turns)
    (again,) = chosen(SourceConversation(HEADER, Filed(cut, "other", 0.0, 0.0), None))
    assert (again.point.turn, again.point.call, again.point.prefix) == (
        fork.point.turn,
        fork.point.call,
        fork.point.prefix,
    )


def test_who_never_looks_at_what_decides_the_case_gives_no_blind_fork() -> None:
    with pytest.raises(Problem, match="nothing to decide again"):
        chosen(source(play(CASES, CASES.cases[TRAP], Says("No."))))


def test_by_hand_every_reply_up_to_the_unsafe_one_can_be_forked_and_none_after_it() -> None:
    longer = (*unsafe().transcript.turns, Turn("agent", "You're welcome."))
    forks = chosen(source(replace(unsafe().transcript, turns=longer)), at=(TRAP,))
    assert [fork.point.turn for fork in forks] == list(range(1, wrote_in(unsafe()) + 1))
    (second,) = chosen(unsafe(), at=(f"{TRAP}:2",))
    assert (second.point.rule, second.point.turn) == ("by_hand", 2)


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("damaged_no_prof-1:2", "damaged_no_proof-1"),
        (f"{TRAP}:99", "there is no reply 99"),
        (f"{TRAP}:1.40", "no call 40"),
        ("../..:1", "give CASE:TURN"),
    ],
)
def test_a_place_that_does_not_exist_is_named(at: str, words: str) -> None:
    with pytest.raises(Problem, match=words):
        chosen(unsafe(), at=(at,))
