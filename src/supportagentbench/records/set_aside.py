"""Set aside: an attempt at a conversation that does not count, because another one took its place."""

from collections import Counter
from collections.abc import Collection
from typing import Literal, get_args

from supportagentbench.records.counts import counted
from supportagentbench.records.name import Id, RunNumber
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Cause, Transcript

WhyAside = Cause | Literal["repeated", "fresh", "gone"]
"""Why it does not count: what broke it off; `repeated`: an earlier, interrupted one counts; `fresh`: its run
was started over; `gone`: it was stored, and is no longer on file."""

WORDS: dict[WhyAside, str] = {
    "repeated": "after an interruption",
    "fresh": "started over with --fresh",
    "gone": "stored and no longer on file",
    **{cause: cause.replace("_", " ") for cause in get_args(Cause)},
}


class SetAside(Record, tag_field="record", tag="set_aside/1"):
    """One such attempt."""

    case: Id
    run: RunNumber
    why: WhyAside
    writes: int | None = 0
    """Calls in it that changed something; None: it is gone, so it is not known."""


def set_aside_of(transcript: Transcript, why: WhyAside) -> SetAside:
    """What is kept of an attempt."""
    writes = sum(call.result.wrote for turn in transcript.turns for call in turn.calls)
    return SetAside(transcript.case, transcript.run, why, writes)


def set_aside_note(attempts: Collection[SetAside]) -> str:
    """How many attempts were set aside, why, and how many had changed something; empty if none was."""
    if not attempts:
        return ""
    why = Counter(WORDS[one.why] for one in attempts)
    held, unknown = sum(bool(one.writes) for one in attempts), sum(one.writes is None for one in attempts)
    were = "attempt was" if len(attempts) == 1 else "attempts were"
    causes = ", ".join(f"{count} {words}" for words, count in why.most_common())
    rest = f", {unknown} unknown" if unknown else ""
    return f"{len(attempts)} {were} set aside and run again ({causes}); {held or 'none'} held a write{rest}"


def by_case(attempts: Collection[SetAside]) -> list[str]:
    """One line for every case and cause, for readers who want to know which."""
    found = Counter((one.case, one.run, WORDS[one.why], _writes(one)) for one in attempts)
    return [
        f"{case}, run {run}: {words}, {writes}" + (f" ({counted(times, 'time')})" if times > 1 else "")
        for (case, run, words, writes), times in sorted(found.items())
    ]


def _writes(attempt: SetAside) -> str:
    return "writes unknown" if attempt.writes is None else counted(attempt.writes, "write")
