"""Acts judged: what cannot be seen or has no end is not judged, and what was done elsewhere counts."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from recorded import made_once
from shadow_tickets import played
from supportagentbench.checks.acts_judged import DoneElsewhere, acts_judged
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Ending, ToolResult, Transcript
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.transcripts import read_transcripts


@pytest.fixture(scope="module")
def talks() -> list[Transcript]:
    return [filed.transcript for filed in read_transcripts(run_folder())]


@pytest.fixture(scope="module")
def run() -> Run:
    return read_header(run_folder())


def run_folder() -> Path:
    runs = made_once("shadow-week", played) / "out" / "runs"
    return next(folder for folder in runs.iterdir() if "Giver" in folder.name)


def right_one(talks: list[Transcript], run: Run) -> Transcript:
    return next(one for one in talks if (judged := acts_judged(one, run)).right and "reship" in judged.acts)


def test_a_talk_that_broke_off_is_not_judged(talks: list[Transcript], run: Run) -> None:
    broke = replace(right_one(talks, run), ending=Ending("broke", "time_out"))
    assert (acts_judged(broke, run).right, acts_judged(broke, run).ground) == (None, "broke")


def test_a_breach_stays_one_if_the_talk_broke_off(talks: list[Transcript], run: Run) -> None:
    breach = next(one for one in talks if acts_judged(one, run).ground == "breach")
    assert acts_judged(replace(breach, ending=Ending("broke", "time_out")), run).right is False


def test_acts_that_nobody_can_see_are_not_taken_for_none(talks: list[Transcript], run: Run) -> None:
    seen = next(one for one in talks if not acts_judged(one, run).acts)
    assert acts_judged(seen, replace(run, hides_acts=True)).ground == "unseen"


def test_what_people_did_counts_though_this_desk_refuses_it(talks: list[Transcript], run: Run) -> None:
    refused = _with_every_act_refused(right_one(talks, run), run)
    theirs = acts_judged(refused, run, DoneElsewhere())
    assert (theirs.right, theirs.ground, theirs.acts, theirs.dollars) == (
        None,
        "impossible",
        ("reship",),
        run.vocabulary.worth,
    )
    assert acts_judged(refused, run).acts == ()


def test_an_act_without_a_tool_leaves_the_policy_silent(talks: list[Transcript], run: Run) -> None:
    elsewhere = DoneElsewhere(("credit",), 25)
    found = acts_judged(right_one(talks, run), run, elsewhere)
    assert (found.right, found.ground, found.effects) == (None, "beyond", ("credit", "edit_line"))
    assert found.dollars == run.vocabulary.worth + 25


def _with_every_act_refused(talk: Transcript, run: Run) -> Transcript:
    turns = [
        replace(
            turn,
            calls=tuple(
                replace(call, result=ToolResult.refused("no")) if call.tool in run.vocabulary.by_act else call
                for call in turn.calls
            ),
        )
        for turn in talk.turns
    ]
    return replace(talk, turns=tuple(turns))
