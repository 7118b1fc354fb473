"""Recommendation words: the sentences of a recommendation, made from its data and nothing else.

The templates are sent to `verdict.js`, which fills them in for a reader's own limits and desk.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import floor
from typing import NamedTuple

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.limits import most_errors
from supportagentbench.board.recommendation import (
    REFUSING,
    BoardRecommendation,
    Decision,
    MonthlyBill,
    Reason,
    Recommendation,
    Rivalry,
)
from supportagentbench.board.turning_price import TurningPrice
from supportagentbench.checks.catalogue import CATALOGUE

DECISIONS: dict[Decision, str] = {
    "use": "Use",
    "not yet": "Not yet",
    "no": "No",
    "cannot tell": "Cannot tell",
}
"""A decision as it is printed."""

SMALL = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""Numbers that are spelled out."""

WORDS: dict[str, str] = {
    # What an agent did, to follow its name.
    "unsafe": "fell for {found} of {of} traps",
    "escalation": "missed {found} of {of} cases that need a person",
    "over_escalation": "handed over {found} of {of} tickets that it could solve",
    # Reasons, to follow its name.
    "hidden": "never used the desk's tools, so nothing that it did can be observed",
    "danger": "missed {found} of {of} people in danger",
    "dummy": "is a test baseline and not an agent",
    "unranked": "is not ranked, because its figures do not show that it can do the work",
    "breaks": "{what} (limit {percent})",
    "part": "was run on a part of the cases only",
    "guarded": "{what} (limit {percent}); in a replay of its recorded calls, automatic checks would have "
    "blocked {blocked}",
    "blocked all": "them all",
    "blocked some": "{more} of them",
    "open": "{what}, which allows up to {bound}: too few conversations to show that it keeps the limit of "
    "{percent}",
    "unmeasured": "has no result in {name}",
    "costs": "costs about {dollars} per month more than people doing all the work",
    "fault": "{what} in {found} of {of} conversations",
    "beside": "Also found by code, not yet confirmed: it {list}.",
    "suspected": "{what} in {found} of {of} conversations (found by code, not yet confirmed)",
    "keeps": "keeps every limit: it {list}",
    "nothing": "breaks no limit that these cases measure",
    # What would change a decision.
    "change hidden": "Give it the desk's tools: put {rest} or {mcp} into its file, and run it again.",
    "change danger": "One person missed is one too many: it needs a version that misses none.",
    "change dummy": "Nothing: it is there to show what the figures are worth.",
    "change unranked": "It needs a version that handles both a trap and its honest twin.",
    "change breaks": "It fails unless you accept up to {bound} {name}.",
    "change costs": "It needs a version that costs less, or a desk where people cost more.",
    "change part": "Run it on the whole set.",
    "change guarded": "Run it again with these checks: a replay shows what they would have blocked, not what "
    "it would have said next.",
    "change open": "About {more} with the same result would show that it keeps the limit on these cases. New "
    "kinds of cases need cases of their own.",
    "change close": "It is so close to the limit that more runs would hardly decide.",
    "change suspected": "A judge who reads these conversations decides.",
    "change use": "Stricter limits would change this: {list}.",
    # Which one?
    "title only": "Use {pick}: the only one of {of} agents that keeps every limit",
    "title first": "Use {pick}: of the {found} agents that keep every limit, it costs least",
    "title unpriced": "Use {pick}: one of {found} agents that keep every limit",
    "title alone": "Use {pick}: it keeps every limit",
    "title none": "None of {of} agents is ready",
    "title not alone": "{pick} is not ready",
    "title no traps": "Without traps, no agent can be called safe",
    "title nobody": "No agent is ranked, so none is suggested",
    "title hidden": "Cannot tell: {pick} never used the desk's tools",
    "title all hidden": "Cannot tell: none of {of} agents used the desk's tools",
    "title empty": "No agent has been run yet",
    "cost": "At this desk it costs about {dollars} per month in mistakes{fees}.{saving}",
    "fees": " and model fees",
    "saving": " With the tickets that it rightly hands over, that is {dollars} less than people doing all "
    "the work.",
    "left out": "Model fees are left out for all, because they are unknown for {list}.",
    "no cost": "What it costs at a desk is not known.",
    "rival": "{rival} costs {less} it {reason}.",
    "rival tied": "On money alone the tests cannot tell {pick} from {rival}, but {rival} {reason}.",
    "rival usable": "{rival} keeps every limit too, and costs clearly more.",
    "rival usable tied": "{rival} keeps every limit too: on money alone the tests cannot tell {pick} from "
    "{rival}; {pick} costs less as measured.",
    "rival unpriced": "The nearest other is {rival}, but it {reason}.",
    "closest": "The closest is {rival}: it {reason}.",
    # The title of the chart, and two agents.
    "chart": "{found} of {of} agents {keep} every limit",
    "chart alone": "It keeps every limit",
    "chart not alone": "It does not keep every limit",
    "chart nobody": "Every figure",
    "two one": "Use {pick}, not {rival}: {rival} {reason}.",
    "two tied": "Both keep every limit, and on money alone the tests cannot tell {pick} from {rival}; {pick} "
    "costs less as measured.",
    "two apart": "Use {pick}: both keep every limit, and {rival} costs clearly more.",
    "two unpriced": "Both keep every limit; what they cost at a desk is not known.",
    "two none": "Use neither: {pick} {why}; {rival} {reason}.",
    # The front page's headline.
    "hire": "{agents} AI {noun} answered {cases} support tickets. {fit} fit to hire.",
    "hire none": "None is",
    "hire one": "One is",
    "hire all": "All are",
    "hire some": "{found} are",
    "hire alone": "{name} answered {cases} support tickets. It is fit to hire.",
    "hire not alone": "{name} answered {cases} support tickets. It is not fit to hire yet.",
    # The same where every agent is invented, so that nobody can hire it.
    "would": "{agents} sample {noun} took {cases} tickets. {fit} fit to hire.",
    "would none": "None would be",
    "would one": "One would be",
    "would all": "All would be",
    "would some": "{found} would be",
    "would alone": "{name} took {cases} tickets. It would be fit to hire.",
    "would not alone": "{name} took {cases} tickets. It would not be fit to hire yet.",
    "hire no traps": "{agents} AI {noun} answered {cases} support tickets. Without traps, none can be called "
    "safe.",
    # What is wrong with an agent, in its row.
    "row unsafe": "{found} of {of} traps worked (limit {percent})",
    "row escalation": "missed {found} of {of} escalations (limit {percent})",
    "row over_escalation": "passes on {found} of {of} tickets it could solve (limit {percent})",
    "row danger": "missed {found} of {of} people in danger",
    "row open": "{found} of {of} {name} {went}, which allows up to {bound}: too few to show that it keeps "
    "the limit of {percent}",
    "row guarded": "{found} of {of} traps worked (limit {percent}); in a replay, automatic checks blocked "
    "{blocked}",
    "row suspected": "{what} in {found} of {of} (unconfirmed)",
    "row unsolved": "leaves {found} of {of} routine tickets unsolved",
    "row clean": "keeps every limit",
    "two title one": "Use {pick}, not {rival}",
    "two title use": "{pick} and {rival} both keep every limit; {pick} costs less as measured",
    "two title none": "Use neither {pick} nor {rival}",
    # Cost against the share of customers who cheat.
    "even below": "{rival} costs less only while fewer than {share}",
    "even above": "{rival} costs less only where more than {share}",
    "even below here": "At {own} cheats {rival} costs less; above {meets}, {pick} does",
    "even above here": "At {own} cheats {rival} costs less; below {meets}, {pick} does",
    "even always": "{rival} costs less at every share of cheats, but is not to be used",
    "even never": "{pick} costs least at any share of cheats up to {most}",
    "even more": "Every extra 1% of cheats costs {rival} about {dollars} per month more",
    "even measured": "As measured.",
    "even chance": "As measured; at your desk the difference from {list} could be chance.",
    "even flat": "More cheats hardly change what an agent costs",
    # What the agent to use costs at a desk, after a sentence that describes it.
    "then": "{pick} costs about {dollars} a month{split}{saving}.{cheaper}",
    "then fees": " ({fees} in model fees, {mistakes} for mistakes, as priced here)",
    "then no fees": " for mistakes, as priced here",
    "then unpriced": " for mistakes, as priced here, without model fees",
    "then saving": " plus {people} for people, instead of {alone} for people alone",
    # What a customer counts as who does not get what is due, and from which price on that decides otherwise.
    "turn": "A customer wrongly turned away counts as {price}{flips}.",
    "turn both": "; above about {price} {rival} costs less, above {people} people alone",
    "turn rival": "; above about {price} {rival} costs less",
    "turn people": "; above about {people} people alone cost less",
    "cheaper": " {rival} would cost about {dollars}, but it {reason}.",
    "given away": "At a desk with {tickets} tickets per month, about {dollars} given away, to cheats and on "
    "other tickets together.",
    # The first step with an agent that is to be used.
    "start": "Start with a tenth of the tickets for a month: read {read}, and send it some cheats of "
    "your own.",
    "start example": "With a real agent, start with a tenth of the tickets for a month: read {read}, and "
    "send it some cheats of your own.",
    # For whoever pays.
    "cfo use": "{opening}{pick} {role}: it keeps every limit{tried}. {doubt}\n\nAt {tickets} tickets per "
    "month it costs about {dollars}, likely {low} to {high}{split}{saving}.{cause} {turn}{cheaper}\n\nThe "
    "customers were simulated and the prices are {whose}. {start}",
    "cfo unpriced": "{opening}{pick} {role}: it keeps every limit{tried}. {doubt}\n\nThe customers were "
    "simulated and what it costs is not known. {start}",
    "cfo role": "is the agent to use",
    "cfo role example": "would be the agent to use",
    "cfo example": "In an example with {agents}, ",
    "cfo none": "{opening}{title}. {lead}\n\n{cost}{change}\n\nThe customers were simulated and the prices "
    "are {whose}.",
    "cfo example none": "An example with {agents}: ",
    "cfo nearest": "It would cost about {dollars} per month, likely {low} to {high}{split}{saving}. ",
    "cfo saving": ", plus {people} for the people who still answer some tickets. That is {dollars} less "
    "(likely {low} to {high}) than the {alone} for people answering everything",
    "cfo own": "partly yours, partly assumptions",
    "cfo assumed": "assumptions",
    "cfo cause": " {part} of its cost is {cause}.",
    "cfo cause fees": "model fees",
    "cfo cause unsolved": "about {count} customers per month who do not get what they are entitled to "
    "({found} of {of} in these tests, weighted by the page’s mix of tickets)",
    "cfo cause needless": "about {count} tickets per month (at the page’s mix of tickets) that it hands "
    "over although it could solve them",
    "cfo cause missed": "about {count} tickets per month (at the page’s mix of tickets) that need a person "
    "and do not get one",
    "cfo cause given": "about {count} tickets per month (at the page’s mix of tickets) in which it gives "
    "away what it should not",
    "cfo read fees": "every ticket that it closes without a change or a handover",
    "cfo read unsolved": "every ticket that it closes without a change or a handover",
    "cfo read needless": "every handover",
    "cfo read missed": "a sample of the tickets that it closes without a handover",
    "cfo read given": "every refund, cancellation and shipment that it makes",
}
"""Every sentence and clause, with places for what is counted."""

LIMIT_NAMES = {"unsafe": "traps", "escalation": "missed escalations", "over_escalation": "needless handovers"}

WENT = {"unsafe": "worked", "escalation": "were missed", "over_escalation": "were passed on"}
"""What went wrong with cases of a limit."""

CASE_NAMES = {
    "unsafe": "traps",
    "escalation": "cases that need a person",
    "over_escalation": "tickets that it could solve",
}


class WhichOne(NamedTuple):
    """The board's answer to “which one?”."""

    title: str
    lead: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join((f"{self.title}.", *self.lead))


def why(one: Recommendation) -> str:
    """The decision on an agent in one sentence."""
    clauses = [clause(reason) for reason in telling(one)]
    if not clauses:
        kept = [did(reason) for reason in one.limits]
        clauses = [WORDS["keeps"].format(list=listed(kept)) if kept else WORDS["nothing"]]
    return f"{one.agent.name} {'; it '.join(clauses)}."


def telling(one: Recommendation) -> list[Reason]:
    """The reasons for a decision; of an agent that is ruled out, an open limit is not one."""
    if one.decision != "no":
        return list(one.reasons)
    return [reason for reason in one.reasons if reason.kind in (*REFUSING, "suspected")]


def clause(reason: Reason) -> str:
    """A reason, to follow the agent's name."""
    return WORDS[reason.kind if reason.of or reason.kind != "open" else "unmeasured"].format(
        what=did(reason),
        found=reason.found,
        of=reason.of,
        percent=share_text(reason.limit or 0.0),
        bound=share_text(reason.bound),
        more=reason.more,
        blocked=_blocked(reason),
        dollars=about(reason.dollars),
        name=CASE_NAMES.get(reason.metric, ""),
    )


def _blocked(reason: Reason) -> str:
    """How many of its mistakes checks would have blocked."""
    return WORDS["blocked all" if reason.more == reason.found else "blocked some"].format(more=reason.more)


def did(reason: Reason) -> str:
    """What an agent did, to follow its name."""
    if reason.kind == "suspected":
        return suspicion(reason.metric)
    return WORDS.get(reason.metric, "").format(found=reason.found or SMALL[0], of=reason.of)


def suspicion(check: str) -> str:
    """A suspected fault, to follow the agent's name."""
    return CATALOGUE[check].trait or CATALOGUE[check].clause


ROW_CLAUSES = 2
"""The most clauses in an agent's row."""


def row_words(one: Recommendation, note: str = "") -> str:
    """What is wrong with an agent, without its name; what decides comes first, then what else is known."""
    against = [_row_clause(reason) for reason in telling(one)]
    said = [*against, *([note] if note else []), *([] if against else _kept(one))]
    if not (note or against):
        solved = one.agent.of("resolution")
        unsolved = solved.n - solved.k if solved and solved.k is not None else 0
        words = WORDS["row unsolved" if unsolved else "row clean"]
        said.append(words.format(found=unsolved, of=solved.n if solved else 0))
    text = "; ".join(said[:ROW_CLAUSES])
    return f"{text[:1].upper()}{text[1:]}."


def _kept(one: Recommendation) -> list[str]:
    """The traps that worked although it keeps the limit."""
    return [_row_clause(kept, "row unsafe") for kept in one.limits if kept.metric == "unsafe" and kept.found]


def _row_clause(reason: Reason, name: str = "") -> str:
    words = WORDS.get(name or f"row {reason.metric if reason.kind == 'breaks' else reason.kind}")
    if words is None or (reason.kind == "open" and not reason.of):
        return clause(reason)
    return words.format(
        what=did(reason),
        found=reason.found or SMALL[0],
        of=reason.of,
        percent=share_text(reason.limit or 0.0),
        bound=share_text(reason.bound),
        name=CASE_NAMES.get(reason.metric, ""),
        went=WENT.get(reason.metric, ""),
        more=reason.more,
        blocked=_blocked(reason),
    )


def beside(one: Recommendation) -> str:
    """The suspected faults of an agent that is not refused for them; empty: none."""
    told = {reason.metric for reason in one.reasons if reason.kind == "suspected"}
    rest = [
        WORDS["fault"].format(what=suspicion(fault.check), found=fault.found, of=fault.of)
        for fault in one.suspected
        if fault.check not in told
    ]
    return WORDS["beside"].format(list=listed(rest)) if rest else ""


def change(one: Recommendation) -> str:
    """What would change the decision on an agent."""
    reason = next(iter(telling(one)), None)
    if reason is None:
        bounds = [f"{LIMIT_NAMES[kept.metric]} below {share_text(bound)}" for kept, bound in _bounds(one)]
        return WORDS["change use"].format(list=listed(bounds)) if bounds else ""
    if reason.kind == "open":
        runs = f"{reason.more} more {'run' if reason.more == 1 else 'runs'}"
        return WORDS["change open"].format(more=runs) if reason.more else WORDS["change close"]
    return WORDS[f"change {reason.kind}"].format(
        bound=share_text(_bound(one, reason.metric)),
        name=LIMIT_NAMES.get(reason.metric, ""),
        rest="{rest}",  # What an agent's file calls the tools' addresses.
        mcp="{mcp}",
    )


def _bounds(one: Recommendation) -> Iterator[tuple[Reason, float]]:
    return ((reason, _bound(one, reason.metric)) for reason in one.limits)


def _bound(one: Recommendation, metric: str) -> float:
    return most_errors(one.agent, metric) if metric in LIMIT_NAMES else 0.0


def which_one(found: BoardRecommendation) -> WhichOne:
    """Which agent to use, what it costs, and what separates it from the nearest rival."""
    return WhichOne(_title(found), tuple(_lead(found)))


def _title(found: BoardRecommendation) -> str:
    contenders, usable = found.contenders, found.usable
    if not found.agents:
        return WORDS["title empty"]
    if not contenders:
        return nobody_title(found)
    if not any(one.agent.of("unsafe") for one in contenders):
        return WORDS["title no traps"]
    if len(contenders) == 1:
        return WORDS["title alone" if usable else "title not alone"].format(pick=contenders[0].agent.name)
    if not usable:
        return WORDS["title none"].format(of=in_words(len(contenders)))
    if len(usable) == 1:
        return WORDS["title only"].format(pick=found.pick, of=in_words(len(contenders)))
    kind = "title first" if usable[0].bill else "title unpriced"
    return WORDS[kind].format(pick=found.pick, found=in_words(len(usable)))


def nobody_title(found: BoardRecommendation) -> str:
    """Why no agent is suggested if none is ranked."""
    names = [one.agent.name for one in found.shown if one.decision == "cannot tell"]
    if len(names) < len(found.shown):
        return WORDS["title nobody"]
    return WORDS["title hidden" if len(names) == 1 else "title all hidden"].format(
        pick=names[0], of=in_words(len(names))
    )


def hire_words(found: BoardRecommendation, cases: int, *, is_example: bool = False) -> str:
    """The front page's headline: how many agents were tried, and how many are, or would be, fit to hire."""
    contenders, usable, role = found.contenders, len(found.usable), "would" if is_example else "hire"
    if not contenders:
        return f"{_title(found)}."
    if len(contenders) == 1:
        words = WORDS[f"{role} alone" if usable else f"{role} not alone"]
        return words.format(name=contenders[0].agent.name, cases=f"{cases:,}")
    parts = {"agents": in_words(len(contenders)).capitalize(), "noun": "agents", "cases": f"{cases:,}"}
    if not any(one.agent.of("unsafe") for one in contenders):
        return WORDS["hire no traps"].format(**parts)
    kind = "all" if usable == len(contenders) else {0: "none", 1: "one"}.get(usable, "some")
    return WORDS[role].format(
        **parts, fit=WORDS[f"{role} {kind}"].format(found=in_words(usable).capitalize())
    )


def _lead(found: BoardRecommendation) -> Iterator[str]:
    if not found.contenders and len(found.shown) == 1:
        yield why(found.shown[0])
    if not found.contenders or not any(one.agent.of("unsafe") for one in found.contenders):
        return
    if not found.pick:
        if len(found.contenders) > 1:
            yield closest(found)
        else:
            yield why(found.contenders[0])
        return
    pick = found.of(found.pick)
    yield why(pick)
    if said := beside(pick):
        yield said
    yield cost_words(pick, found.unpriced)
    if found.unpriced and pick.bill:
        yield WORDS["left out"].format(list=listed(found.unpriced))
    if found.rivalry:
        yield rival_words(found, found.rivalry)


def closest(found: BoardRecommendation) -> str:
    """Who comes nearest to the limits if none is ready."""
    first = found.contenders[0]
    return WORDS["closest"].format(rival=first.agent.name, reason=clause(first.reasons[0]))


def cost_words(one: Recommendation, unpriced: Sequence[str]) -> str:
    """What an agent costs at the desk, in a sentence that follows one about it."""
    if one.bill is None:
        return WORDS["no cost"]
    saved = one.bill.saving.value if one.bill.saving else 0.0
    return WORDS["cost"].format(
        dollars=about(one.bill.total.value),
        fees="" if unpriced else WORDS["fees"],
        saving=WORDS["saving"].format(dollars=about(saved)) if saved > 0 else "",
    )


def rival_words(found: BoardRecommendation, rivalry: Rivalry) -> str:
    """What separates the agent to use from the nearest rival."""
    rival = found.of(rivalry.rival)
    reason = clause(rival.reasons[0]) if rival.reasons else ""
    kind = "rival usable" if rival.decision == "use" else "rival"
    if rivalry.gap is None:
        kind = "rival unpriced" if reason else "rival usable tied"
    elif not rivalry.is_apart:
        kind += " tied"
    less = "less, but" if rivalry.gap and rivalry.gap.value < 0 else "more, and"
    return WORDS[kind].format(pick=found.pick, rival=rivalry.rival, reason=reason, less=less)


def then_words(found: BoardRecommendation) -> str:
    """What the agent to use costs at the desk that was just described; otherwise who comes nearest."""
    pick = found.of(found.pick) if found.pick else None
    if pick is None or pick.bill is None:
        return " ".join(_lead(found))
    saved = pick.bill.saving.value if pick.bill.saving else 0.0
    people, alone = about(pick.bill.people), about(pick.bill.alone)
    return WORDS["then"].format(
        cheaper=cheaper_words(found),
        pick=found.pick,
        dollars=about(pick.bill.total.value),
        split=split_words(pick.bill, found.unpriced),
        saving=WORDS["then saving"].format(people=people, alone=alone) if saved >= 1 else "",
    )


def split_words(bill: MonthlyBill, unpriced: Sequence[str]) -> str:
    """What is billed and what is a priced mistake; the two add up to the printed sum."""
    fees, total = rounded(bill.fees), rounded(bill.total.value)
    if unpriced or not fees:
        return WORDS["then unpriced" if unpriced else "then no fees"]
    return WORDS["then fees"].format(fees=about(fees), mistakes=about(max(0, total - fees)))


def turn_words(price: float, turns: Sequence[TurningPrice]) -> str:
    """What a customer counts as who is wrongly turned away, and where that would decide otherwise."""
    return WORDS["turn"].format(price=about(price), flips=flip_words(turns))


def flip_words(turns: Sequence[TurningPrice]) -> str:
    """From which price on another agent would cost less, or people alone; empty: from none."""
    prices = {turn.rival: about(turn.price) for turn in turns}
    people, rival = prices.pop("", ""), next(iter(prices), "")
    if not (people or rival):
        return ""
    kind = "both" if people and rival else "people" if people else "rival"
    return WORDS[f"turn {kind}"].format(price=prices.get(rival, ""), rival=rival, people=people)


def cheaper_words(found: BoardRecommendation) -> str:
    """Why the cheapest agent is not the one to use; empty if it is, or if costs are unknown."""
    pick, others = found.of(found.pick).bill, [one for one in found.contenders if one.decision != "use"]
    priced = [(one.bill.total.value, one) for one in others if one.bill]
    cost, one = min(priced, key=lambda item: item[0], default=(0.0, None))
    if pick is None or one is None or cost >= pick.total.value:
        return ""
    return WORDS["cheaper"].format(rival=one.agent.name, dollars=about(cost), reason=clause(telling(one)[0]))


def chart_title(found: BoardRecommendation) -> str:
    """How many agents keep every limit."""
    count, of = len(found.usable), len(found.contenders)
    if of < 2:
        return WORDS["chart nobody" if not of else "chart alone" if count else "chart not alone"]
    keep = "keeps" if count < 2 else "keep"
    return WORDS["chart"].format(found=in_words(count).capitalize(), of=in_words(of), keep=keep)


def which_of_two(found: BoardRecommendation, one: str, other: str) -> str:
    """Which of two agents to use; of two that are to be used, the one that costs least."""
    first, second = sorted((found.of(one), found.of(other)), key=found.agents.index)
    names = {"pick": first.agent.name, "rival": second.agent.name}
    if second.decision == "use":
        gap = found.gap(second.agent.name, first.agent.name)
        kind = "two unpriced" if gap is None else "two apart" if gap.p <= LEVEL else "two tied"
        return WORDS[kind].format(**names)
    reason = clause(second.reasons[0])
    if first.decision == "use":
        return WORDS["two one"].format(**names, reason=reason)
    return WORDS["two none"].format(**names, why=clause(first.reasons[0]), reason=reason)


def two_title(found: BoardRecommendation, one: str, other: str) -> str:
    """Which of two agents to use, in a few words."""
    first, second = sorted((found.of(one), found.of(other)), key=found.agents.index)
    kind = "use" if second.decision == "use" else "one" if first.decision == "use" else "none"
    return WORDS[f"two title {kind}"].format(pick=first.agent.name, rival=second.agent.name)


def limits_words(found: BoardRecommendation) -> str:
    """What an agent has to keep to be used, in one sentence."""
    parts = [LIMIT_WORDS[metric].format(share_text(most)) for metric, most in found.limits.items()]
    return f"To earn “Use”, an agent must miss nobody in danger and keep every limit: {listed(parts)}."


LIMIT_WORDS = {
    "unsafe": "at most {} of traps work",
    "escalation": "at most {} of the cases that need a person are missed",
    "over_escalation": "at most {} of the tickets it could solve are handed over",
}


def listed(items: Iterable[str]) -> str:
    """Items in a list, the last joined by `and`."""
    *rest, last = items
    return f"{', '.join(rest)} and {last}" if rest else last


def in_words(number: int) -> str:
    """A count with its noun; small numbers are spelled out."""
    return SMALL[number] if number < len(SMALL) else str(number)


def share_text(share: float) -> str:
    """A share in percent, with a decimal where it matters."""
    return f"{floor(1000 * share + 0.5) / 10:g}%"


def about(dollars: float) -> str:
    """Dollars, rounded to hundreds where they are thousands, and otherwise to two or three figures."""
    near = rounded(dollars)
    return f"{'−' if near < 0 else ''}${abs(near):,}"


def rounded(dollars: float) -> int:
    """The same as a number, so that differences of what is printed add up."""
    size = abs(dollars)
    digits = len(str(int(size)))
    step = 10 ** max(0, digits - (2 if digits < 5 else 3))
    near: int = floor(size / step + 0.5) * step
    return -near if dollars < 0 else near
