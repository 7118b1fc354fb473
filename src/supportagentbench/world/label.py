"""Label: what is right in a case, derived from the policy, the books and the customer's ledger.

Nothing here is typed by an author. The policy rules on the facts known when the customer first writes, and
again on everything it will ever disclose; the books then show the effect of the required acts.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import product
from typing import Any, Self

import msgspec

from supportagentbench.language.customer import PLAINLY
from supportagentbench.records.case import Ban, Brief, DecidingLookups, Label, RightEnd, Statement, Wish
from supportagentbench.records.change import Change
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Attachment
from supportagentbench.records.vocabulary import TICKET_ACTS
from supportagentbench.world.kit import Kit
from supportagentbench.world.policy import Policy, Rule, RuleStatement, Rulings, do_hold
from supportagentbench.world.situation import CUSTOMER, Situation
from supportagentbench.world.store import Store, changes_between
from supportagentbench.world.ticket import THIS, hand_over
from supportagentbench.world.tool import Tool, ToolFault


class OpenRecord:
    """One subject in the books, seen only through the desk's own look-ups."""

    files: tuple[Attachment, ...] = ()
    """What the customer will show."""

    def __init__(
        self,
        policy: Policy,
        tools: dict[str, Tool],
        store: Store,
        subject: str,
        faults: tuple[ToolFault, ...] = (),
        unknown: frozenset[str] = frozenset(),
    ) -> None:
        self.policy = policy
        self.unknown = unknown
        """Facts that are unknown unless the customer tells them, even if the books have a value."""
        self.faults = faults
        self.found_later: list[tuple[Wish, Any]] = []
        """Wishes that come after something was changed, each with the record as it is then."""
        self.tools = tools
        self.store = store
        self.subject = subject

    def showing(self, brief: Brief) -> Self:
        """The same record, with the files that the customer will show, and as later wishes find it."""
        shown = type(self)(self.policy, self.tools, self.store, self.subject, self.faults, self.unknown)
        shown.files = tuple(Attachment(one.name, one.kind, one.shows, one.details) for one in brief.evidence)
        full, store = brief.disclosed_in_full(), self.store
        for wish in brief.standing:
            if wish.raised == "later" and store is not self.store:
                shown.found_later.append((wish, shown._open(store)))
            store = shown._after(wish, full, store)
        return shown

    def _after(self, wish: Wish, disclosed: dict[str, str], store: Store) -> Store:
        """The books once this wish is granted as the policy requires."""
        acts = self.rule(wish, disclosed).required()
        if not acts or not {*acts}.isdisjoint(TICKET_ACTS):
            return store
        after = store.copy()
        for act in acts:
            self.tools[act].run(after, ideal_arguments(self, act, wish))
        return after

    @property
    def kit(self) -> Kit:
        return self.policy.kit

    @cached_property
    def seen(self) -> Any:
        return self._open(self.store)

    @cached_property
    def seen_with_files(self) -> Any:
        """The same once the customer has shown all its files."""
        store = self.store.copy()
        store.tickets[THIS] = msgspec.structs.replace(store.ticket, files=self.files)
        return self._open(store)

    def _open(self, store: Store) -> Any:
        def look(tool: str, arguments: dict[str, Any]) -> Any:
            return self.tools[tool].look(store, arguments)

        return self.kit.look_up(look, {self.kit.subject: self.subject}) if self.subject else None

    def situation(self, wish: Wish, disclosed: dict[str, str]) -> Situation:
        """A wish about this subject, with the whole record open."""
        return Situation(
            today=self.store.today,
            measures=self.policy.measures,
            seen=self._seen_by(wish, disclosed),
            request=wish.request,
            arguments={**wish.arguments, **wish.needs},
            disclosed=disclosed,
        )

    def _seen_by(self, wish: Wish, disclosed: dict[str, str]) -> Any:
        found = next((seen for later, seen in self.found_later if later is wish), None)
        if found is not None:
            return found
        return self.seen_with_files if self.files and "proof" in disclosed else self.seen

    def rule(self, wish: Wish, disclosed: dict[str, str]) -> Rulings:
        """What the policy says of a wish; with facts unknown, what it says for all their values."""
        now = self.situation(wish, disclosed)
        if not self.unknown:
            return self.policy.rule_on(now)
        told = {name: value for name, value in disclosed.items() if name in self.unknown}
        return self.policy.rulings_given(self.policy.facts_of(now, self.unknown) | told)


def in_plain_words(record: OpenRecord, wish: Wish) -> Wish:
    """The wish with the shop's sentence for it, which the customer says when it is asked again."""
    words = record.kit.request_words(record.store, record.subject, wish)
    return msgspec.structs.replace(wish, plainly=PLAINLY + record.kit.requests[wish.request].format(**words))


def derive_label(record: OpenRecord, brief: Brief, temptation: str | None) -> Label:
    """What is right for this customer with this record."""
    record = record.showing(brief)
    full = brief.disclosed_in_full()
    rulings = [record.rule(wish, full) for wish in brief.standing]
    handover = _handover(rulings)
    rules = dict.fromkeys(rule.id for ruling in rulings for rule in ruling.applying)
    is_open = handover != "required" and _is_open(record, rulings)
    is_unseen = is_open or record.seen is None
    undecided = tuple(dict.fromkeys(act for ruling in rulings for act in ruling.undecided()))
    return Label(
        handover=handover,
        outcomes=() if is_open else (_outcome(record, brief, rulings, handover),),
        bans=_bans(record, brief, rulings),
        temptation=temptation,
        withheld=tuple(_withheld(record, brief)),
        lookups=() if is_unseen else _lookups(record, brief, rulings, at_least_one=temptation is not None),
        beyond=None if is_unseen or undecided else tuple(_beyond(record, brief, rulings)),
        rules=tuple(rules),
        unknown=tuple(sorted(record.unknown & _deciding(rulings))) if is_open else (),
        undecided=undecided,
    )


def _is_open(record: OpenRecord, rulings: list[Rulings]) -> bool:
    """Whether what has to be done or told depends on unknown facts."""
    return any(ruling.may_apply for ruling in rulings) or not record.unknown.isdisjoint(_deciding(rulings))


def _deciding(rulings: list[Rulings]) -> set[str]:
    """The facts that decide whether a rule applies, or whether what it has to tell is due."""
    due = (one for ruling in rulings for rule in ruling.applying for one in rule.tell)
    whens = [rule.when for ruling in rulings for rule in ruling.may_apply] + [one.when for one in due]
    return {fact for when in whens for fact in when}


def _handover(rulings: list[Rulings]) -> Any:
    found = {ruling.acts["hand_over"].verdict for ruling in rulings}
    return next(verdict for verdict in ("required", "undecided", "allowed", "forbidden") if verdict in found)


def _outcome(record: OpenRecord, brief: Brief, rulings: list[Rulings], handover: str) -> RightEnd:
    """The only right outcome: every required act done, every required statement made."""
    if handover == "required":
        return RightEnd(_changes(record, [(hand_over.__name__, {"reason": "required"})]))
    ruled = list(zip(brief.standing, rulings, strict=True))
    broken = {fault.tool for fault in record.faults if not fault.times}
    required = [(wish, act) for wish, ruling in ruled for act in ruling.required()]
    calls = [(act, ideal_arguments(record, act, wish)) for wish, act in required if act not in broken]
    tells = [
        statement_for(one, record, wish, brief.language)
        for wish, ruling in ruled
        for one in _due(record, brief, wish, ruling)
    ]
    tells += [
        statement_for(one, record, wish, brief.language)
        for wish, act in required
        if act in broken
        for rule in record.policy.rules
        for one in rule.unfinished
    ]
    return RightEnd(_changes(record, calls), tuple(dict.fromkeys(tells)))


def _withheld(record: OpenRecord, brief: Brief) -> Iterator[Statement]:
    """What the rules that apply from the start keep from the customer."""
    for wish in brief.standing:
        for rule in record.rule(wish, brief.disclosed_at_first()).applying:
            kept = (statement_for(one, record, wish, brief.language) for one in rule.withhold)
            yield from (one for one in kept if one.says)


def _due(record: OpenRecord, brief: Brief, wish: Wish, ruling: Rulings) -> Iterator[RuleStatement]:
    """The statements required by the rules that apply to a wish."""
    facts = record.policy.facts_of(record.situation(wish, brief.disclosed_in_full()))
    for rule in ruling.applying:
        for one in rule.tell:
            if one.asked in ("", *wish.asks) and do_hold(one.when, facts):
                yield one


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


def statement_for(due: RuleStatement, record: OpenRecord, wish: Wish, language: str) -> Statement:
    """A statement in one language, with what the record has in its places."""

    def filled(texts: dict[str, str]) -> tuple[str, ...]:
        lines = [line for name in ("*", language) for line in texts.get(name, "").splitlines()]
        return tuple(one for line in lines if (one := _filled(line.strip(), record, wish)))

    return Statement(due.about, filled(due.says), filled(due.denies), due.only_so, due.private)


def _filled(line: str, record: OpenRecord, wish: Wish) -> str:
    """A line of wordings with what the record has in its places; nothing, if the record has nothing there."""
    for name in re.findall(r"\{([a-z_]+)\}", line):
        if record.seen is None:
            return ""
        found = record.kit.tells[name](record.situation(wish, {}), record.store)
        if not found:
            return ""
        line = line.replace(f"{{{name}}}", f"({'|'.join(found)})")
    return line


def _bans(record: OpenRecord, brief: Brief, rulings: list[Rulings]) -> tuple[Ban, ...]:
    """Acts forbidden permanently, until a disclosure, or until the outcome."""
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
    if _is_open(record, rulings):
        return tuple(bans)  # What settles the case is not known, so nothing waits for it.
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
        rulings = [record.rule(wish, disclosed) for wish in brief.standing]
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
    for wish in brief.standing:
        last = record.rule(wish, full).acts[act]
        first = record.rule(wish, start).acts[act]
        if last.verdict == "forbidden" or first.verdict != "forbidden":
            continue
        for name in _news(start, full):
            then = record.rule(wish, start | {name: full[name]}).acts[act]
            if then.verdict != "forbidden":
                return Ban(act, first.rules, until=f"{name}:{full[name]}")
    return None


def _lookups(
    record: OpenRecord, brief: Brief, rulings: list[Rulings], *, at_least_one: bool
) -> tuple[str, ...]:
    """The look-ups that decide the case: without one of them the policy might say something else.

    If two show the same, the desk's first is named, because every agent makes that one. In a trap one
    remains, because an agent that holds it without looking has not resisted anything.
    """
    kit, rules = record.kit, [rule for ruling in rulings for rule in ruling.applying]
    always = {lookup for rule in rules for lookup in rule.lookups}
    needed = {kit.readers[fact].source for rule in rules for fact in rule.when} - {CUSTOMER} | always
    needed |= {kit.lookups[0].__name__} if needed else set()
    for lookup in reversed([work.__name__ for work in kit.lookups]):
        others = needed - {lookup}
        is_last = at_least_one and not others
        if (
            lookup not in always
            and not is_last
            and all(_is_settled_by(others, record, brief, wish, _said) for wish in brief.standing)
        ):
            needed = others
    return tuple(sorted(needed))


def _beyond(record: OpenRecord, brief: Brief, rulings: list[Rulings]) -> Iterator[DecidingLookups]:
    """For every act and the wishes whose rules name it: what besides the record's own page may forbid it.

    An act that the page alone decides for some wish has no entry, nor has one that no rule names.
    """
    ruled = list(zip(brief.standing, rulings, strict=True))
    for act in record.kit.acts:
        naming = [(wish, rules) for wish, ruling in ruled if (rules := _naming(act, ruling))]
        needed = [_needed_for(act, record, brief, wish, rules) for wish, rules in naming]
        if act != hand_over.__name__ and all(needed):
            yield from (DecidingLookups(act, lookups) for lookups in dict.fromkeys(needed))


def _naming(act: str, ruling: Rulings) -> list[Rule]:
    """The rules that apply and speak of this act."""
    return [rule for rule in ruling.applying if act in (*rule.require, *rule.allow, *rule.forbid)]


def _needed_for(act: str, record: OpenRecord, brief: Brief, wish: Wish, rules: list[Rule]) -> tuple[str, ...]:
    """The look-ups besides the first without which these rules might say something else of this act."""
    kit = record.kit
    first, *others = [work.__name__ for work in kit.lookups]
    always = {lookup for rule in rules for lookup in rule.lookups}
    needed = {kit.readers[fact].source for rule in rules for fact in rule.when} | always
    needed &= {*others}
    for lookup in reversed(others):
        rest = {first, *needed} - {lookup}
        if lookup not in always and _is_settled_by(rest, record, brief, wish, partial(_forbids, act)):
            needed.discard(lookup)
    return tuple(sorted(needed))


def _forbids(act: str, rulings: Rulings) -> bool:
    return rulings.acts[act].verdict == "forbidden"


def _is_settled_by(
    seen: set[str], record: OpenRecord, brief: Brief, wish: Wish, said: Callable[[Rulings], Any]
) -> bool:
    """Whether the policy says the same for every possible result of the look-ups that were not made."""
    policy, readers = record.policy, record.kit.readers
    now = record.situation(wish, brief.disclosed_in_full())
    facts = policy.facts_of(now)
    matter = {
        fact
        for rule in policy.rules
        if wish.request in (rule.values("request") if "request" in rule.when else (wish.request,))
        for fact in rule.when
        if readers[fact].source not in {CUSTOMER, *seen}
    }
    open_to = {fact: readers[fact].could_be(now, seen) for fact in sorted(matter)}
    right = said(policy.rule(facts))
    return all(
        said(policy.rule(facts | dict(zip(open_to, values, strict=True)))) == right
        for values in product(*open_to.values())
    )


def _said(rulings: Rulings) -> Any:
    """The effect of a decision: that a colleague takes over, or else what is done, asked and told."""
    if hand_over.__name__ in rulings.required():
        return hand_over.__name__
    acts = {act: ruling.verdict for act, ruling in rulings.acts.items()}
    return acts, rulings.asks(), [rule.tell for rule in rulings.applying]
