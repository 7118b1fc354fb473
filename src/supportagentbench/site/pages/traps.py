"""Traps: what a trap is, which traps worked on which agents, when, what it costs, and what decides each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from supportagentbench.board.recommendation_words import in_words
from supportagentbench.records.case import Label
from supportagentbench.records.run import RuleText
from supportagentbench.records.vocabulary import DISCLOSE, Harm
from supportagentbench.site.answers.insight_unsafe import offered_first, offered_words
from supportagentbench.site.charts.heat_map import HeatLine, HeatMap, heat_map, is_trap
from supportagentbench.site.charts.level_line import LevelLine, level_lines
from supportagentbench.site.data.case_record import NOTHING, differences
from supportagentbench.site.data.conversation_fact import facts_of
from supportagentbench.site.data.index import among
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.naming import where
from supportagentbench.site.pages.cases import known_rules, ranked_names
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext

LAST_TURN = 9
"""The last of the customer's messages that the reader can filter by; it includes later ones."""


class TrapLine(NamedTuple):
    """One trap: what it tempts to, what decides it, and how its honest twin fared."""

    heat: HeatLine
    tempts: str
    """The unsafe action in plain words; empty: not recorded."""
    rule: RuleText | None
    """The rule that decides it; None: not recorded."""
    solved: int
    met: int
    """Conversations of ranked agents with its twins, and how many were solved."""


class RuleTraps(NamedTuple):
    """A rule and the traps that it decides."""

    rule: RuleText | None
    lines: list[TrapLine]


class ExampleSide(NamedTuple):
    """A trap or its twin, as far as they differ."""

    case: str
    fact: str
    rule: RuleText | None


class TwinExample(NamedTuple):
    """A trap and its honest twin: one opening, one fact that differs, the opposite right action."""

    title: str
    opening: str
    language: str
    field: str
    """The field of the record that differs."""
    act: str
    """What is wrong in one and right in the other."""
    sides: tuple[ExampleSide, ExampleSide]


class TurnBar(NamedTuple):
    """How often traps worked after the customer's message of this number."""

    turn: int
    worked: int
    link: str


class KindLine(NamedTuple):
    """One kind of harm over its traps."""

    harm: Harm
    traps: int
    worked: int
    tried: int
    link: str


@dataclass(frozen=True)
class TrapsContext(PageContext):
    """All traps, and what they did."""

    TEMPLATES: ClassVar = ("traps.html",)

    heat: HeatMap
    """The ranked agents and all traps."""
    others: HeatMap | None
    """The agents that are not ranked; None: all are."""
    others_group: str
    """Their group in the reader; empty: no group has exactly these agents."""
    lines: list[TrapLine]
    example: TwinExample | None
    turns: list[TurnBar]
    """From the first message to the last after which a trap worked; empty: none worked."""
    levels: list[LevelLine]
    kinds: list[KindLine]
    """The traps by kind of harm, those that worked most first."""
    offered: str = ""
    """How many unsafe actions were offered at once, in a sentence; empty: none."""

    @property
    def headed(self) -> Headed:
        return Headed(self.finding, f"{self.traps} traps, and in which of them each agent gave in.")

    @property
    def finding(self) -> str:
        """What the page shows, in a sentence without a full stop."""
        heat, caught = self.heat, sum(one.worked > 0 for one in self.heat.columns)
        if not self.lines:
            return "These runs have no traps"
        if not caught:
            return heat.finding
        times = f"in {heat.worked} of {heat.tried} attempts"
        if heat.agents == 1:
            return f"{heat.columns[0].agent} gave in {times}"
        return f"{in_words(caught).capitalize()} of {in_words(heat.agents)} agents gave in to a trap, {times}"

    @property
    def traps(self) -> int:
        """The number of traps."""
        return sum(len(line.heat.cases) for line in self.lines)

    @property
    def rules(self) -> list[RuleTraps]:
        """The traps by the rule that decides them, in their order."""
        found: dict[str, RuleTraps] = {}
        for line in self.lines:
            key = line.rule.id if line.rule else ""
            found.setdefault(key, RuleTraps(line.rule, [])).lines.append(line)
        return list(found.values())

    @property
    def late(self) -> int:
        """How many of the unsafe actions came after the customer's third message or later."""
        return sum(bar.worked for bar in self.turns if bar.turn >= 3)

    @property
    def highest(self) -> int:
        """The most of one message number, which the bars are drawn by."""
        return max((bar.worked for bar in self.turns), default=1)


def pages(data: SiteData) -> Iterator[SitePage[TrapsContext]]:
    """The page of all traps."""
    ranked = ranked_names(data.board)
    others = [agent.name for agent in data.board.agents if agent.name not in ranked]
    dummies = [agent.name for agent in data.board.agents if "dummies" in among(agent.name, data.board)]
    group = "dummies" if others == dummies else ""
    heat = heat_map(data.rows, data.cases, data.slugs, ranked)
    lines = lines_of(data, heat, ranked)
    agents = sorted(data.board.agents, key=lambda agent: agent.name not in ranked)
    first = offered_first(facts_of(data).conversations)
    context = TrapsContext(
        heat=heat,
        others=heat_map(data.rows, data.cases, data.slugs, others, group) if others else None,
        others_group=group,
        lines=lines,
        example=example_of(data),
        turns=turns_of(data, ranked),
        levels=level_lines(agents, data.slugs),
        kinds=kinds_of(heat.lines, data.vocabulary.harms),
        offered=f"In {len(first)} {offered_words(first)}" if first else "",
    )
    yield SitePage("traps.html", "traps.html", context)


def lines_of(data: SiteData, heat: HeatMap, ranked: Sequence[str]) -> list[TrapLine]:
    """The traps in the order of the map."""
    rules = known_rules(data)
    twins = {sheet.twin_of: name for name, sheet in data.cases.items() if sheet.twin_of}
    met: dict[str, list[ConversationRow]] = defaultdict(list)
    for row in data.rows:
        if row.agent in ranked and row.outcome.grade != "none":
            met[row.case].append(row)
    found = []
    for line in heat.lines:
        label = data.cases[line.cases[0]].label
        paired = [twins[case] for case in line.cases if case in twins]
        some = [row for twin in paired for row in met[twin]]
        found.append(
            TrapLine(
                line,
                tempted(data, label.temptation),
                _deciding(label, rules),
                sum(row.outcome.name == "resolved" for row in some),
                len(some),
            )
        )
    return found


def _deciding(label: Label, rules: Mapping[str, RuleText]) -> RuleText | None:
    """The rule that forbids what a trap tempts to, or else the first that decides the case."""
    forbid = [name for ban in label.bans if ban.act == label.temptation for name in ban.rules]
    return next((rules[name] for name in (*forbid, *label.rules) if name in rules), None)


def tempted(data: SiteData, act: str | None) -> str:
    """What a trap tempts to, in plain words."""
    return "disclose another customer's data" if act == DISCLOSE else data.act_title(act)


def turns_of(data: SiteData, ranked: Sequence[str]) -> list[TurnBar]:
    """After which of the customer's messages the ranked agents acted unsafely."""
    counts = Counter(
        min(row.unsafe_turn, LAST_TURN)
        for row in data.rows
        if row.agent in ranked and row.unsafe_turn and is_trap(data.cases[row.case])
    )
    last = max(counts, default=0)
    return [
        TurnBar(turn, counts[turn], where(among="ranked", counted="unsafe", after=turn))
        for turn in range(1, last + 1)
    ]


def kinds_of(lines: Iterable[HeatLine], harms: Iterable[Harm]) -> list[KindLine]:
    """The kinds of harm that traps do, each over all of its traps."""
    found = []
    for harm in harms:
        if some := [line for line in lines if line.harm == harm]:
            worked, tried = sum(line.worked for line in some), sum(line.tried for line in some)
            link = where(among="ranked", counted="unsafe", harm=harm.name)
            found.append(KindLine(harm, sum(len(line.cases) for line in some), worked, tried, link))
    return sorted(found, key=lambda kind: -kind.worked)


def example_of(data: SiteData) -> TwinExample | None:
    """The trap and twin whose difference takes the fewest words."""
    rules = known_rules(data)
    twins = (
        (data.cases[sheet.twin_of], sheet) for sheet in data.cases.values() if sheet.twin_of in data.cases
    )
    found = filter(None, (_example(trap, twin, data, rules) for trap, twin in twins))
    return min(found, key=_length, default=None)


def _length(example: TwinExample) -> tuple[bool, int, int]:
    """A fact that is there in both comes first, then the fewest characters."""
    facts = [side.fact for side in example.sides]
    return NOTHING in facts, sum(map(len, facts)), len(example.opening)


def _example(
    trap: CaseSheet, twin: CaseSheet, data: SiteData, rules: Mapping[str, RuleText]
) -> TwinExample | None:
    """A trap and its twin, if one field of the record differs and makes a wrong act a right one."""
    differs = differences(trap.record, twin.record)
    banned = {ban.act for ban in twin.label.bans}
    act = trap.label.temptation
    if (
        len(differs) != 1
        or trap.opening != twin.opening
        or act in banned
        or act not in data.vocabulary.by_act
    ):
        return None
    [field] = differs
    sides = [
        ExampleSide(sheet.id, fact, _deciding(sheet.label, rules))
        for sheet, fact in ((trap, field.here), (twin, field.there))
    ]
    title = data.act_title(act)
    return TwinExample(trap.case_type, trap.opening, trap.language, field.name, title, (sides[0], sides[1]))
