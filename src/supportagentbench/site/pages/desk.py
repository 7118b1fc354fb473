"""Desk: what agents' mistakes would cost at the reader's own desk, with the reader's mix and prices."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.loss import (
    FREEDOM,
    GRID,
    IMAGINED,
    NEEDLESS,
    ONE_IN,
    DeskSettings,
    Gap,
    Kind,
    Trials,
    quantiles,
)
from supportagentbench.board.standings import is_ranked
from supportagentbench.records.case import Bucket
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import TicketMix, Vocabulary
from supportagentbench.site.answers.board_answer import limit_words
from supportagentbench.site.answers.desk_answer import (
    AgentOnDesk,
    DeskRow,
    Mistake,
    TicketField,
    answer,
    counted,
    gap_words,
    in_order,
    rows_of,
    share,
    signed,
    tests,
)
from supportagentbench.site.answers.takes import beyond_words
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.site_data import CaseSheet, SiteData
from supportagentbench.site.naming import where
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import PageContext

TICKETS = 10_000

PERSON = 6.0
"""The default dollars per ticket that a person handles."""


MISTAKES = (
    Mistake(NEEDLESS, "Needless handover", "A routine ticket is handed over to a human.", 6),
    Mistake("unresolved", "Unresolved ticket", "A routine ticket is neither settled nor handed over.", 12),
    Mistake("missed", "Missed escalation", "A ticket that needs a human is not handed over.", 60),
)
"""The mistakes that can be made at any desk; the harms of forbidden actions come from the runs."""

SHARES: dict[str, float] = {"resolvable": 95, "must_escalate": 4, "adversarial": 1}
"""The assumed percentage of each group of tickets at a desk, unless a mix says otherwise."""

BENCHMARK = TicketMix("benchmark", "As in the benchmark")

EVEN = TicketMix("even", "All case types equally")
"""For a shop without a mix."""


@dataclass(frozen=True)
class DeskContext(PageContext):
    """What mistakes cost at a desk with the default mix and prices; the script computes others."""

    TEMPLATES: ClassVar = ("desk.html",)

    groups: dict[str, list[TicketField]]
    """The kinds of tickets, by group."""
    mix: dict[str, float]
    """The share of each kind, in percent."""
    mistakes: list[Mistake]
    presets: list[TicketMix]
    some_cost: bool
    """Whether the cost of any agent's calls is known."""
    unpriced: list[str]
    """Ranked agents whose calls have no known cost."""
    rows: list[DeskRow]
    answer: list[str]
    shares: dict[str, float]
    """The share of each group of tickets in the mix."""
    benchmark: dict[str, float]
    """The same in the benchmark."""
    script: dict[str, Any]
    """What the page's script needs."""
    tickets: ClassVar = TICKETS
    person: ClassVar = PERSON
    one_in: ClassVar = ONE_IN
    level: ClassVar = LEVEL
    limits: ClassVar = limit_words(LIMITS)
    signed: ClassVar = staticmethod(signed)
    counted: ClassVar = staticmethod(counted)

    @property
    def reference(self) -> str:
        """The agent that the others are compared with."""
        return in_order(self.rows, within_first=True)[0].agent.results.name

    @property
    def tables(self) -> dict[str, list[DeskRow]]:
        """The ranked agents, and below them the unranked ones."""
        return {
            "ranked": [row for row in self.rows if row.agent.is_ranked],
            "others": [row for row in self.rows if not row.agent.is_ranked],
        }

    @property
    def most(self) -> float:
        """The right end of the axis."""
        return (
            max((row.loss.high for row in self.rows if row.loss and row.agent.is_ranked), default=0.0) or 1.0
        )

    def gap_words(self, found: Gap | None) -> str:
        """A difference as text, corrected for all comparisons on the page."""
        return gap_words(found, tests(self.rows))

    def behind(self, mistake: str, slug: str) -> str:
        """The conversations in which a mistake was counted."""
        match mistake:
            case "needless":
                return behind("over_escalation", slug)
            case "missed":
                return behind("escalation", slug)
            case "unresolved":
                return behind("resolution", slug)
            case _:
                return where(agent=slug, set="core", bucket="adversarial", outcome="unsafe")


def pages(data: SiteData) -> Iterator[SitePage[DeskContext]]:
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
    """Whether code can tell how it ended; a handover is always visible."""
    if verdict.bucket == "adversarial":
        return verdict.outcome.unsafe is not None
    resolved = verdict.of("resolved")
    return resolved is None or resolved.value is not None or _is(verdict, "handed_over")


def _mistake(verdict: Verdict) -> str:
    """The mistake made in a conversation; empty if there is none with a price."""
    match verdict.bucket:
        case "adversarial":
            return "unsafe" if verdict.outcome.unsafe else ""
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


def _context(fields: list[TicketField], agents: list[AgentOnDesk], vocabulary: Vocabulary) -> DeskContext:
    kinds = [field.kind for field in fields]
    known = {kind.name for kind in kinds}
    mixes = [one for one in vocabulary.mixes if known & one.raised.keys()]
    presets = [*(mixes or (EVEN,)), BENCHMARK]
    mistakes = [one for one in _mistakes(vocabulary) if any(one.name in kind.mistakes for kind in kinds)]
    mix = preset_mix(presets[0], fields)
    desk = DeskSettings(TICKETS, mix, {mistake.name: mistake.dollars for mistake in mistakes}, PERSON)
    rows = in_order(rows_of(kinds, agents, desk))
    groups = list(dict.fromkeys(field.group for field in fields))
    some_cost = any(agent.cost is not None for agent in agents)
    return DeskContext(
        groups={group: [field for field in fields if field.group == group] for group in groups},
        mix=mix,
        mistakes=mistakes,
        presets=presets,
        some_cost=some_cost,
        unpriced=[one.results.name for one in agents if one.cost is None and one.is_ranked],
        rows=rows,
        answer=answer(rows, desk, mistakes, some_cost, fields),
        shares={group: share(fields, mix, group) for group in groups},
        benchmark={group: share(fields, preset_mix(BENCHMARK, fields), group) for group in groups},
        script=_script(fields, agents, presets, desk, mistakes),
    )


def _mistakes(vocabulary: Vocabulary) -> list[Mistake]:
    """Every mistake with a price: those of any desk, then the harms of this shop."""
    return [*MISTAKES, *(Mistake(one.name, one.title, one.about, one.dollars) for one in vocabulary.harms)]


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
