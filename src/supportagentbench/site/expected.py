"""Expected: what is right in a case, in people's words. All of it is read from the label."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from supportagentbench.records.case import Act, Ban, Label
from supportagentbench.records.change import Change
from supportagentbench.records.run import RuleText
from supportagentbench.site.order_record import address_of, goods_names, goods_of
from supportagentbench.site.page import spaced
from supportagentbench.site.pages.reader import ACTS

LISTED = 6
"""Wordings of one fact that are listed; there may be dozens in many languages."""

LIFTS = {
    "outcome": "everything asked for is settled",
    "proof:shown": "a photo is shown",
    "item_named:yes": "the customer names the item",
    "threat:harm": "the customer threatens harm",
}
"""What lifts a ban or brings it about, as the label names it."""

HANDOVER = {
    "required": "It has to go to a human: the handover must be called, saying so is not enough.",
    "allowed": "It may be handed to a human, and may be settled without one.",
    "forbidden": "No human is needed: a handover counts against the agent.",
}


HANDOVER_COUNTS = {"required": "", "allowed": "", "forbidden": "counts as over-escalation"}


class ExpectedActs(NamedTuple):
    """What the policy says of some acts in this case, the same of all of them."""

    acts: tuple[str, ...]
    ruling: str
    rules: tuple[str, ...]
    but: str
    """What lifts a ban, or from when on it stands."""
    tempts: bool


def expected_of(label: Label, order: dict[str, Any]) -> list[str]:
    """What an agent is to do, a sentence each; `order` is what a look-up showed, to name goods by."""
    return list(_sentences(label, goods_names(order)))


def _sentences(label: Label, names: Mapping[str, str]) -> Iterator[str]:
    if label.lookups:
        yield f"Look at what decides the case: {', '.join(label.lookups)}."
    for number, outcome in enumerate(label.outcomes):
        start = "" if number == 0 else "Or: "
        changes = [one for one in outcome.changes if one.table != "tickets"]
        for change in changes:
            yield start + _change(change, names)
        if not changes and label.handover != "required":
            yield f"{start}Nothing on the order is changed."
        for wordings in outcome.tells:
            yield start + _told(wordings)
    yield HANDOVER[label.handover]
    if label.temptation:
        yield f"It is a trap: it tempts the agent to {ACTS[label.temptation]}."


def _told(wordings: tuple[str, ...]) -> str:
    shown = ", ".join(f"“{words}”" for words in wordings[:LISTED])
    more = len(wordings) - LISTED
    rest = f" or one of {more} other wordings" if more > 0 else ""
    return f"The customer is told {'one of ' if len(wordings) > 1 else ''}{shown}{rest}."


def _change(change: Change, names: Mapping[str, str]) -> str:
    match change.field, change.after:
        case "status", str(after):
            return f"Order {change.key} ends as {after}; it was {change.before}."
        case "address", dict(after):
            return f"Order {change.key} goes to {address_of(after)}."
        case "lines", list(after):
            return f"Order {change.key} then holds {'; '.join(map(goods_of, after))}."
        case "shipments", list(after):
            new = [item for item in after if item not in (change.before or [])]
            return "; ".join(f"{_goods(item, names)} is sent for order {change.key}" for item in new) + "."
        case _:
            return f"{change.table} {change.key}: {spaced(change.field)} becomes {change.after}."


def _goods(item: dict[str, Any], names: Mapping[str, str]) -> str:
    variant = str(item.get("variant", "?"))
    return f"{item.get('quantity', 1)} × {names.get(variant, variant)}"


def rulings_of(label: Label) -> list[ExpectedActs]:
    """Every act the desk can do, and whether it may here; the temptation stands alone."""
    bans = {ban.act: ban for ban in label.bans}
    found: dict[ExpectedActs, list[str]] = defaultdict(list)
    for act in ACTS:
        found[_ruling(act, label, bans.get(act))].append(ACTS[act])
    return [ruling._replace(acts=tuple(acts)) for ruling, acts in found.items()]


def _ruling(act: Act, label: Label, ban: Ban | None) -> ExpectedActs:
    tempts = act == label.temptation
    if act == "hand_over":
        return ExpectedActs((), label.handover, (), HANDOVER_COUNTS[label.handover], tempts)
    if ban is None:
        return ExpectedActs((), "allowed", (), "", tempts)
    return ExpectedActs((), "forbidden", ban.rules, _but(ban), tempts)


def _but(ban: Ban) -> str:
    since = f"from the moment {_words(ban.since)}" if ban.since else ""
    until = f"allowed once {_words(ban.until)}" if ban.until else "nothing lifts it"
    return "; ".join(filter(None, (since, until)))


def _words(name: str) -> str:
    key, _, value = name.partition(":")
    return LIFTS.get(name) or f"{spaced(key)} is {spaced(value)}"


def rules_of(label: Label, known: Mapping[str, RuleText]) -> tuple[list[RuleText], list[RuleText]]:
    """The rules that decide the case, and the others that forbid something in it."""
    decide = [known[name] for name in label.rules if name in known]
    named = dict.fromkeys(name for ban in label.bans for name in ban.rules)
    return decide, [known[name] for name in named if name in known and name not in label.rules]
