"""Your desk: what the agents' mistakes would cost at the reader's own desk, with their own mix and prices."""

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
from supportagentbench.records.vocabulary import TicketMix, Vocabulary
from supportagentbench.site.data import CaseSheet, SiteData
from supportagentbench.site.links import behind
from supportagentbench.site.number import NONE, money, whole
from supportagentbench.site.page import SitePage, spaced, where

TICKETS = 10_000


class Mistake(NamedTuple):
    """A mistake that costs money, and its price until the reader sets another."""

    name: str
    title: str
    about: str
    dollars: float


MISTAKES = (
    Mistake("needless", "Needless handover", "A routine ticket is handed over to a human.", 6),
    Mistake("unresolved", "Unresolved ticket", "A routine ticket is neither settled nor handed over.", 12),
    Mistake("missed", "Missed escalation", "A ticket that needs a human is not handed over.", 60),
)
"""The mistakes that can be made at any desk; the harms of forbidden actions come from the runs."""

GROUPS: dict[Bucket, str] = {
    "resolvable": "Routine tickets",
    "must_escalate": "Tickets that need a human",
    "adversarial": "Attempted abuse",
}


BENCHMARK = TicketMix("benchmark", "As in the benchmark")

ROUTINE, OTHER = 1.0, 0.5
"""Shares of every routine case type, and of every other, in a mix that does not name it."""


class TicketField(NamedTuple):
    """A kind of ticket in the reader's form."""

    kind: Kind
    title: str
    group: str
    cases: int
    """How many cases the kind's rates are based on."""


class AgentOnDesk(NamedTuple):
    """One agent, with everything the arithmetic needs."""

    results: AgentResults
    slug: str
    trials: list[Trials]
    cost: float | None
    """Dollars for the agent's calls per conversation; None is unknown."""


class DeskRow(NamedTuple):
    """A row of the table with the default settings."""

    agent: AgentOnDesk
    loss: Expected | None
    handovers: Expected | None
    gap: Expected | None
    """Compared with the reference agent; None for that agent itself."""
    times: dict[str, float | None]


def pages(data: SiteData) -> Iterator[SitePage]:
    """The one page."""
    sheets = [sheet for sheet in data.cases.values() if not sheet.twin_of and _has_price(sheet)]
    if sheets:
        fields = _fields(sheets)
        agents = list(_agents_on_desk(data, sheets, fields))
        yield SitePage("desk.html", "desk.html", _context(fields, agents, data.vocabulary))


def _has_price(sheet: CaseSheet) -> bool:
    """Whether the reader's form has a price for what can go wrong in a case."""
    return sheet.bucket != "adversarial" or sheet.harm is not None


def _kind_name(sheet: CaseSheet) -> str:
    return sheet.harm.name if sheet.harm else sheet.family


def _fields(sheets: Sequence[CaseSheet]) -> list[TicketField]:
    """The kinds of tickets that these cases represent, in the order of the buckets."""
    counted = Counter((sheet.bucket, _kind_name(sheet)) for sheet in sheets)
    titles = {sheet.harm.name: sheet.harm.title for sheet in sheets if sheet.harm}
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


def _agents_on_desk(
    data: SiteData, sheets: Sequence[CaseSheet], fields: list[TicketField]
) -> Iterator[AgentOnDesk]:
    place = {field.kind.name: number for number, field in enumerate(fields)}
    found: dict[str, dict[str, list[Verdict]]] = defaultdict(lambda: defaultdict(list))
    for run in data.runs:
        for verdict in run.verdicts:
            if verdict.counts:
                found[run.header.agent][verdict.case].append(verdict)
    for results in data.board.agents:
        trials = [
            _trials(place[_kind_name(sheet)], fields[place[_kind_name(sheet)]].kind, verdicts)
            for sheet in sheets
            for verdicts in [found[results.name][sheet.id]]
        ]
        cost = results.of("cost")
        yield AgentOnDesk(results, data.slugs[results.name], trials, cost.value / 1000 if cost else None)


def _trials(number: int, kind: Kind, verdicts: list[Verdict]) -> Trials:
    verdicts = [verdict for verdict in verdicts if _is_decided(verdict)]
    made = [_mistake(verdict) for verdict in verdicts]
    hits = (len(made) - made.count(""),) if len(kind.mistakes) == 1 else map(made.count, kind.mistakes)
    handed = sum(_is(verdict, "handed_over") for verdict in verdicts)
    return Trials(number, len(verdicts), tuple(hits), handed)


def _is_decided(verdict: Verdict) -> bool:
    """Whether code can tell how it ended; a handover always shows."""
    resolved = verdict.of("resolved")
    return resolved is None or resolved.value is not None or _is(verdict, "handed_over")


def _mistake(verdict: Verdict) -> str:
    """The mistake made in a conversation; empty if there is none that costs."""
    match verdict.bucket:
        case "adversarial":
            return "unsafe" if _is(verdict, "unsafe") else ""
        case "must_escalate":
            return "" if _is(verdict, "escalated") else "missed"
        case _:
            if _is(verdict, "over_escalated"):
                return "needless"
            settled = _is(verdict, "resolved") or _is(verdict, "handed_over")
            return "" if settled else "unresolved"


def _is(verdict: Verdict, check: str) -> bool:
    found = verdict.of(check)
    return found is not None and found.counts_as is True


def preset_mix(preset: TicketMix, fields: Sequence[TicketField]) -> dict[str, float]:
    """The share of every kind of ticket."""
    if preset is BENCHMARK:
        return {field.kind.name: float(field.cases) for field in fields}
    return {
        field.kind.name: preset.raised.get(
            field.kind.name, ROUTINE if field.group == GROUPS["resolvable"] else OTHER
        )
        for field in fields
    }


def _context(fields: list[TicketField], agents: list[AgentOnDesk], vocabulary: Vocabulary) -> dict[str, Any]:
    kinds = [field.kind for field in fields]
    known = {kind.name for kind in kinds}
    presets = [BENCHMARK, *(one for one in vocabulary.mixes if known & one.raised.keys())]
    mistakes = [one for one in _mistakes(vocabulary) if any(one.name in kind.mistakes for kind in kinds)]
    mix = preset_mix(presets[0], fields)
    desk = DeskSettings(TICKETS, mix, {mistake.name: mistake.dollars for mistake in mistakes})
    with_calls = all(agent.cost is not None for agent in agents)
    lines = _lines(kinds, agents, desk, with_calls)
    return {
        "fields": fields,
        "groups": {
            group: [field for field in fields if field.group == group]
            for group in dict.fromkeys(field.group for field in fields)
        },
        "mix": mix,
        "mistakes": mistakes,
        "presets": presets,
        "tickets": TICKETS,
        "with_calls": with_calls,
        "some_cost": any(agent.cost is not None for agent in agents),
        "lines": lines,
        "most": max((line.loss.high for line in lines if line.loss), default=0.0) or 1.0,
        "shares": {group: share(fields, mix, group) for group in dict.fromkeys(f.group for f in fields)},
        "gap_words": gap_words,
        "counted": counted,
        "behind": _behind,
        "imagined": IMAGINED,
        "script": _script(fields, agents, presets, desk),
    }


def _mistakes(vocabulary: Vocabulary) -> list[Mistake]:
    """Every mistake with a price: those of any desk, then the harms of this shop."""
    return [*MISTAKES, *(Mistake(one.name, one.title, one.about, one.dollars) for one in vocabulary.harms)]


def _lines(
    kinds: list[Kind], agents: list[AgentOnDesk], desk: DeskSettings, with_calls: bool
) -> list[DeskRow]:
    single, several = quantiles(), quantiles(len(agents) - 1)
    reference = agents[0]
    return [
        DeskRow(
            one,
            plus(loss(kinds, one.trials, desk, single), desk.tickets * (one.cost or 0) * with_calls),
            handovers(kinds, one.trials, desk, single),
            None
            if one is reference
            else plus(
                difference(kinds, one.trials, reference.trials, desk, several),
                desk.tickets * ((one.cost or 0) - (reference.cost or 0)) * with_calls,
            ),
            {name: times(kinds, one.trials, desk, name) for name in desk.prices},
        )
        for one in agents
    ]


def plus(found: Expected | None, dollars: float) -> Expected | None:
    """The same with a certain amount added."""
    return found and Expected(found.value + dollars, found.low + dollars, found.high + dollars)


def share(fields: Sequence[TicketField], mix: Mapping[str, float], group: str) -> float:
    """The share of the mix that is in one group."""
    total = sum(mix[field.kind.name] for field in fields)
    return sum(mix[field.kind.name] for field in fields if field.group == group) / total


def gap_words(gap: Expected | None) -> str:
    """A difference in words: how much more or less, or that it is not significant."""
    if gap is None:
        return NONE
    low, high = money(abs(gap.low)), money(abs(gap.high))
    if gap.low > 0:
        return f"{low} to {high} more"
    if gap.high < 0:
        return f"{high} to {low} less"
    return f"no significant difference: {low} less to {high} more"


def counted(value: float) -> str:
    """A number of tickets, rounded."""
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
            return where(agent=slug, set="core", bucket="adversarial", outcome="unsafe")


def _script(
    fields: list[TicketField], agents: list[AgentOnDesk], presets: list[TicketMix], desk: DeskSettings
) -> dict[str, Any]:
    """What the page's script needs to do the same arithmetic for another desk."""
    return {
        "kinds": [
            {"name": field.kind.name, "mistakes": field.kind.mistakes, "group": field.group}
            for field in fields
        ],
        "cases": [one.kind for one in agents[0].trials],
        "agents": [
            {
                "slug": one.slug,
                "cost": one.cost,
                "runs": [trial.runs for trial in one.trials],
                "hits": [trial.mistakes for trial in one.trials],
                "handed": [trial.handed_over for trial in one.trials],
            }
            for one in agents
        ],
        "imagined": IMAGINED,
        "freedom": FREEDOM,
        "single": quantiles(),
        "several": quantiles(len(agents) - 1),
        "presets": {preset.name: preset_mix(preset, fields) for preset in presets},
        "prices": desk.prices,
        "tickets": TICKETS,
    }
