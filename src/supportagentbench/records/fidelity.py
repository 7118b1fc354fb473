"""Fidelity: how well a run's customers kept to their part, counted from the record."""

from collections import Counter
from collections.abc import Iterable

from supportagentbench.records.record import Record
from supportagentbench.records.transcript import CustomerState, Transcript

UNHEARD = "unheard"
"""The fault of a model, or of a filter in front of it, that would not read the agent's words at all."""

MISREADINGS = ("garbled", "unquoted", "deaf", "unread", UNHEARD)
"""Faults of hearing; all others are faults of a draft."""


class Fidelity(Record):
    """How the customers' messages after the opening were written, and the faults found along the way."""

    messages: int = 0
    by_model: int = 0
    """Of these, worded by a model; of those, `retried` at the second attempt."""
    retried: int = 0
    fell_back: int = 0
    """Worded by the script, because no draft could be sent."""
    unread: int = 0
    """Answers to words that the model could not read, so that tables read them."""
    broke_off: int = 0
    """Conversations that ended because there was no model to speak."""
    faults: dict[str, int] = {}
    """How often each fault was found; none of these drafts was sent."""


def fidelity_of(transcripts: Iterable[Transcript]) -> Fidelity:
    """The customers of these conversations, taken together."""
    conducts: list[CustomerState] = []
    broke_off = 0
    for transcript in transcripts:
        made = (turn.conduct for turn in transcript.turns[1:] if turn.conduct)
        conducts += [conduct for conduct in made if conduct.worded_by != "person"]
        broke_off += transcript.ending.cause == "customer_error"
    faults = Counter(fault for conduct in conducts for fault in conduct.faults)
    by_model = [conduct for conduct in conducts if conduct.worded_by == "model"]
    return Fidelity(
        messages=len(conducts),
        by_model=len(by_model),
        retried=sum(not set(conduct.faults) <= set(MISREADINGS) for conduct in by_model),
        fell_back=sum(conduct.worded_by == "fallback" for conduct in conducts),
        unread=faults["unread"],
        broke_off=broke_off,
        faults=dict(sorted(faults.items())),
    )


def refused_words(customer: Fidelity) -> bool:
    """Whether a model, or a filter in front of it, refused to read or to write."""
    return not {UNHEARD, "refusal"}.isdisjoint(customer.faults)


def together(found: Iterable[Fidelity]) -> Fidelity | None:
    """Many conversations' figures in one; None where there are none."""
    parts = list(found)
    if not parts:
        return None
    faults: Counter[str] = Counter()
    for one in parts:
        faults.update(one.faults)
    return Fidelity(
        messages=sum(one.messages for one in parts),
        by_model=sum(one.by_model for one in parts),
        retried=sum(one.retried for one in parts),
        fell_back=sum(one.fell_back for one in parts),
        unread=sum(one.unread for one in parts),
        broke_off=sum(one.broke_off for one in parts),
        faults=dict(sorted(faults.items())),
    )
