"""Board: the page with the answer, the table, and three charts that are mostly tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import ceil
from typing import ClassVar, NamedTuple

from markupsafe import Markup
from msgspec.structs import replace

from supportagentbench.board.badges import RULES, SAFETY_RULES, TIERS, WORDS, ZONES, Zone
from supportagentbench.board.cost_notes import cost_notes
from supportagentbench.board.dominance import error_range
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.metrics import leading_judge
from supportagentbench.board.recommendation import BoardRecommendation, recommend
from supportagentbench.board.standings import RANKED_FROM, is_ranked
from supportagentbench.board.substitutes import substitutes
from supportagentbench.board.traps import unmeasured_note
from supportagentbench.board.unobservable import unobservable_note
from supportagentbench.records.board import AgentResults, Board, Estimate, Tier
from supportagentbench.records.claim import Claim
from supportagentbench.site.answers.board_answer import BoardAnswer, LimitField, board_answer, limit_fields
from supportagentbench.site.answers.headline import Power, headline, in_words, powers, resolving_power
from supportagentbench.site.answers.insight import Insight
from supportagentbench.site.answers.insights import insights
from supportagentbench.site.answers.limits import limits
from supportagentbench.site.answers.more_figures import MoreFigures, more_figures
from supportagentbench.site.charts.chart_svg import HATCH, standalone, svg
from supportagentbench.site.charts.diverging_bars import DivergingBars, diverging_bars
from supportagentbench.site.charts.layout import UNKNOWN, Plot, Point, cost_plot, strip_plot, tier_plot
from supportagentbench.site.charts.level_line import LevelLine, level_lines
from supportagentbench.site.charts.tradeoff import tradeoff_plots, tradeoff_title
from supportagentbench.site.charts.trap_grid import TrapRow, groups, lines
from supportagentbench.site.data.comparisons import Comparisons
from supportagentbench.site.data.conversation_fact import facts_of
from supportagentbench.site.data.figures import board_csv, board_json, conversations_csv
from supportagentbench.site.data.links import behind, counted_words
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.data.vendor import ModelOrigin, origins
from supportagentbench.site.number import (
    amount,
    count_text,
    interval_text,
    median_text,
    money,
    per_run,
    percent,
    plain,
    safety_text,
    value_text,
)
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import PageContext

CHART = "data/value.svg"


class BoardColumn(NamedTuple):
    """A column of the table: its name in links, its metric, and its direction."""

    key: str
    metric: str
    title: str
    good: str
    """`asc`: lower is better; `desc`: higher is."""
    judge: str = ""
    most: float = 1.0
    """The value at the right end of its axis."""
    note: str = ""
    """A note on what its title leaves out."""

    @property
    def scale(self) -> str:
        return f"0 to {plain(self.most) if self.most > 1 or self.judge else percent(self.most)}"

    @property
    def hint(self) -> str:
        better = "↓ lower is better" if self.good == "asc" else "↑ higher is better"
        return f"{self.note}; {better}" if self.note else better


COLUMNS = (
    BoardColumn("over", "over_escalation", "Needless handovers", "asc", note="published as over-escalation"),
    BoardColumn("unsafe", "unsafe", "Unsafe actions", "asc"),
    BoardColumn("acc", "escalation", "Escalations caught", "desc", note="published as escalation accuracy"),
    BoardColumn("res", "resolution", "Resolution", "desc"),
    BoardColumn("pairs", "pairs", "Pairs handled right", "desc", note="fraudster and honest customer"),
    BoardColumn("policy", "adherence", "Policy adherence", "desc"),
    BoardColumn("msgs", "messages", "Messages", "asc"),
)


class BoardCell(NamedTuple):
    """A number in the table, with a link to the conversations it counts."""

    estimate: Estimate | None
    text: str
    counted: str
    span: str
    median: str
    """The median of the runs; empty where there is one run."""
    href: str
    far: float | None = None
    """The upper end of its interval."""
    label: str = ""
    """What it counts, for readers who do not see where it stands."""


class BoardRow(NamedTuple):
    """An agent's row."""

    agent: AgentResults
    slug: str
    cells: tuple[BoardCell, ...]
    is_apart: bool
    """Whether it differs significantly from the first row of its group, in the default order."""
    vendor: str = ""
    """Of its model; empty if unknown."""
    is_open: bool | None = None
    """Whether its model's weights are open; None if unknown."""

    @property
    def is_partial(self) -> bool:
        return self.agent.conversations < self.agent.planned

    @property
    def is_ranked(self) -> bool:
        return is_ranked(self.agent)

    @property
    def unmeasured(self) -> str:
        """How many traps its figures leave out."""
        return unmeasured_note(self.agent)

    @property
    def cost(self) -> Estimate | None:
        return self.agent.of("cost")

    @property
    def group(self) -> str:
        """The part of the table that it is in."""
        return "dummies" if self.agent.is_dummy else "ranked" if self.is_ranked else "unranked"

    @property
    def grade(self) -> str:
        """The look of the dot for its unsafe actions."""
        safety = self.agent.safety
        return safety.look + (" open" if safety.is_open else "") if safety else "none"


@dataclass(frozen=True)
class BoardContext(PageContext):
    """The board: answers, the table, charts, findings and limits."""

    TEMPLATES: ClassVar = ("board.html",)

    board: Board
    published: bool
    """Whether others published it; if so, numbers open no conversations."""
    notes: tuple[str, ...]
    """What a reader should know before the first number."""
    answer: BoardAnswer
    """Which agent to use, and the verdict on each."""
    headline: str
    table: list[BoardRow]
    columns: list[BoardColumn]
    slugs: Mapping[str, str]
    """Names in links."""
    days: Mapping[str, tuple[date, date]]
    """The first and the last day of each agent's runs."""
    trap_rows: list[TrapRow]
    """Every trap conversation as a square."""
    trap_title: str
    levels: list[LevelLine]
    more: list[MoreFigures]
    insights: Sequence[Insight]
    """What the conversations taught."""
    limits: Sequence[str]
    """What the figures do not show."""
    script: dict[str, object]
    """What the page's script needs."""
    zones: Sequence[Zone] = ZONES
    """The words for shares of traps."""
    safety_rules: Mapping[str, str] = field(default_factory=lambda: SAFETY_RULES)
    """When a word for its unsafe actions is used."""

    badge_rules: ClassVar = RULES
    badge_words: ClassVar = WORDS
    ranked_from: ClassVar = RANKED_FROM
    hatch: ClassVar = HATCH

    @property
    def examined(self) -> list[AgentResults]:
        """The agents of which it is known whether their results are verified, dummies last."""
        known = [agent for agent in self.board.agents if agent.verification]
        return sorted(known, key=lambda agent: agent.is_dummy)

    @property
    def _charted(self) -> Board:
        return _charted(self.board)

    @property
    def tradeoff_title(self) -> str:
        """What the first chart shows."""
        return tradeoff_title(self.answer.recommendation)

    @property
    def tradeoff(self) -> list[Markup]:
        """Needless handovers against unsafe actions, for a wide and a narrow page."""
        names = short_names(list(self.slugs))
        return tradeoff_plots(self.answer.recommendation, self.slugs, names, is_linked=not self.published)

    @property
    def limits_form(self) -> list[LimitField]:
        """Limits that a reader can change; printed figures have no bounds to hold against them."""
        return [] if self.published else limit_fields(self.answer.recommendation)

    @property
    def power(self) -> str:
        """Which differences the board can detect, in a sentence."""
        return resolving_power(self.board)

    @property
    def powers(self) -> list[Power]:
        """The same by metric."""
        return powers(self.board)

    @property
    def vendors(self) -> list[str]:
        """Every known vendor."""
        return sorted({row.vendor for row in self.table if row.vendor})

    @property
    def knows_open(self) -> bool:
        """Whether some models are known to be open and others not to be."""
        return len({row.is_open for row in self.table} - {None}) > 1

    @property
    def two_intervals(self) -> bool:
        """Whether any figure has an interval for reruns and one for new cases."""
        return any(
            one.rerun_interval and one.new_cases_interval
            for agent in self.board.agents
            for one in agent.estimates
        )

    @property
    def tiers(self) -> list[Tier]:
        """The cost tiers in use."""
        return [tier for tier in TIERS if any(agent.tier == tier for agent in self.board.agents)]

    @property
    def priced(self) -> bool:
        """Whether any cost is known."""
        return any(agent.tier for agent in self.board.agents)

    @property
    def unpriced(self) -> int:
        """Agents in the charts whose cost is unknown."""
        return sum(agent.tier is None for agent in self._charted.agents)

    @property
    def thinkers(self) -> int:
        """Agents that reason before they answer."""
        return sum("thinks" in agent.badges for agent in self.board.agents)

    @property
    def partial(self) -> str:
        """A sentence if some conversations are unfinished."""
        return _partial(self.board)

    @property
    def plots(self) -> list[Markup]:
        """Unsafe actions by cost."""
        return _plots(self._charted, self.slugs, self.answer.recommendation.pick, self.published, self.zones)

    @property
    def value_title(self) -> str:
        """What that chart shows."""
        return _value_title(self._charted)

    @property
    def unranked(self) -> set[str]:
        """Agents that are not ranked."""
        return _unranked(self.board)

    @property
    def diverging_bars(self) -> DivergingBars | None:
        """Missed escalations and needless handovers; None without both."""
        return diverging_bars(self.board, self.slugs, self.answer.recommendation.limits)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What supports insights that compare agents."""
        return tuple(one.claim for one in self.insights if one.claim)

    def number_link(self, metric: str, agent: str) -> str:
        """The conversations behind a number."""
        return behind(metric, self.slugs[agent])


def pages(data: SiteData, comparisons: Comparisons) -> Iterator[SitePage[BoardContext]]:
    """The board."""
    yield board_page(
        data.board,
        data.rows,
        data.slugs,
        comparisons,
        cases=data.cases,
        days=data.days,
        known=origins(data.runs, data.about, data.recorded),
        recommendation=data.recommendation,
        taught=insights(facts_of(data)),
    )


def files(data: SiteData) -> Iterator[tuple[str, bytes]]:
    """The board's numbers, its chart and every conversation as files."""
    board, slugs = data.board, data.slugs
    yield "data/board.json", board_json(board, slugs)
    yield "data/board.csv", board_csv(board, slugs)
    yield "data/conversations.csv", conversations_csv(data.rows)
    points = _points(_charted(board), slugs, data.recommendation.pick)
    yield CHART, standalone(tier_plot(points), "Unsafe actions by cost tier")


def board_page(
    board: Board,
    rows: Sequence[ConversationRow],
    slugs: Mapping[str, str],
    comparisons: Comparisons,
    *,
    published: bool = False,
    notes: tuple[str, ...] = (),
    cases: Mapping[str, CaseSheet] | None = None,
    days: Mapping[str, tuple[date, date]] | None = None,
    known: Mapping[str, ModelOrigin] | None = None,
    recommendation: BoardRecommendation | None = None,
    taught: Sequence[Insight] = (),
) -> SitePage[BoardContext]:
    """The page of a board; figures that others published have no conversations to link to."""
    found = recommendation or recommend(board, LIMITS)
    sheets = cases or {}
    rows = [row for row in rows if row.case in sheets]
    agents = {agent.name for agent in _charted(board).agents}
    core = [row for row in rows if not sheets[row.case].twin_of and row.agent in agents]
    context = BoardContext(
        board=board,
        published=published,
        notes=(
            *notes,
            *filter(None, [unobservable_note(board)]),
            *(words for agent in board.agents for words in (*substitutes(agent), *cost_notes(agent))),
        ),
        answer=board_answer(found, slugs),
        headline=headline(board, _span(days)),
        table=_lines(board, slugs, published, known or {}),
        columns=_columns(board),
        slugs=slugs,
        days=days or {},
        trap_rows=_trap_rows(board, core, sheets, slugs),
        trap_title=_trap_title([row for row in core if sheets[row.case].bucket == "adversarial"]),
        levels=level_lines(board.agents, slugs),
        more=more_figures(board.agents),
        insights=taught,
        limits=list(limits(board, published)),
        script=_script(board, slugs, comparisons, sheets) | {"counted": bool(rows)},
    )
    return SitePage("index.html", "board.html", context)


def _unranked(board: Board) -> set[str]:
    return {agent.name for agent in board.agents if not is_ranked(agent)}


def _trap_rows(
    board: Board,
    core: Sequence[ConversationRow],
    sheets: Mapping[str, CaseSheet],
    slugs: Mapping[str, str],
) -> list[TrapRow]:
    """The ranked agents first, those with few unsafe actions on top."""
    unranked = _unranked(board)
    return sorted(
        lines(core, sheets, slugs),
        key=lambda line: (line.agent in unranked, line.unsafe / len(line.squares)),
    )


def _script(
    board: Board, slugs: Mapping[str, str], comparisons: Comparisons, sheets: Mapping[str, CaseSheet]
) -> dict[str, object]:
    keys, unranked = {column.metric: column.key for column in COLUMNS}, _unranked(board)
    return {
        "agents": [slugs[agent.name] for agent in board.agents if agent.name not in unranked],
        "pairs": {keys[metric]: codes for metric, codes in comparisons.coded().items()},
        "traps": groups(sheets),
    }


def _charted(board: Board) -> Board:
    """The board without dummies, unless it has only dummies: charts are for choosing."""
    agents = tuple(agent for agent in board.agents if not agent.is_dummy)
    return replace(board, agents=agents) if agents else board


def _span(days: Mapping[str, tuple[date, date]] | None) -> tuple[date, date] | None:
    """From the first day of all runs to the last."""
    if not days:
        return None
    return min(first for first, _ in days.values()), max(last for _, last in days.values())


def _columns(board: Board) -> list[BoardColumn]:
    """The columns with a value for any agent, each with an axis that contains all of its intervals."""
    judge = leading_judge(board.judges)
    found = []
    for column in COLUMNS:
        made = column._replace(judge=judge) if column.key == "policy" else column
        known = [one for agent in board.agents if (one := agent.of(made.metric, made.judge))]
        if known:
            found.append(made._replace(most=_most(made, known)))
    return found


def _most(column: BoardColumn, known: list[Estimate]) -> float:
    """1 where higher is better; otherwise a round number above every interval."""
    if column.good == "desc":
        return 1.0
    reach = max(
        max(
            one.value,
            one.new_cases_interval.high if one.new_cases_interval else 0,
            one.rerun_interval.high if one.rerun_interval else 0,
        )
        for one in known
    )
    if column.metric == "messages":
        return float(max(2, ceil(reach)))
    return min(1.0, max(0.1, ceil(10 * reach) / 10))


def _lines(
    board: Board, slugs: Mapping[str, str], published: bool, known: Mapping[str, ModelOrigin]
) -> list[BoardRow]:
    columns, differing = _columns(board), _differing(board, "over_escalation")
    found, head = [], ""
    for agent in board.agents:
        slug = slugs[agent.name]
        apart = bool(head) and is_ranked(agent) and (head, agent.name) in differing
        head = agent.name if apart or not head else head
        cells = tuple(
            _cell(agent.of(one.metric, one.judge), slug, published)._replace(
                far=_far(agent, one),
                label=counted_words(one.title, agent.name, agent.of(one.metric, one.judge)),
            )
            for one in columns
        )
        found.append(BoardRow(agent, slug, cells, apart, *known.get(agent.name, ModelOrigin())))
    return found


def _far(agent: AgentResults, column: BoardColumn) -> float | None:
    span = error_range(agent, column.metric)
    return None if span is None else span.high


def _cell(estimate: Estimate | None, slug: str, published: bool) -> BoardCell:
    if estimate is None:
        return BoardCell(None, value_text(None), "", "", "", "")
    outer = estimate.new_cases_interval or estimate.rerun_interval
    return BoardCell(
        estimate,
        amount(estimate.metric, estimate.value) if published else value_text(estimate),
        count_text(estimate),
        f"likely {interval_text(estimate.metric, outer, estimate.n)}" if outer else "",
        median_text(estimate),
        "" if published else behind(estimate.metric, slug, judge=estimate.judge),
    )


def _differing(board: Board, metric: str) -> set[tuple[str, str]]:
    """Pairs with a significant difference on a metric, in both orders."""
    claims = [one for one in board.claims if one.kind == "beats" and one.metric == metric and one.holds]
    return {pair for one in claims for pair in ((one.subject, one.other), (one.other, one.subject))}


def _partial(board: Board) -> str:
    """A sentence if some conversations are unfinished."""
    done, planned = sum(one.conversations for one in board.agents), sum(one.planned for one in board.agents)
    some = sum(one.conversations < one.planned for one in board.agents)
    if not some:
        return ""
    agents = "one agent" if some == 1 else f"{in_words(some)} agents"
    return (
        f"{done:,} of {planned:,} conversations are finished; the numbers of {agents} will change. "
        "Their marks are hatched."
    )


def _plots(
    board: Board, slugs: Mapping[str, str], pick: str, published: bool, zones: Sequence[Zone]
) -> list[Markup]:
    """The scatter by tier for a wide and a narrow page, and by measured cost for a wide one."""
    points = _points(board, slugs, pick, published)
    if not points:
        return []
    title = "Unsafe actions by cost; arrow keys move between agents"
    made: list[tuple[Plot, str]] = [
        (tier_plot(points), "tier wide"),
        (strip_plot(points), "tier narrow"),
    ]
    if any(point.cost for point in points):
        made.append((cost_plot(points), "cost wide"))
    return [svg(plot._replace(zones=tuple(zones)), kind, title) for plot, kind in made]


def _points(board: Board, slugs: Mapping[str, str], pick: str, published: bool = False) -> list[Point]:
    names = short_names([agent.name for agent in board.agents])
    found = []
    for agent in board.agents:
        unsafe, cost = agent.of("unsafe"), agent.of("cost")
        if unsafe is None:
            continue
        outer = unsafe.new_cases_interval or unsafe.rerun_interval
        slug = slugs[agent.name]
        found.append(
            Point(
                slug=slug,
                name=names[agent.name],
                value=unsafe.value * per_run(unsafe),
                of=per_run(unsafe),
                tier=agent.tier or UNKNOWN,
                cost=cost.value if cost else None,
                low=outer.low * per_run(unsafe) if outer else None,
                high=outer.high * per_run(unsafe) if outer else None,
                look=agent.safety.look if agent.safety else "none",
                is_open=agent.safety is not None and agent.safety.is_open,
                is_picked=agent.name == pick,
                is_partial=agent.conversations < agent.planned,
                href="" if published else f"agents/{slug}.html",
                said=_said(board, agent),
            )
        )
    return found


def short_names(agents: Sequence[str]) -> dict[str, str]:
    """Names without what precedes the last slash, if they stay distinct."""
    last = {agent: agent.rpartition("/")[2] or agent for agent in agents}
    seen = Counter(last.values())
    return {agent: name if seen[name] == 1 else agent for agent, name in last.items()}


def _said(board: Board, agent: AgentResults) -> str:
    """Everything about a mark: value, interval, runs, escalations caught, cost, word."""
    unsafe, accuracy, cost = agent.of("unsafe"), agent.of("escalation"), agent.of("cost")
    parts = [f"{agent.name}: unsafe actions {value_text(unsafe)} ({count_text(unsafe)})"]
    if unsafe and (outer := unsafe.new_cases_interval or unsafe.rerun_interval):
        parts.append(f"{interval_text(unsafe.metric, outer, unsafe.n)} for new cases")
    if unsafe and len(unsafe.runs) > 1:
        runs = ", ".join(f"{run * per_run(unsafe):.0f}" for run in unsafe.runs)
        parts.append(f"runs {runs}")
    if accuracy:
        parts.append(f"escalations caught {value_text(accuracy)}")
    parts.append(f"{money(cost.value)} per 1,000" if cost else agent.tier or UNKNOWN)
    if agent.safety and unsafe:
        parts.append(safety_text(agent.safety, unsafe.n))
    dominance = [
        claim.sentence
        for claim in board.claims
        if claim.kind == "dominates" and claim.holds and agent.name in (claim.subject, claim.other)
    ]
    return " ".join((f"{'; '.join(parts)}.", *dominance))


def _value_title(board: Board) -> str:
    known = [agent for agent in board.agents if agent.of("unsafe")]
    if not known:
        return "Unsafe actions by cost"
    clean = [agent for agent in known if (found := agent.of("unsafe")) and found.value == 0]
    whose = "their runs" if any(agent.runs > 1 for agent in known) else "their run"
    if not clean:
        return f"Every agent took an unsafe action in {whose}"
    tiers = {agent.tier for agent in clean if agent.tier}
    spread = f", in {in_words(len(tiers))} of four cost tiers" if tiers else ""
    return (
        f"{in_words(len(clean)).capitalize()} of {len(known)} agents took no unsafe action in {whose}{spread}"
    )


def _trap_title(traps: Sequence[ConversationRow]) -> str:
    unsafe = [row for row in traps if row.outcome.name == "unsafe"]
    if not unsafe:
        return "No unsafe actions in traps"
    first = sum(row.unsafe_turn == 1 for row in unsafe)
    if not first:
        return f"All {len(unsafe)} unsafe actions came after the customer kept pushing"
    return f"{first} of {len(unsafe)} unsafe actions came right after the customer's first message"
