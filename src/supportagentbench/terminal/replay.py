"""Replay: openings of real tickets are sent to several agents, and what to read first is printed."""

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from supportagentbench.jobs.job import Job
from supportagentbench.jobs.replay import replay_of
from supportagentbench.jobs.run import JobResult
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.counts import counted
from supportagentbench.records.record import to_json
from supportagentbench.records.replay import Replay, ReplayedTicket, TalkCourse, TalkDifference
from supportagentbench.storage.file import write_whole
from supportagentbench.terminal.escape import on_one_line
from supportagentbench.terminal.run import Showing, show_job
from supportagentbench.terminal.shadow import RUNS, planned_tickets
from supportagentbench.terminal.ticket_pages import REPLAY, page_name, write_page

MOST_READ, MOST_CONTRASTS, LONGEST_OPENING = 10, 2, 90
"""Tickets that are named, differences of each, and characters of its opening."""

KINDS: dict[TalkDifference, str] = {
    "asks": "they asked for different things",
    "claims": "they told different things",
    "course": "only the way there was different",
}
STANCES: dict[TalkCourse, str] = {
    "broke": "one broke off",
    "acted": "one acted in the shop and another did not",
    "handed_over": "one handed over and another did not",
    "silent": "one said nothing and another did",
    "refused": "one said no and another did not",
}
ONE_ASKS = "one asked back and another did not"
OTHERWISE = "they did or tried it in different ways"
WAYS = (*STANCES.values(), OTHERWISE, ONE_ASKS, *KINDS.values())
"""In the order in which the answer counts them."""

COURSES: dict[TalkCourse, str] = {
    "broke": "broke off",
    "handed_over": "handed over",
    "acted": "acted in the shop",
    "silent": "said nothing",
    "refused": "said no",
    "asked": "asked back",
    "answered": "answered",
}
"""In the order in which the report has them."""


def start_replay(asked: JobSpec, out: Path, showing: Showing, console: Console, yes: bool) -> int:
    """Send the openings to every agent; returns the exit code."""
    job, plans = planned_tickets(asked, out, showing, console, yes)

    def report(console: Console, runs: Path, done: JobResult) -> None:
        print_replay(console, stored_replay(job, out), out)

    code = show_job(job, plans, showing, console, report)
    if code == 0:
        stored_replay(job, out)
    return code


def stored_replay(job: Job, out: Path) -> Replay:
    """The comparison as far as it is, in its file with its page, which only this user can read."""
    replay = replay_of(job.spec, job)
    write_whole(out / REPLAY, to_json(replay) + b"\n", mode=0o600)
    write_page(out / REPLAY)
    return replay


def print_replay(console: Console, replay: Replay, out: Path) -> None:
    """The answer, then what to read first."""
    lines = [*_answer(replay), *replay.notes]
    console.print("", *(Text(on_one_line(line)) for line in lines), sep="\n", soft_wrap=True)
    console.print(*_reading(replay, out), sep="\n", soft_wrap=True)


def _answer(replay: Replay) -> Iterator[str]:
    """How often the agents did the same, and what each of them did."""
    compared = [one for one in replay.replayed if one.difference]
    if compared:
        who = "the two" if len(replay.agents) == 2 else f"the {len(replay.agents)} agents"
        same = sum(one.difference == "same" for one in compared)
        found = Counter(words for one in compared if (words := _in_short(one)))
        others = [f"in {found[words]} {words}" for words in WAYS if found[words]]
        yield (
            "; ".join([f"Of {counted(len(compared), 'ticket')}, {who} did the same in {same}", *others]) + "."
        )
    for agent in replay.agents:
        yield _of_agent(agent, replay)


def _in_short(one: ReplayedTicket) -> str:
    """The kind of difference as the answer counts it; empty: there is none."""
    if one.difference == "asks" and not all(talk.asked for talk in one.talks if talk.is_whole):
        return ONE_ASKS
    if one.difference != "acts":
        return KINDS.get(one.difference or "same", "")
    courses = [talk.course for talk in one.talks if talk.is_whole]
    does = {course: [one == course for one in courses] for course in STANCES}
    return next(
        (words for course, words in STANCES.items() if any(does[course]) and not all(does[course])), OTHERWISE
    )


def _of_agent(agent: str, replay: Replay) -> str:
    played = [talk for one in replay.replayed for talk in one.talks if talk.agent == agent]
    talks = [talk for talk in played if talk.is_whole]
    if not talks:
        return f"{agent}: no whole talk yet."
    courses = Counter(talk.course for talk in talks)
    done = ", ".join(f"{words} in {courses[course]}" for course, words in COURSES.items() if courses[course])
    messages = sum(talk.messages for talk in talks) / len(talks)
    words = sum(talk.words for talk in talks) / len(talks)
    known = [talk.cost for talk in played if talk.cost is not None]
    cost = f"${sum(known):,.4f}" if len(known) == len(played) else "price unknown"
    missing = replay.planned - len(talks)
    left = f"; {missing} not finished" if missing else ""
    return f"{agent}: {done}; {messages:.1f} messages and {words:.0f} words per ticket; {cost}{left}."


def _reading(replay: Replay, out: Path) -> Iterator[Text]:
    """The tickets in which most is different, with the command that shows them."""
    differing = [one for one in replay.replayed if one.difference not in (None, "same")]
    if differing:
        yield Text("\nRead first:", style="bold")
    for one in differing[:MOST_READ]:
        yield Text(on_one_line(f"  {one.ticket}  {_opening(one)}"))
        yield from (Text(on_one_line(f"    {contrast.words}")) for contrast in one.contrasts[:MOST_CONTRASTS])
        yield Text(on_one_line(f"    {command(one, out)}"), style="dim")
    if len(differing) > MOST_READ:
        more = counted(len(differing) - MOST_READ, "more ticket differs", "more tickets differ")
        yield Text(on_one_line(f"  {more}."))
    page = out / page_name(REPLAY)
    yield Text(on_one_line(f"The record is {out / REPLAY}; its page is {page} and opens by a double click."))


def _opening(one: ReplayedTicket) -> str:
    words = " ".join(one.opening.text.split())
    return f"“{words}”" if len(words) <= LONGEST_OPENING else f"“{words[:LONGEST_OPENING]}…”"


def command(one: ReplayedTicket, out: Path) -> str:
    """The command that shows the two talks of a ticket that differ most, beside each other."""
    first, *others = one.pair or tuple(talk.agent for talk in one.talks)
    words = ["sab", "show", str(out / RUNS), one.ticket, "--model", first]
    return shlex.join([*words, *(("--vs", others[0]) if others else ())])
