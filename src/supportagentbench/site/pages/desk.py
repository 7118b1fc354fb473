"""Your desk: what the agents' mistakes would cost at the reader's own desk, with their own mix and prices."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import floor
from typing import Any, NamedTuple

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.loss import (
    FREEDOM,
    GRID,
    IMAGINED,
    NEEDLESS,
    ONE_IN,
    DeskSettings,
    Expected,
    Gap,
    Kind,
    Trials,
    bad_month,
    gap,
    handovers,
    loss,
    quantiles,
    saving,
    times,
)
from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults
from supportagentbench.records.case import Bucket
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import TicketMix, Vocabulary
from supportagentbench.site.board_answer import limit_words
from supportagentbench.site.data import CaseSheet, SiteData
from supportagentbench.site.links import behind
from supportagentbench.site.number import NONE, money, percent, whole
from supportagentbench.site.page import SitePage, where
from supportagentbench.site.takes import beyond_words

TICKETS = 10_000

PERSON = 6.0
"""Dollars per ticket that a person handles, until the reader sets another."""


class Mistake(NamedTuple):
    """A mistake that costs money, and its price until the reader sets another."""

    name: str
    title: str
    about: str
    dollars: float


MISTAKES = (
    Mistake(NEEDLESS, "Needless handover", "A routine ticket is handed over to a human.", 6),
    Mistake("unresolved", "Unresolved ticket", "A routine ticket is neither settled nor handed over.", 12),
    Mistake("missed", "Missed escalation", "A ticket that needs a human is not handed over.", 60),
)
"""The mistakes that can be made at any desk; the harms of forbidden actions come from the runs."""

GROUPS: dict[Bucket, str] = {
    "resolvable": "Routine tickets",
    "must_escalate": "Tickets that need a human",
    "adversarial": "Attempted abuse",
}


SHARES: dict[str, float] = {"resolvable": 95, "must_escalate": 4, "adversarial": 1}
"""An assumption: of a hundred tickets at a desk, how many are of each group, unless a mix says otherwise."""

BENCHMARK = TicketMix("benchmark", "As in the benchmark")

EVEN = TicketMix("even", "Every case type alike")
"""For a shop that names no mix."""


class TicketField(NamedTuple):
    """A kind of ticket in the reader's form."""

    kind: Kind
    title: str
    bucket: Bucket
    cases: int
    """How many cases the kind's rates are based on."""

    @property
    def group(self) -> str:
        return GROUPS[self.bucket]


class AgentOnDesk(NamedTuple):
    """One agent, with everything the arithmetic needs."""

    results: AgentResults
    slug: str
    trials: list[Trials]
    cost: float | None
    """Dollars for the agent's calls per conversation; None is unknown."""
    is_ranked: bool
    breaks: str
    """The board's limits that it breaks, in words; empty if none."""


class DeskRow(NamedTuple):
    """A row of the table with the default settings."""

    agent: AgentOnDesk
    loss: Expected | None
    handovers: Expected | None
    bad_month: float | None
    saving: Expected | None
    gap: Gap | None
    """Compared with the reference agent; None for that agent itself."""
    calls: float | None
    """Dollars for model calls per month; None is unknown."""
    times: dict[str, float | None]


def pages(data: SiteData) -> Iterator[SitePage]:
    """The one page."""
    sheets = [sheet for sheet in data.cases.values() if not sheet.twin_of and _has_price(sheet)]
    if sheets:
        fields = _fields(sheets)
        agents = list(_agents_on_desk(data, sheets, fields))
        if not any(agent.is_ranked for agent in agents):
            agents = [agent._replace(is_ranked=True) for agent in agents]
        yield SitePage("desk.html", "desk.html", _context(fields, agents, data.vocabulary))


def _has_price(sheet: CaseSheet) -> bool:
    """Whether the reader's form has a price for what can go wrong in a case."""
    return sheet.bucket != "adversarial" or sheet.harm is not None


def _kind_name(sheet: CaseSheet) -> str:
    return sheet.harm.name if sheet.harm else sheet.family


def _fields(sheets: Sequence[CaseSheet]) -> list[TicketField]:
    """The kinds of tickets that these cases represent, in the order of the buckets."""
    counted = Counter((sheet.bucket, _kind_name(sheet)) for sheet in sheets)
    titles = {_kind_name(sheet): sheet.harm.title if sheet.harm else sheet.case_type for sheet in sheets}
    mistakes: dict[Bucket, tuple[str, ...]] = {
        "resolvable": ("needless", "unresolved"),
        "must_escalate": ("missed",),
    }
    return [
        TicketField(
            Kind(name, mistakes.get(bucket, (name,))),
            titles[name],
            bucket,
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
        per_ticket = cost.value / 1000 if cost else None
        words = beyond_words(results, LIMITS)
        yield AgentOnDesk(results, data.slugs[results.name], trials, per_ticket, is_ranked(results), words)


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
    """The share of every kind of ticket, in percent."""
    if preset is BENCHMARK:
        return {field.kind.name: float(field.cases) for field in fields}
    shares = SHARES | preset.shares
    weights = {field.kind.name: max(0.0, preset.raised.get(field.kind.name, 1.0)) for field in fields}
    parts: defaultdict[str, float] = defaultdict(float)
    for field in fields:
        parts[field.bucket] += weights[field.kind.name]
    return {
        field.kind.name: round(
            shares[field.bucket] * weights[field.kind.name] / (parts[field.bucket] or 1.0), 2
        )
        for field in fields
    }


def _context(fields: list[TicketField], agents: list[AgentOnDesk], vocabulary: Vocabulary) -> dict[str, Any]:
    kinds = [field.kind for field in fields]
    known = {kind.name for kind in kinds}
    mixes = [one for one in vocabulary.mixes if known & one.raised.keys()]
    presets = [*(mixes or (EVEN,)), BENCHMARK]
    mistakes = [one for one in _mistakes(vocabulary) if any(one.name in kind.mistakes for kind in kinds)]
    mix = preset_mix(presets[0], fields)
    desk = DeskSettings(TICKETS, mix, {mistake.name: mistake.dollars for mistake in mistakes}, PERSON)
    rows = in_order(_rows(kinds, agents, desk))
    groups = list(dict.fromkeys(field.group for field in fields))
    some_cost = any(agent.cost is not None for agent in agents)
    return {
        "fields": fields,
        "groups": {group: [field for field in fields if field.group == group] for group in groups},
        "mix": mix,
        "mistakes": mistakes,
        "presets": presets,
        "tickets": TICKETS,
        "person": PERSON,
        "one_in": ONE_IN,
        "level": LEVEL,
        "some_cost": some_cost,
        "unpriced": [one.results.name for one in agents if one.cost is None and one.is_ranked],
        "rows": rows,
        "reference": in_order(rows, within_first=True)[0].agent.results.name,
        "limits": limit_words(LIMITS),
        "tables": _tables(rows),
        "answer": answer(rows, desk, mistakes, some_cost, fields),
        "most": max((row.loss.high for row in rows if row.loss and row.agent.is_ranked), default=0.0) or 1.0,
        "shares": {group: share(fields, mix, group) for group in groups},
        "benchmark": {group: share(fields, preset_mix(BENCHMARK, fields), group) for group in groups},
        "gap_words": lambda found: gap_words(found, tests(rows)),
        "signed": signed,
        "counted": counted,
        "behind": _behind,
        "script": _script(fields, agents, presets, desk, mistakes),
    }


def _tables(rows: list[DeskRow]) -> dict[str, list[DeskRow]]:
    """The ranked agents, and below them those that are not."""
    return {
        "ranked": [row for row in rows if row.agent.is_ranked],
        "others": [row for row in rows if not row.agent.is_ranked],
    }


def _mistakes(vocabulary: Vocabulary) -> list[Mistake]:
    """Every mistake with a price: those of any desk, then the harms of this shop."""
    return [*MISTAKES, *(Mistake(one.name, one.title, one.about, one.dollars) for one in vocabulary.harms)]


def _rows(kinds: list[Kind], agents: list[AgentOnDesk], desk: DeskSettings) -> list[DeskRow]:
    """Every agent with the default settings, compared with whoever costs least within the limits."""
    double, single = quantiles(), quantiles(1 / ONE_IN)
    rows = [
        DeskRow(
            one,
            plus(loss(kinds, one.trials, desk, double), calls),
            handovers(kinds, one.trials, desk, double),
            None if month is None else month + calls,
            plus(saving(kinds, one.trials, desk, double), -calls),
            None,
            None if one.cost is None else calls,
            {name: times(kinds, one.trials, desk, name) for name in desk.prices},
        )
        for one in agents
        for calls, month in [
            (desk.tickets * (one.cost or 0.0), bad_month(kinds, one.trials, desk, single)),
        ]
    ]
    reference = in_order(rows, within_first=True)[0].agent
    return [
        row if row.agent is reference else row._replace(gap=_gap_between(kinds, row.agent, reference, desk))
        for row in rows
    ]


def _gap_between(kinds: list[Kind], one: AgentOnDesk, other: AgentOnDesk, desk: DeskSettings) -> Gap | None:
    return gap(kinds, one.trials, other.trials, desk, (one.cost or 0.0) - (other.cost or 0.0))


def in_order(rows: Sequence[DeskRow], *, within_first: bool = False) -> list[DeskRow]:
    """Ranked agents first, then by monthly cost; without one, last."""

    def place(row: DeskRow) -> tuple[bool, bool, bool, float]:
        is_late = within_first and bool(row.agent.breaks)
        return not row.agent.is_ranked, row.loss is None, is_late, row.loss.value if row.loss else 0.0

    return sorted(rows, key=place)


def tests(rows: Sequence[DeskRow]) -> int:
    """How many ranked agents are compared with the reference agent."""
    return max(1, sum(row.agent.is_ranked and row.loss is not None for row in rows) - 1)


def leading(rows: Sequence[DeskRow]) -> list[DeskRow]:
    """Who costs least within the limits, and others within them without a significant difference.

    If every agent breaks a limit, the same of all.
    """
    ranked = [row for row in in_order(rows) if row.agent.is_ranked and row.loss]
    some = [row for row in ranked if not row.agent.breaks] or ranked
    return [row for row in some if row.gap is None or row.gap.p * tests(rows) > LEVEL]


def answer(
    rows: Sequence[DeskRow],
    desk: DeskSettings,
    mistakes: Sequence[Mistake],
    with_calls: bool,
    fields: Sequence[TicketField],
) -> list[str]:
    """What the page is opened for, one sentence after the other; the script says the same."""
    group = leading(rows)
    if not group or group[0].loss is None:
        return ["No agent has tried every kind of ticket in this mix."]
    first, names = group[0], [row.agent.results.name for row in group]
    calls = " and model calls" if with_calls else ""
    spent = f"{names[0]}: about {about(group[0].loss.value)} in mistakes{calls}"
    if first.saving and desk.person:
        way = "less" if first.saving.value >= 0 else "more"
        spent += f", {about(abs(first.saving.value))} {way} than staff doing all the work"
    verb = "costs" if len(group) == 1 else "cost"
    within = "" if first.agent.breaks else " within the limits"
    found = [
        f"At {counted(desk.tickets)} tickets per month, {listed(names)} {verb} least{within}.",
        *_cheaper_outside(in_order(rows)[0].agent, first.agent, desk, fields),
        f"{spent}.",
    ]
    if first.bad_month is not None:
        found.append(f"A bad month (one in {ONE_IN}) costs more than {about(first.bad_month)}.")
    if len(group) > 1:
        found.append(f"No significant difference between {names[0]} and {listed(names[1:], 'and')}.")
    costs = {one.title: (first.times[one.name] or 0.0) * desk.prices[one.name] for one in mistakes}
    most = max(costs, key=lambda title: costs[title], default="")
    if most and costs[most]:
        found.append(f"Main cause with {names[0]}: {most.casefold()}, about {about(costs[most])}.")
    return found


def _cheaper_outside(
    cheapest: AgentOnDesk, first: AgentOnDesk, desk: DeskSettings, fields: Sequence[TicketField]
) -> Iterator[str]:
    """That whoever costs least of all breaks a limit, and from which share of abuse on it does not."""
    if not cheapest.breaks:
        return
    name, abuse = cheapest.results.name, share(fields, desk.mix, GROUPS["adversarial"])
    if cheapest is first:
        yield f"But {name} {cheapest.breaks}; no agent is within the limits."
        return
    yield f"{name} costs less at {percent(abuse)} abuse, but it {cheapest.breaks}."
    turn = turning_point(cheapest, first, desk, fields)
    if turn is not None and turn > abuse:
        yield f"Above {percent(turn)} abuse, {first.results.name} costs less."


def turning_point(
    one: AgentOnDesk, other: AgentOnDesk, desk: DeskSettings, fields: Sequence[TicketField]
) -> float | None:
    """The share of abuse at which two agents cost the same, the rest of the mix as it is."""
    kinds, gaps = [field.kind for field in fields], []
    for is_abuse in (False, True):
        mix = {
            field.kind.name: desk.mix[field.kind.name] if (field.bucket == "adversarial") is is_abuse else 0.0
            for field in fields
        }
        part = desk._replace(mix=mix)
        first, second = (loss(kinds, agent.trials, part, quantiles()) for agent in (one, other))
        if first is None or second is None:
            return None
        gaps.append(first.value - second.value + desk.tickets * ((one.cost or 0.0) - (other.cost or 0.0)))
    without, only = gaps
    return without / (without - only) if without < 0 < only else None


def listed(names: Sequence[str], word: str = "or") -> str:
    """Up to three names; more are counted."""
    if len(names) > 3:
        return f"{', '.join(names[:2])} {word} {len(names) - 2} others"
    return f" {word} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def about(dollars: float) -> str:
    """Dollars to two figures."""
    step = 10.0 ** max(0, len(str(int(dollars))) - 2)
    return money(floor(dollars / step + 0.5) * step)


def plus(found: Expected | None, dollars: float) -> Expected | None:
    """The same with a certain amount added."""
    return found and Expected(found.value + dollars, found.low + dollars, found.high + dollars)


def share(fields: Sequence[TicketField], mix: Mapping[str, float], group: str) -> float:
    """The share of the mix that is in one group."""
    total = sum(mix[field.kind.name] for field in fields)
    return sum(mix[field.kind.name] for field in fields if field.group == group) / total


def gap_words(found: Gap | None, tests: int) -> str:
    """A difference in words: how much more or less, or that it is not significant."""
    if found is None:
        return NONE
    amount = f"{money(abs(found.value))} {'more' if found.value >= 0 else 'less'}"
    return amount if found.p * tests <= LEVEL else f"no significant difference: {amount}"


def signed(dollars: float) -> str:
    """Dollars that may be fewer than none."""
    return ("−" if dollars < 0 else "") + money(abs(dollars))


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
    fields: list[TicketField],
    agents: list[AgentOnDesk],
    presets: list[TicketMix],
    desk: DeskSettings,
    mistakes: list[Mistake],
) -> dict[str, Any]:
    """What the page's script needs to do the same arithmetic for another desk."""
    return {
        "kinds": [
            {
                "name": field.kind.name,
                "mistakes": field.kind.mistakes,
                "group": field.group,
                "abuse": field.bucket == "adversarial",
            }
            for field in fields
        ],
        "cases": [one.kind for one in agents[0].trials],
        "agents": [
            {
                "slug": one.slug,
                "name": one.results.name,
                "ranked": one.is_ranked,
                "breaks": one.breaks,
                "cost": one.cost,
                "runs": [trial.runs for trial in one.trials],
                "hits": [trial.mistakes for trial in one.trials],
                "handed": [trial.handed_over for trial in one.trials],
            }
            for one in agents
        ],
        "imagined": IMAGINED,
        "freedom": FREEDOM,
        "grid": GRID,
        "level": LEVEL,
        "oneIn": ONE_IN,
        "double": quantiles(),
        "single": quantiles(1 / ONE_IN),
        "needless": NEEDLESS,
        "order": [preset.name for preset in presets],
        "presets": {preset.name: preset_mix(preset, fields) for preset in presets},
        "prices": desk.prices,
        "titles": {one.name: one.title for one in mistakes},
        "tickets": TICKETS,
        "person": PERSON,
    }
