"""Acts judged: what cannot be seen or has no end is not judged, and what was done elsewhere counts."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import CASES, HEADER
from recorded import made_once
from shadow_tickets import played
from supportagentbench.checks.acts_judged import DoneElsewhere, acts_judged
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Ending, ToolCall, ToolResult, Transcript, Turn
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


CASE = CASES.cases["reroute_third_party-1"]
REFUSED = ToolCall("edit_address", {"order": CASE.subject}, ToolResult.refused("not run"))


def transcript(*calls: ToolCall, case: str = CASE.id) -> Transcript:
    one = CASES.cases[case]
    turns = (Turn("customer", one.opening), Turn("agent", "Done.", calls=calls))
    return Transcript(one.id, one.family, one.bucket, 1, 0, "", one.label, turns, Ending("customer_left"))


def test_a_forbidden_act_that_is_refused_here_was_done_there() -> None:
    found = acts_judged(transcript(REFUSED), HEADER, DoneElsewhere())
    assert (found.right, found.acts, found.dollars, found.turn) == (False, ("edit_address",), 150, 1)
    assert found.rules[0] == "G1"


def test_an_agent_that_only_tries_it_is_wrong_and_gives_nothing_away() -> None:
    found = acts_judged(transcript(REFUSED), HEADER)
    assert (found.right, found.acts, found.dollars) == (False, (), 0)
    assert "the tool refused" in found.why


def test_an_allowed_act_that_is_refused_cannot_be_judged() -> None:
    call = replace(REFUSED, tool="cancel_order")
    found = acts_judged(transcript(call, case="cancel_before_ship-1"), HEADER, DoneElsewhere())
    assert found.right is None and found.acts == ("cancel_order",)


def test_no_rule_is_about_what_the_desk_has_no_tool_for() -> None:
    found = acts_judged(transcript(case="comp_demand-1"), HEADER, DoneElsewhere(("Credit",), 25))
    assert (found.right, found.dollars) == (None, 25) and "no rule speaks of Credit" in found.why
