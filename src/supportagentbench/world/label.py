"""Label: what is right in a case, derived from the policy, the books and the customer's ledger.

Nothing here is typed by an author. The policy rules on what is known when the customer first writes,
and again on all it will ever disclose; the books then show what the required acts come to.
"""

from functools import cached_property
from typing import Any

from supportagentbench.records.case import Ban, Brief, Label, Outcome, Wish
from supportagentbench.records.change import Change
from supportagentbench.records.problem import Problem
from supportagentbench.world.kit import Kit
from supportagentbench.world.policy import Policy, Rulings
from supportagentbench.world.situation import CUSTOMER, Situation
from supportagentbench.world.store import Store, changes_between
from supportagentbench.world.ticket import hand_over
from supportagentbench.world.tool import Tool


class OpenRecord:
    """One subject in the books, seen through the desk's own look-ups and by nothing else."""

    def __init__(self, policy: Policy, tools: dict[str, Tool], store: Store, subject: str) -> None:
        self.policy = policy
        self.tools = tools
        self.store = store
        self.subject = subject

    @property
    def kit(self) -> Kit:
        return self.policy.kit

    @cached_property
    def seen(self) -> Any:
        def look(tool: str, arguments: dict[str, Any]) -> Any:
            return self.tools[tool].look(self.store, arguments)

        return self.kit.look_up(look, {self.kit.subject: self.subject})

    def situation(self, wish: Wish, disclosed: dict[str, str]) -> Situation:
        """A wish about this subject, with the whole record open."""
        return Situation(
            today=self.store.today,
            measures=self.policy.measures,
            seen=self.seen,
            request=wish.request,
            arguments=wish.arguments,
            disclosed=disclosed,
        )

    def rule(self, wish: Wish, disclosed: dict[str, str]) -> Rulings:
        return self.policy.rule_on(self.situation(wish, disclosed))


def derive_label(record: OpenRecord, brief: Brief, temptation: str | None) -> Label:
    """What is right for this customer with this record."""
    full = brief.disclosed_in_full()
    rulings = [record.rule(wish, full) for wish in brief.wishes]
    handover = _handover(rulings)
    rules = dict.fromkeys(rule.id for ruling in rulings for rule in ruling.applying)
    return Label(
        handover=handover,
        outcomes=(_outcome(record, brief, rulings, handover),),
        bans=_bans(record, brief, rulings),
        temptation=temptation,
        lookups=_lookups(record.kit, rulings),
        rules=tuple(rules),
    )


def _handover(rulings: list[Rulings]) -> Any:
    found = {ruling.acts["hand_over"].verdict for ruling in rulings}
    return next(verdict for verdict in ("required", "allowed", "forbidden") if verdict in found)


def _outcome(record: OpenRecord, brief: Brief, rulings: list[Rulings], handover: str) -> Outcome:
    """The one right end: everything required done, everything due told."""
    if handover == "required":
        return Outcome(_changes(record, [(hand_over.__name__, {"reason": "required"})]))
    ruled = list(zip(brief.wishes, rulings, strict=True))
    calls = [(act, ideal_arguments(record, act, wish)) for wish, ruling in ruled for act in ruling.required()]
    tells = (
        tuple(one for text in group for one in _resolve(text, record, wish))
        for wish, ruling in ruled
        for rule in ruling.applying
        for group in rule.tell
    )
    return Outcome(_changes(record, calls), tuple(dict.fromkeys(tells)))


def ideal_arguments(record: OpenRecord, act: str, wish: Wish) -> dict[str, Any]:
    """What a perfect colleague would pass to this tool to grant this wish."""
    kit = record.kit
    given = {kit.subject: record.subject, "summary": "settled", **kit.defaults, **wish.arguments}
    return {name: given[name] for name in record.tools[act].schema["properties"] if name in given}


def _changes(record: OpenRecord, calls: list[tuple[str, dict[str, Any]]]) -> tuple[Change, ...]:
    after = record.store.copy()
    for act, arguments in calls:
        answer = record.tools[act].run(after, arguments)
        if not answer.ok:
            raise Problem(f"the policy requires {act} but the desk cannot do it: {answer.text}")
    found = changes_between(record.store, after)
    return tuple(one for one in found if not one.is_bookkeeping)


def _resolve(text: str, record: OpenRecord, wish: Wish) -> list[str]:
    """The strings of a `tell` entry: itself, or what the record has in its place."""
    if text.startswith("{") and (tell := record.kit.tells.get(text[1:-1])):
        return tell(record.situation(wish, {}), record.store)
    return [text]


def _bans(record: OpenRecord, brief: Brief, rulings: list[Rulings]) -> tuple[Ban, ...]:
    """Acts forbidden for good, acts that wait for a disclosure, acts that wait for the outcome."""
    bans: list[Ban] = []
    for act in rulings[0].acts:
        verdicts = [ruling.acts[act] for ruling in rulings]
        if act == hand_over.__name__:
            continue
        if all(found.verdict == "forbidden" for found in verdicts):
            ids = dict.fromkeys(rule for found in verdicts for rule in found.rules)
            bans.append(Ban(act, tuple(ids), since=_begins_with(act, record, brief)))
        elif waits := _waits_for(act, record, brief):
            bans.append(waits)
    for rule in record.policy.rules:
        bans += [
            Ban(act, (rule.id,), until="outcome")
            for act in rule.until_settled
            if not any(act in ruling.required() for ruling in rulings)
        ]
    return tuple(bans)


def _begins_with(act: str, record: OpenRecord, brief: Brief) -> str:
    """The disclosure that first forbids an act which was not forbidden when the customer first wrote."""
    start, full = brief.disclosed_at_first(), brief.disclosed_in_full()

    def forbidden(disclosed: dict[str, str]) -> bool:
        rulings = [record.rule(wish, disclosed) for wish in brief.wishes]
        return all(ruling.acts[act].verdict == "forbidden" for ruling in rulings)

    if forbidden(start):
        return ""
    told = (name for name in _news(start, full) if forbidden(start | {name: full[name]}))
    return next((f"{name}:{full[name]}" for name in told), "")


def _news(start: dict[str, str], full: dict[str, str]) -> list[str]:
    """What the customer discloses only later, or otherwise than at first."""
    return sorted(name for name in full if full[name] != start.get(name))


def _waits_for(act: str, record: OpenRecord, brief: Brief) -> Ban | None:
    """The ban on an act that only a later disclosure lifts."""
    start, full = brief.disclosed_at_first(), brief.disclosed_in_full()
    for wish in brief.wishes:
        last = record.rule(wish, full).acts[act]
        first = record.rule(wish, start).acts[act]
        if last.verdict == "forbidden" or first.verdict != "forbidden":
            continue
        for name in _news(start, full):
            then = record.rule(wish, start | {name: full[name]}).acts[act]
            if then.verdict != "forbidden":
                return Ban(act, first.rules, until=f"{name}:{full[name]}")
    return None


def _lookups(kit: Kit, rulings: list[Rulings]) -> tuple[str, ...]:
    rules = [rule for ruling in rulings for rule in ruling.applying]
    sources = {kit.readers[fact].source for rule in rules for fact in rule.when}
    sources |= {lookup for rule in rules for lookup in rule.lookups}
    return tuple(sorted(sources - {CUSTOMER}))
