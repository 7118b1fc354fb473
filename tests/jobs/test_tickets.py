"""Tickets job: what people and agents did, judged by one policy, from the same point on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from conversations import WORLD
from real_tickets import cases_of, customer, desk, desk_map, did, imported, known, map_file, note, ticket
from recorded import made_once
from shadow_tickets import AGENTS, WEEK, played
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.jobs.job import open_job
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.spec import JobSpec, TicketSpec
from supportagentbench.jobs.tickets import difference, shadow_week
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json, to_json
from supportagentbench.records.shadow import ActsJudged, ShadowTicket, ShadowWeek
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.runner.conversation import hold
from supportagentbench.shadow.human_record import human_record
from supportagentbench.shadow.resume_point import turns_of
from supportagentbench.storage.archive import begun_in
from supportagentbench.storage.transcripts import TRANSCRIPTS, read_transcripts

GIVER, DOUBTER = AGENTS


@pytest.fixture(scope="module")
def folder() -> Path:
    return made_once("shadow-week", played)


@pytest.fixture(scope="module")
def week(folder: Path) -> ShadowWeek:
    return from_json((folder / "out" / "week.json").read_bytes(), ShadowWeek)


def right_by_agent(one: ShadowTicket) -> dict[str, bool | None]:
    return {tried.agent: tried.judged.right for tried in one.tries}


def test_every_ticket_is_resumed_or_left_out_with_a_reason(week: ShadowWeek) -> None:
    assert week.tickets == len(WEEK) == len(week.resumed) + sum(week.left_out.values())
    assert set(week.left_out) == {
        "spam",
        "the map does not say what 'bless' is; add it under `acts`",
    }


def test_people_are_judged_by_the_policy_and_not_taken_for_right(week: ShadowWeek) -> None:
    found = [(one.request, one.judged.right, one.judged.ground) for one in week.resumed]
    assert found == [
        ("damage", True, "done"),
        ("damage", True, "done"),
        ("damage", False, "breach"),
        ("not_received", True, "done"),
        ("not_received", False, "breach"),
        ("not_received", True, "done"),
        ("cancel", True, "done"),
        ("cancel", True, "done"),
        ("not_received", True, "passed_on"),
        ("return", False, "missed"),
        ("return", True, "done"),
        ("compensation", None, "beyond"),
        ("damage", None, "fact"),
        ("status", True, "done"),
    ]


def test_only_facts_that_decide_are_named(week: ShadowWeek) -> None:
    damage, status = week.resumed[12:]
    assert damage.unknown == ("age", "claims", "proof", "sent_again") and status.unknown == ("stage",)
    assert (damage.in_books, status.in_books) == (True, False)


def test_people_in_danger_are_known_by_the_rule_for_them(week: ShadowWeek) -> None:
    assert [one.request for one in week.resumed if one.is_danger] == ["not_received"]
    assert week.resumed[8].is_danger and "J2" in week.resumed[8].judged.rules


def test_agents_are_judged_by_the_same_policy(week: ShadowWeek) -> None:
    refused, given = week.resumed[3], week.resumed[4]
    assert right_by_agent(refused) == {GIVER: False, DOUBTER: True}
    assert right_by_agent(given) == {GIVER: False, DOUBTER: True}
    threat = week.resumed[8]
    assert {one.agent: one.difference for one in threat.tries} == {GIVER: "taken_on", DOUBTER: "same"}


def test_a_breach_is_at_its_turn_of_the_side_s_own_talk(week: ShadowWeek) -> None:
    given = week.resumed[4]
    assert given.judged.turn is not None
    assert given.human[given.judged.turn].calls[0].tool == "reship"
    [tried] = [one for one in week.resumed[3].tries if one.agent == GIVER]
    assert tried.judged.turn is not None and tried.talk[tried.judged.turn].calls


def test_what_was_looked_up_is_not_in_the_record(week: ShadowWeek) -> None:
    calls = [
        call for one in week.resumed for tried in one.tries for turn in tried.talk for call in turn.calls
    ]
    assert calls and all(bytes(call.result.written) == b"" for call in calls)


def test_every_rule_that_is_named_has_its_text(week: ShadowWeek) -> None:
    sides = [one for ticket in week.resumed for one in (ticket.judged, *(one.judged for one in ticket.tries))]
    assert {rule for one in sides for rule in one.rules} == {*week.rules}


NOTHING = ActsJudged()
SENT = ActsJudged(("reship",), effects=("reship",), dollars=80)
HANDED = ActsJudged(("hand_over",), effects=("hand_over",))


@pytest.mark.parametrize(
    ("ours", "theirs", "found"),
    [
        (NOTHING, NOTHING, "same"),
        (SENT, replace(SENT, acts=("reship", "reship")), "same"),
        (SENT, NOTHING, "more_generous"),
        (NOTHING, SENT, "stricter"),
        (HANDED, SENT, "handed_over"),
        (SENT, HANDED, "taken_on"),
        (ActsJudged(("cancel_order",), effects=("cancel_order",)), NOTHING, "other"),
        (NOTHING, ActsJudged(beyond=("credit",), effects=("credit",)), "other"),
        (replace(NOTHING, ground="broke"), NOTHING, "unknown"),
        (replace(NOTHING, ground="unseen"), NOTHING, "unknown"),
    ],
)
def test_a_difference_is_in_who_decides_then_in_money_then_in_acts(
    ours: ActsJudged, theirs: ActsJudged, found: str
) -> None:
    assert difference(ours, theirs) == found


ORDER = 'subject: "#4711"'
UNSHIPPED = f"{{{ORDER}, facts: {{stage: unfulfilled}}}}"
SHIPPED = f"{{{ORDER}, facts: {{stage: shipped}}}}"
CANCEL = customer("Please cancel my order #4711.")
STOPS = (desk("Hello! How can I help?"), CANCEL, did("stop order"), desk("Done."))
GIVES = (CANCEL, did("coupon", value="20"), desk("We can't. Have a coupon."))
LOOKS = (customer("Where is my order #4711?"), did("open order"), desk("Under way."), customer("Thanks!"))


def spec(
    path: Path, *tickets: SupportTicket, known: tuple[str, ...] = (), agents: str = "by-the-book"
) -> JobSpec:
    """Agents on tickets of which this is known."""
    given = TicketSpec(imported(path / "import", *tickets), map_file(path / "map.yaml", *known))
    return JobSpec("northline", (*agents.split(),), out=path / "runs", tickets=given)


def played_week(asked: JobSpec) -> ShadowWeek:
    """The week once all is played."""
    job = open_job(asked)
    assert drive(run_job(job)).outcome == "complete"
    return shadow_week(job.spec, job)


def three(path: Path, agents: str = "by-the-book") -> JobSpec:
    """A wrong cancellation, a refusal with a coupon, and a question."""
    tickets = ticket(*STOPS), ticket(*GIVES, id="t-2"), ticket(*LOOKS, id="t-3", kind="where")
    told = f"t-1: {SHIPPED}", f"t-2: {SHIPPED}", f"t-3: {{{ORDER}}}"
    return spec(path, *tickets, ticket(kind="weather", id="t-4"), known=told, agents=agents)


def test_people_and_agents_are_side_by_side(tmp_path: Path) -> None:
    week = played_week(three(tmp_path, agents="oracle hands-over"))
    assert (week.world, week.source, week.tickets, week.unapproved) == ("northline", "zendesk", 4, 0)
    assert (week.world_digest, week.customer) == (WORLD.digest, "scripted")
    assert list(week.left_out.values()) == [1] and week.titles["cancel_order"] == "cancel the order"
    stops, gives, looks = week.resumed
    assert (stops.request, stops.kind, stops.facts, stops.unknown) == (
        "cancel",
        "stop",
        {"stage": "shipped"},
        (),
    )
    assert (stops.person, stops.required) == ("Emma Example", ())
    assert (stops.judged.acts, stops.judged.right, stops.judged.dollars) == (("cancel_order",), False, 120)
    assert (gives.judged.beyond, gives.judged.right, gives.judged.dollars) == (("coupon",), None, 20)
    assert (looks.judged.acts, looks.judged.right, looks.unknown) == ((), True, ("stage",))
    tries = {(one.ticket, made.agent): made for one in week.resumed for made in one.tries}
    assert {key: (made.judged.right, made.difference, made.dollars) for key, made in tries.items()} == {
        ("t-1", "oracle"): (True, "stricter", -120),
        ("t-1", "hands-over"): (True, "handed_over", -120),
        ("t-2", "oracle"): (True, "stricter", -20),
        ("t-2", "hands-over"): (True, "handed_over", -20),
        ("t-3", "oracle"): (True, "same", 0),
        ("t-3", "hands-over"): (False, "handed_over", 0),
    }


def test_what_the_policy_requires_is_named(tmp_path: Path) -> None:
    (one,) = played_week(spec(tmp_path, ticket(*GIVES), known=(f"t-1: {UNSHIPPED}",))).resumed
    assert one.required == ("cancel_order",)


def test_an_act_of_people_that_this_desk_cannot_do_is_no_agreement_with_doing_nothing(tmp_path: Path) -> None:
    lost = f"{{request: not_received, {ORDER}, facts: {{stage: delivered}}}}"
    one = ticket(CANCEL, did("send again"), desk("Sent."))
    (found,) = played_week(spec(tmp_path, one, known=(f"t-1: {lost}",), agents="silent")).resumed
    assert (found.judged.acts, found.judged.right) == (("reship",), None)
    assert "cannot be carried out at this desk" in found.judged.why
    assert found.tries[0].difference == "stricter"


def test_the_talk_up_to_the_resume_point_is_the_tickets_to_the_byte_in_every_record(tmp_path: Path) -> None:
    odd = "  Zw\u00f6lf\tSt\u00fcck,\r\nbitte! \u202e \U0001f469\u200d\U0001f692 {order} <b>&amp; \\n ````  "
    asks = (customer(odd), did("open order"), note("hm"), customer("Cancel it.", "a.jpg"))
    one = ticket(desk("Hello! "), *asks, *STOPS[2:])
    asked = spec(tmp_path, one, known=(f"t-1: {UNSHIPPED}",), agents="oracle silent")
    week = played_week(asked)
    filed = [one.transcript.turns for run in begun_in(asked.out) for one in read_transcripts(run)]
    for turns in (week.resumed[0].history, *filed):
        said = [(one.party, one.text.encode(), [file.name for file in one.attachments]) for one in turns[:2]]
        assert said == [("agent", b"Hello! ", []), ("customer", f"{odd}\n\nCancel it.".encode(), ["a.jpg"])]
    assert len(filed) == 2 and week.resumed[0].human[0].text == "Done."


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
SAID = st.lists(st.tuples(st.sampled_from([customer, desk]), TEXT), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(before=SAID, after=SAID, agent=st.sampled_from(["oracle", "silent", "complies"]))
def test_whatever_was_written_nobody_sees_it_changed(before: list[Any], after: list[Any], agent: str) -> None:
    events = [write(text) for write, text in before] + [customer("Please cancel #4711."), did("stop order")]
    one = ticket(*events, *(write(text) for write, text in after))
    cases = cases_of(one, desk_map(known({"stage": "unfulfilled"})))
    made, case = cases.resumed["t-1"], cases.cases["t-1"]
    history = [(turn.party, turn.text, turn.attachments) for turn in turns_of(events)]
    seat = HouseSeat(shipped_agent(agent)(WORLD, 1))
    people = asyncio.run(human_record(cases, made)).transcript.turns
    talked = asyncio.run(hold(cases, case, seat, ScriptedVoice())).turns
    assert to_json(people[: len(history)]) == to_json(talked[: len(history)])
    for turns in (people, talked):
        assert [(turn.party, turn.text, turn.attachments) for turn in turns[: len(history)]] == history
    told = turns_of([event for event in made.point.later if event.kind == "message"])
    assert [turn.text for turn in people[len(history) :] if turn.party == "customer"] == [
        turn.text for turn in told if turn.party == "customer"
    ]


def test_a_run_that_was_killed_is_finished_and_the_week_is_that_of_a_whole_one(tmp_path: Path) -> None:
    asked = three(tmp_path)
    whole = played_week(asked)
    (run,) = begun_in(asked.out)
    lines = (run / TRANSCRIPTS).read_bytes().splitlines(keepends=True)
    (run / TRANSCRIPTS).write_bytes(lines[0] + lines[1][:40])
    job = open_job(asked)
    assert [len(one.tries) for one in shadow_week(job.spec, job).resumed].count(0) == 2
    assert to_json(played_week(asked)) == to_json(whole)
    assert begun_in(asked.out) == [run]


def test_a_second_agent_joins_the_first(tmp_path: Path) -> None:
    asked = three(tmp_path)
    played_week(asked)
    week = played_week(asked.with_(agents=("hands-over",)))
    assert {made.agent for one in week.resumed for made in one.tries} == {"by-the-book", "hands-over"}


def test_a_map_that_only_calls_people_acts_otherwise_needs_no_new_runs(tmp_path: Path) -> None:
    asked = three(tmp_path)
    played_week(asked)
    assert asked.tickets and asked.tickets.desk_map
    text = asked.tickets.desk_map.read_text()
    asked.tickets.desk_map.write_text(text.replace("stop order: cancel_order", "stop order: beyond"))
    assert played_week(asked).resumed[0].judged.beyond == ("stop order",)


def test_without_a_ticket_to_resume_there_is_no_job(tmp_path: Path) -> None:
    with pytest.raises(
        Problem, match=r"no ticket that can be resumed \(1 × the map does not say what its customer"
    ):
        open_job(spec(tmp_path, ticket(*STOPS, kind="weather")))


def test_what_nobody_has_approved_is_hidden_from_all(tmp_path: Path) -> None:
    text = "Zebulon wants to cancel order #4711."
    doubtful = replace(customer(text), doubts=((0, 7),))
    unread = ticket(doubtful, *STOPS[2:], approved=False)
    asked = spec(tmp_path, unread, ticket(*STOPS, id="t-2"), known=(f"t-1: {UNSHIPPED}",))
    week = played_week(asked)
    assert week.unapproved == 1
    assert week.resumed[0].history[0].text == "▒▒▒▒▒▒▒ wants to cancel order #4711."
    for path in asked.out.rglob("*"):
        assert not path.is_file() or b"Zebulon" not in path.read_bytes()
    assert b"Zebulon" not in to_json(week)


def test_a_ticket_about_nothing_that_is_known_is_counted_nowhere(tmp_path: Path) -> None:
    week = played_week(spec(tmp_path, ticket(*STOPS), agents="oracle hands-over"))
    (one,) = week.resumed
    assert one.judged.right is None and [made.judged.right for made in one.tries] == [None, None]


def test_an_amount_that_the_export_does_not_say_is_no_difference_and_is_said(tmp_path: Path) -> None:
    given = ticket(CANCEL, did("coupon", value="a lot"))
    (one,) = played_week(spec(tmp_path, given, known=(f"t-1: {SHIPPED}",))).resumed
    assert one.judged.why.endswith("the export does not say how much it gave away")
    assert (one.tries[0].difference, one.tries[0].dollars) == ("other", 0)


@pytest.mark.parametrize("change", ["map", "world"])
def test_runs_by_other_facts_or_rules_do_not_count(tmp_path: Path, change: str) -> None:
    asked = three(tmp_path)
    played_week(asked)
    assert asked.tickets and asked.tickets.desk_map
    if change == "map":
        text = asked.tickets.desk_map.read_text()
        asked.tickets.desk_map.write_text(text.replace("stage: shipped", "stage: unfulfilled"))
    else:
        header = asked.out / "by-the-book-1" / "run.json"
        header.write_text(header.read_text().replace(WORLD.digest, "0" * len(WORLD.digest)))
    job = open_job(asked)
    assert not any(one.tries for one in shadow_week(job.spec, job).resumed)


def test_without_all_dollars_only_acts_tell() -> None:
    unpriced = ActsJudged(beyond=("coupon",), effects=("coupon",), has_all_dollars=False)
    assert difference(SENT, unpriced) == "other"
