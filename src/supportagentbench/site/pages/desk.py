"""Your desk: what the agents' mistakes would cost a reader's own desk, by the reader's own mix and prices."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from supportagentbench.board.loss import (
    FREEDOM,
    IMAGINED,
    DeskSettings,
    Expected,
    Kind,
    Trials,
    difference,
    handovers,
    loss,
    quantiles,
    times,
)
from supportagentbench.records.board import AgentResults
from supportagentbench.records.case import Bucket
from supportagentbench.records.verdict import Verdict
from supportagentbench.site.data import CaseSheet, SiteData
from supportagentbench.site.harms import HARMS, harm_of
from supportagentbench.site.links import behind
from supportagentbench.site.number import NONE, money, whole
from supportagentbench.site.page import SitePage, spaced, where

TICKETS = 10_000


class Mistake(NamedTuple):
    """Something that costs, and what it is taken to cost until the reader says otherwise."""

    name: str
    title: str
    about: str
    dollars: float


MISTAKES = (
    Mistake("needless", "Needless handover", "a routine ticket given to a person", 6),
    Mistake("unresolved", "Unresolved ticket", "a routine ticket neither settled nor handed over", 12),
    Mistake("missed", "Missed handover", "a ticket that needed a person and got none", 60),
    Mistake("goods", "Goods sent for nothing", "an abuser got goods for free", 80),
    Mistake("fraud", "Fraud enabled", "an order was sent on to somebody else", 150),
    Mistake("cancellation", "Wrongful cancellation", "an order under way was cancelled and paid back", 120),
    Mistake("closure", "False closure", "a ticket was closed while something was open", 25),
)

GROUPS: dict[Bucket, str] = {
    "resolvable": "Routine tickets",
    "must_escalate": "Tickets that need a person",
    "adversarial": "Attempted abuse",
}


class Preset(NamedTuple):
    """A mix to start from: parts of every routine kind, of every other kind, and of a few that are raised."""

    name: str
    title: str
    routine: float = 1
    other: float = 0.5
    raised: Mapping[str, float] = {}


PRESETS = (
    Preset("benchmark", "As in the benchmark"),
    Preset(
        "orders",
        "Mostly “where is my order?”",
        raised={"wismo_unfulfilled": 20, "wismo_travel": 15, "wismo_non_english": 5, "tracking": 20},
    ),
    Preset(
        "returns",
        "Heavy in returns",
        raised={"return_request": 20, "return_used": 8, "size_exchange": 12, "damaged_item": 6},
    ),
    Preset(
        "fraud",
        "Under attack",
        raised={"goods": 8, "fraud": 6, "cancellation": 3, "closure": 3, "fraud_reroute": 4},
    ),
)


class TicketField(NamedTuple):
    """A kind of ticket on the reader's form."""

    kind: Kind
    title: str
    group: str
    cases: int
    """How many cases the kind's rates rest on."""


class AgentOnDesk(NamedTuple):
    """One entry, with all that the arithmetic needs of it."""

    entry: AgentResults
    slug: str
    trials: list[Trials]
    cost: float | None
    """Dollars of the agent's calls in a conversation; None is unknown."""


class DeskRow(NamedTuple):
    """A row of the table as the page shows it before anybody has touched it."""

    conduct: AgentOnDesk
    loss: Expected | None
    handovers: Expected | None
    gap: Expected | None
    """Beside the entry that all are held against; None for that one itself."""
    times: dict[str, float | None]


def pages(data: SiteData) -> Iterator[SitePage]:
    """The one page."""
    sheets = [sheet for sheet in data.cases.values() if not sheet.twin_of and _has_price(sheet)]
    if sheets:
        fields = _fields(sheets)
        conducts = list(_conducts(data, sheets, fields))
        yield SitePage("desk.html", "desk.html", _context(fields, conducts))


def _has_price(sheet: CaseSheet) -> bool:
    """Whether what can go wrong in a case is on the reader's form; a trap may tempt into something else."""
    return sheet.bucket != "adversarial" or harm_of(sheet.label) is not None


def _kind_name(sheet: CaseSheet) -> str:
    failure = harm_of(sheet.label)
    return failure.name if failure else sheet.family


def _fields(sheets: Sequence[CaseSheet]) -> list[TicketField]:
    """The kinds of tickets that these cases stand for, in the order of the buckets."""
    counted = Counter((sheet.bucket, _kind_name(sheet)) for sheet in sheets)
    titles = {failure.name: failure.title for failure in HARMS}
    mistakes: dict[Bucket, tuple[str, ...]] = {
        "resolvable": ("needless", "unresolved"),
        "must_escalate": ("missed",),
    }
    return [
        TicketField(
            Kind(name, mistakes.get(bucket, (name,))),
            titles.get(name, spaced(name).capitalize()) if bucket == "adversarial" else spaced(name),
            GROUPS[bucket],
            cases,
        )
        for (bucket, name), cases in counted.items()
    ]


def _conducts(
    data: SiteData, sheets: Sequence[CaseSheet], fields: list[TicketField]
) -> Iterator[AgentOnDesk]:
    place = {field.kind.name: number for number, field in enumerate(fields)}
    found: dict[str, dict[str, list[Verdict]]] = defaultdict(lambda: defaultdict(list))
    for run in data.runs:
        for verdict in run.verdicts:
            if verdict.counts:
                found[run.header.agent][verdict.case].append(verdict)
    for entry in data.board.agents:
        trials = [
            _trials(place[_kind_name(sheet)], fields[place[_kind_name(sheet)]].kind, verdicts)
            for sheet in sheets
            for verdicts in [found[entry.name][sheet.id]]
        ]
        cost = entry.of("cost")
        yield AgentOnDesk(entry, data.slugs[entry.name], trials, cost.mean / 1000 if cost else None)


def _trials(number: int, kind: Kind, verdicts: list[Verdict]) -> Trials:
    made = [_mistake(verdict) for verdict in verdicts]
    hits = (len(made) - made.count(""),) if len(kind.mistakes) == 1 else map(made.count, kind.mistakes)
    handed = sum(_is(verdict, "handed_over") for verdict in verdicts)
    return Trials(number, len(verdicts), tuple(hits), handed)


def _mistake(verdict: Verdict) -> str:
    """What went wrong in a conversation; empty if nothing did that costs."""
    match verdict.bucket:
        case "adversarial":
            return "fired" if _is(verdict, "unsafe") else ""
        case "must_escalate":
            return "" if _is(verdict, "escalated") else "missed"
        case _:
            if _is(verdict, "over_escalated"):
                return "needless"
            settled = _is(verdict, "resolved") or _is(verdict, "handed_over")
            return "" if settled else "unresolved"


def _is(verdict: Verdict, check: str) -> bool:
    found = verdict.of(check)
    return found is not None and found.value is True


def preset_mix(preset: Preset, fields: Sequence[TicketField]) -> dict[str, float]:
    """The parts of every kind."""
    if preset.name == "benchmark":
        return {field.kind.name: float(field.cases) for field in fields}
    return {
        field.kind.name: preset.raised.get(
            field.kind.name, preset.routine if field.group == GROUPS["resolvable"] else preset.other
        )
        for field in fields
    }


def _context(fields: list[TicketField], conducts: list[AgentOnDesk]) -> dict[str, Any]:
    kinds = [field.kind for field in fields]
    known = {kind.name for kind in kinds}
    presets = [one for one in PRESETS if not one.raised or known & one.raised.keys()]
    mix = preset_mix(presets[0], fields)
    desk = DeskSettings(TICKETS, mix, {mistake.name: mistake.dollars for mistake in MISTAKES})
    with_calls = all(conduct.cost is not None for conduct in conducts)
    lines = _lines(kinds, conducts, desk, with_calls)
    return {
        "fields": fields,
        "groups": {
            group: [field for field in fields if field.group == group]
            for group in dict.fromkeys(field.group for field in fields)
        },
        "mix": mix,
        "mistakes": [one for one in MISTAKES if any(one.name in kind.mistakes for kind in kinds)],
        "presets": presets,
        "tickets": TICKETS,
        "with_calls": with_calls,
        "some_cost": any(conduct.cost is not None for conduct in conducts),
        "lines": lines,
        "most": max((line.loss.high for line in lines if line.loss), default=0.0) or 1.0,
        "shares": {group: share(fields, mix, group) for group in dict.fromkeys(f.group for f in fields)},
        "gap_words": gap_words,
        "counted": counted,
        "behind": _behind,
        "imagined": IMAGINED,
        "script": _script(fields, conducts, presets),
    }


def _lines(
    kinds: list[Kind], conducts: list[AgentOnDesk], desk: DeskSettings, with_calls: bool
) -> list[DeskRow]:
    single, several = quantiles(), quantiles(len(conducts) - 1)
    held = conducts[0]
    return [
        DeskRow(
            one,
            plus(loss(kinds, one.trials, desk, single), desk.tickets * (one.cost or 0) * with_calls),
            handovers(kinds, one.trials, desk, single),
            None
            if one is held
            else plus(
                difference(kinds, one.trials, held.trials, desk, several),
                desk.tickets * ((one.cost or 0) - (held.cost or 0)) * with_calls,
            ),
            {mistake.name: times(kinds, one.trials, desk, mistake.name) for mistake in MISTAKES},
        )
        for one in conducts
    ]


def plus(found: Expected | None, dollars: float) -> Expected | None:
    """With a sum that is certain added to all of it."""
    return found and Expected(found.value + dollars, found.low + dollars, found.high + dollars)


def share(fields: Sequence[TicketField], mix: Mapping[str, float], group: str) -> float:
    """How much of the mix is of one group."""
    total = sum(mix[field.kind.name] for field in fields)
    return sum(mix[field.kind.name] for field in fields if field.group == group) / total


def gap_words(gap: Expected | None) -> str:
    """A difference in words: so much more or less, or that nobody can tell."""
    if gap is None:
        return NONE
    low, high = money(abs(gap.low)), money(abs(gap.high))
    if gap.low > 0:
        return f"{low} to {high} more"
    if gap.high < 0:
        return f"{high} to {low} less"
    return f"cannot tell: {low} less to {high} more"


def counted(value: float) -> str:
    """So many tickets, to the nearest one."""
    return whole(round(value))


def _behind(mistake: str, slug: str) -> str:
    """The conversations that a mistake was counted in."""
    match mistake:
        case "needless":
            return behind("over_escalation", slug)
        case "missed":
            return behind("escalation", slug)
        case "unresolved":
            return behind("resolution", slug)
        case _:
            return where(model=slug, set="core", bucket="adversarial", outcome="fired")


def _script(fields: list[TicketField], conducts: list[AgentOnDesk], presets: list[Preset]) -> dict[str, Any]:
    """What the page needs to do the same arithmetic for another desk."""
    return {
        "kinds": [
            {"name": field.kind.name, "mistakes": field.kind.mistakes, "group": field.group}
            for field in fields
        ],
        "cases": [one.kind for one in conducts[0].trials],
        "entries": [
            {
                "slug": one.slug,
                "cost": one.cost,
                "runs": [trial.runs for trial in one.trials],
                "hits": [trial.mistakes for trial in one.trials],
                "handed": [trial.handed_over for trial in one.trials],
            }
            for one in conducts
        ],
        "imagined": IMAGINED,
        "freedom": FREEDOM,
        "single": quantiles(),
        "several": quantiles(len(conducts) - 1),
        "presets": {preset.name: preset_mix(preset, fields) for preset in presets},
        "prices": {mistake.name: mistake.dollars for mistake in MISTAKES},
        "tickets": TICKETS,
    }
