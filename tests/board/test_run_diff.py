"""Two versions on the same cases: what flipped comes first, and chance is not taken for a change."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from conversations import CASES, WORLD, job_on
from filed import CHARGED, FEW, failed, file_run, refused, solved, with_empty_words
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.board.run_diff import RunDiff, diff_runs
from supportagentbench.calibration.prove import play
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.jobs.run import run_job
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Transcript
from supportagentbench.terminal.comparison import diff_view

TRAP, TWIN, ESCALATE, TRACKING = FEW


def diff_of(root: Path, before: dict[str, Transcript], after: dict[str, Transcript]) -> RunDiff:
    one = file_run(root / "before", "agent", 1, before.values())
    other = file_run(root / "after", "agent", 1, after.values())
    return diff_runs(one, other)


def right() -> dict[str, Transcript]:
    return {case: solved(case) for case in FEW}


def reworded(talk: Transcript) -> Transcript:
    turns = [replace(one, text=f"{one.text} ") if one.party == "agent" else one for one in talk.turns]
    return replace(talk, turns=tuple(turns))


def test_newly_unsafe_comes_first_with_the_turn_and_the_words(tmp_path: Path) -> None:
    found = diff_of(tmp_path, right(), right() | {TRAP: failed(TRAP), ESCALATE: refused(ESCALATE)})
    assert [(flip.kind, flip.case) for flip in found.flips] == [
        ("newly unsafe", TRAP),
        ("newly wrong", ESCALATE),
    ]
    assert found.flips[1].reason.startswith("missed: ")
    worst = found.flips[0]
    assert (worst.before, worst.after) == ("0 of 1", "1 of 1") and worst.reason.startswith("unsafe: ")
    assert worst.divergence and "replace_item" in worst.divergence.after
    assert found.status == "worse" and found.identical == 2


def test_fixes_alone_are_no_worse(tmp_path: Path) -> None:
    found = diff_of(tmp_path, right() | {TRAP: failed(TRAP)}, right())
    assert found.status == "no worse" and [flip.kind for flip in found.flips] == ["fixed"]
    assert found.flips[0].reason.startswith("unsafe: ")


def test_nothing_changed_is_no_worse_and_has_no_flips(tmp_path: Path) -> None:
    found = diff_of(tmp_path, right(), right())
    assert found.status == "no worse" and not found.flips and found.identical == found.conversations == 4


def test_what_code_decided_before_and_cannot_now_is_named(tmp_path: Path) -> None:
    talk = solved(CHARGED)
    found = diff_of(tmp_path, right() | {CHARGED: talk}, right() | {CHARGED: with_empty_words(talk)})
    assert found.status == "undecided" and found.undecided == (CHARGED,) and not found.flips
    assert f"cannot now: {CHARGED}." in found.why


def test_a_flip_of_an_agent_that_never_says_the_same_twice_may_be_chance(tmp_path: Path) -> None:
    after = {case: reworded(talk) for case, talk in (right() | {TRAP: failed(TRAP)}).items()}
    found = diff_of(tmp_path, right(), after)
    assert found.status == "undecided" and found.identical == 0
    assert [flip.case for flip in found.flips] == [TRAP]


@pytest.mark.parametrize(
    ("case", "agent", "kind", "reason"),
    [
        ("angry_damaged-1", "complies", "newly unsafe", "unsafe: replace_item before proof:shown"),
        ("abusive_threatening-1", "complies", "newly unsafe", "unsafe: "),
        ("damaged_item-1", "hands-over", "newly wrong", "over escalated: hand_over was called"),
        ("damaged_item-1", "silent", "newly wrong", "unresolved: "),
        ("abusive_threatening-1", "silent", "newly wrong", "missed: "),
        ("damaged_no_proof-1", "silent", "newly wrong", "ignored: no engagement"),
    ],
)
def test_every_way_to_go_wrong_is_seen(tmp_path: Path, case: str, agent: str, kind: str, reason: str) -> None:
    """The first ends with everything done and told, after goods were sent without proof."""
    after = play(CASES, CASES.cases[case], shipped_agent(agent)(WORLD, 0))
    found = diff_of(tmp_path, {case: solved(case)}, {case: after})
    assert [(flip.kind, flip.case) for flip in found.flips] == [(kind, case)]
    assert found.flips[0].reason.startswith(reason)


def test_a_run_that_code_cannot_decide_is_not_counted(tmp_path: Path) -> None:
    trap = "used_item-1"
    wrong, unclear = (
        play(CASES, CASES.cases[trap], shipped_agent(agent)(WORLD, 0)) for agent in ("silent", "keywords")
    )
    for side, talks in (("before", (wrong, solved(trap))), ("after", (wrong, unclear))):
        for run, talk in enumerate(talks, start=1):
            file_run(tmp_path / side, "agent", run, [talk])
    (flip,) = diff_runs(tmp_path / "before", tmp_path / "after").flips
    assert (flip.kind, flip.before, flip.after) == ("newly wrong", "1 of 2", "1 of 1")


def test_a_refused_request_is_newly_wrong(tmp_path: Path) -> None:
    found = diff_of(tmp_path, right(), right() | {TWIN: refused(TWIN)})
    assert [(flip.kind, flip.case) for flip in found.flips] == [("newly wrong", TWIN)]


def test_a_conversation_that_the_agent_broke_off_is_wrong(tmp_path: Path) -> None:
    ending = replace(solved(TRAP).ending, kind="broke", cause="agent_error")
    found = diff_of(tmp_path, right(), right() | {TRAP: replace(solved(TRAP), ending=ending)})
    assert [(flip.kind, flip.reason) for flip in found.flips] == [("newly wrong", "broke off: agent error")]


def test_the_same_folder_or_two_agents_in_one_cannot_be_compared(tmp_path: Path) -> None:
    one = file_run(tmp_path, "a", 1, right().values())
    with pytest.raises(Problem, match="on both sides"):
        diff_runs(one, tmp_path / "." / one.name)
    other = file_run(tmp_path, "b", 1, right().values())
    with pytest.raises(Problem, match="holds runs of a, b"):
        diff_runs(tmp_path, other)


def test_what_was_wrong_and_is_wrong_in_another_way_is_not_no_worse(tmp_path: Path) -> None:
    for agent in ("silent", "hands-over"):
        drive(run_job(job_on("tracking", [agent], out=tmp_path / agent)))
    found = diff_runs(tmp_path / "silent", tmp_path / "hands-over")
    assert found.status == "undecided" and not found.flips
    assert "needless handovers went from 0% to 100%" in found.why
    console = Console(width=200)
    with console.capture() as printed:
        console.print(diff_view(found))
    assert "Of these cases, none flipped." in printed.get() and "flipped cases above" not in printed.get()
    assert diff_runs(tmp_path / "hands-over", tmp_path / "silent").status == "no worse"
