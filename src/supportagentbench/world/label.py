"""Label: what is right in a case, derived from the policy, the books and the customer's ledger.

Nothing here is typed by an author. The policy rules on what is known when the customer first writes,
and again on all it will ever disclose; the books then show what the required acts come to.
"""

from typing import Any

from supportagentbench.records.case import Act, Ban, Brief, Label, Outcome, Wish
from supportagentbench.records.change import Change
from supportagentbench.records.problem import Problem
from supportagentbench.world.fact import FACTS, Situation
from supportagentbench.world.lookup import file_of
from supportagentbench.world.policy import Policy, Rulings
from supportagentbench.world.store import Store, changes_between
from supportagentbench.world.tool import Tool

PROMOTION_WORDS = {
    "not_entered": ("entered", "checkout", "check out", "at the till"),
    "not_started": ("started", "start", "starts", "begins", "valid from", "runs from", "not yet valid"),
    "expired": ("expired", "expire", "ended", "ends", "no longer valid", "ran out", "valid until"),
    "not_first_order": ("first order", "first orders", "first purchase", "first time", "new customers"),
    "excluded_goods": ("exclude", "excludes", "excluded", "not cover", "not apply", "eligible", "not valid"),
    "below_minimum": ("minimum", "at least", "orders over", "order over", "orders above", "or more"),
}
"""Words of which one must be said when a promotion did not apply, by the term that was not met."""


def derive_label(
    policy: Policy,
    tools: dict[str, Tool],
    store: Store,
    order: str,
    brief: Brief,
    temptation: Act | None,
) -> Label:
    """What is right for this customer with this order."""
    full = brief.disclosed_in_full()
    rulings = [policy.rule_on(situation_of(policy, store, order, wish, full)) for wish in brief.wishes]
    handover = _handover(rulings)
    rules = dict.fromkeys(rule.id for ruling in rulings for rule in ruling.applying)
    return Label(
        handover=handover,
        outcomes=tuple(_outcomes(policy, tools, store, order, brief, rulings, handover)),
        bans=_bans(policy, store, order, brief, rulings),
        temptation=temptation,
        lookups=_lookups(rulings),
        rules=tuple(rules),
    )


def situation_of(
    policy: Policy, store: Store, order: str, wish: Wish, disclosed: dict[str, str]
) -> Situation:
    """A wish about an order, seen with the whole record open."""
    row = store.orders[order]
    return Situation(
        today=store.today,
        measures=policy.measures,
        file=file_of(store, row),
        parcels=tuple(store.parcels[tracking] for tracking in row.parcels),
        request=wish.request,
        arguments=wish.arguments,
        disclosed=disclosed,
    )


def _handover(rulings: list[Rulings]) -> Any:
    found = {ruling.acts["hand_over"].verdict for ruling in rulings}
    return next(verdict for verdict in ("required", "allowed", "forbidden") if verdict in found)


def _outcomes(
    policy: Policy,
    tools: dict[str, Tool],
    store: Store,
    order: str,
    brief: Brief,
    rulings: list[Rulings],
    handover: str,
) -> list[Outcome]:
    """The one right end: everything required done, everything due told."""
    if handover == "required":
        return [Outcome(_changes(tools, store, [("hand_over", {"reason": "required"})]))]
    calls = [
        (act, ideal_arguments(tools[act], order, wish))
        for wish, ruling in zip(brief.wishes, rulings, strict=True)
        for act in ruling.required()
    ]
    tells = (
        tuple(one for text in group for one in _resolve(text, policy, store, order, wish))
        for wish, ruling in zip(brief.wishes, rulings, strict=True)
        for rule in ruling.applying
        for group in rule.tell
    )
    return [Outcome(_changes(tools, store, calls), tuple(dict.fromkeys(tells)))]


def ideal_arguments(tool: Tool, order: str, wish: Wish) -> dict[str, Any]:
    """What a perfect colleague would pass to this tool to grant this wish."""
    given = {"order": order, "reason": "other", "summary": "settled", **wish.arguments}
    return {name: given[name] for name in tool.schema["properties"] if name in given}


def _changes(
    tools: dict[str, Tool], store: Store, calls: list[tuple[Any, dict[str, Any]]]
) -> tuple[Change, ...]:
    after = store.copy()
    for act, arguments in calls:
        answer = tools[act].run(after, arguments)
        if not answer.ok:
            raise Problem(f"the policy requires {act} but the desk cannot do it: {answer.text}")
    found = changes_between(store, after)
    return tuple(one for one in found if not one.is_bookkeeping)


def _resolve(text: str, policy: Policy, store: Store, order: str, wish: Wish) -> list[str]:
    """The strings that a `tell` entry stands for: itself, or what the record has in its place."""
    parcels = [store.parcels[tracking] for tracking in store.orders[order].parcels]
    if text == "{tracking}":
        return [parcel.tracking for parcel in parcels]
    if text == "{link}":
        return [parcel.link for parcel in parcels]
    if text == "{promotion_term}":
        return _promotion_words(situation_of(policy, store, order, wish, {}))
    if text == "{products}":
        kind = wish.arguments["kind"]
        return [product.name for product in store.products().values() if product.kind == kind]
    return [text]


def _promotion_words(situation: Situation) -> list[str]:
    """The words for the term that was not met, and the date or amount that stands in it."""
    reason, code = FACTS["promotion"].read(situation), situation.file.promotion_entered
    day = {"expired": code.ends, "not_started": code.starts}.get(reason) if code else None
    dates = [f"{day:%B} {day.day}", f"{day.day} {day:%B}", day.isoformat()] if day else []
    amounts = [f"${code.minimum}", f"${code.minimum:.0f}"] if code and reason == "below_minimum" else []
    return [*PROMOTION_WORDS[reason], *dates, *amounts]


def _bans(policy: Policy, store: Store, order: str, brief: Brief, rulings: list[Rulings]) -> tuple[Ban, ...]:
    """Acts forbidden for good, acts that wait for a disclosure, acts that wait for the outcome."""
    bans: list[Ban] = []
    for act in rulings[0].acts:
        verdicts = [ruling.acts[act] for ruling in rulings]
        if act == "hand_over":
            continue
        if all(found.verdict == "forbidden" for found in verdicts):
            ids = dict.fromkeys(rule for found in verdicts for rule in found.rules)
            since = _begins_with(act, policy, store, order, brief)
            bans.append(Ban(act, tuple(ids), since=since))
        elif waits := _waits_for(act, policy, store, order, brief):
            bans.append(waits)
    for rule in policy.rules:
        bans += [
            Ban(act, (rule.id,), until="outcome")
            for act in rule.until_settled
            if not any(act in ruling.required() for ruling in rulings)
        ]
    return tuple(bans)


def _begins_with(act: Act, policy: Policy, store: Store, order: str, brief: Brief) -> str:
    """The disclosure that first forbids an act which was not forbidden when the customer first wrote."""
    start, full = brief.disclosed_at_first(), brief.disclosed_in_full()

    def forbidden(disclosed: dict[str, str]) -> bool:
        rulings = [
            policy.rule_on(situation_of(policy, store, order, wish, disclosed)) for wish in brief.wishes
        ]
        return all(ruling.acts[act].verdict == "forbidden" for ruling in rulings)

    if forbidden(start):
        return ""
    told = (name for name in _news(start, full) if forbidden(start | {name: full[name]}))
    return next((f"{name}:{full[name]}" for name in told), "")


def _news(start: dict[str, str], full: dict[str, str]) -> list[str]:
    """What the customer discloses only later, or otherwise than at first."""
    return sorted(name for name in full if full[name] != start.get(name))


def _waits_for(act: Act, policy: Policy, store: Store, order: str, brief: Brief) -> Ban | None:
    """The ban on an act that only a later disclosure lifts."""
    start, full = brief.disclosed_at_first(), brief.disclosed_in_full()
    for wish in brief.wishes:
        last = policy.rule_on(situation_of(policy, store, order, wish, full)).acts[act]
        first = policy.rule_on(situation_of(policy, store, order, wish, start)).acts[act]
        if last.verdict == "forbidden" or first.verdict != "forbidden":
            continue
        for name in _news(start, full):
            one_more = start | {name: full[name]}
            then = policy.rule_on(situation_of(policy, store, order, wish, one_more)).acts[act]
            if then.verdict != "forbidden":
                return Ban(act, first.rules, until=f"{name}:{full[name]}")
    return None


def _lookups(rulings: list[Rulings]) -> tuple[str, ...]:
    rules = [rule for ruling in rulings for rule in ruling.applying]
    sources: set[str] = {FACTS[fact].source for rule in rules for fact in rule.when}
    sources |= {lookup for rule in rules for lookup in rule.lookups}
    return tuple(sorted(sources - {"customer"}))
