"""The board's page: what it comes to, four answers, the table, and three charts that are mostly tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from math import ceil
from typing import NamedTuple

from markupsafe import Markup

from supportagentbench.board.badges import RULES, TIERS, band_counts, traps_per_run
from supportagentbench.board.standings import RANKED_FROM, is_ranked
from supportagentbench.records.board import AgentResults, Board, Estimate
from supportagentbench.site.answers import answers
from supportagentbench.site.charts import (
    HATCH,
    UNKNOWN,
    Plot,
    Point,
    cost_plot,
    standalone,
    strip_plot,
    svg,
    tier_plot,
)
from supportagentbench.site.data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.diverging_bars import diverging_bars, diverging_bars_title
from supportagentbench.site.figures import board_csv, board_json, conversations_csv
from supportagentbench.site.findings import findings
from supportagentbench.site.headline import headline, in_words, powers, resolving_power
from supportagentbench.site.limits import limits
from supportagentbench.site.links import behind
from supportagentbench.site.number import money, per_run, percent, plain, span_text, value_text
from supportagentbench.site.page import SitePage
from supportagentbench.site.pairwise import versus
from supportagentbench.site.trap_grid import groups, lines

CHART = "data/value.svg"


class BoardColumn(NamedTuple):
    """A column of the table: its name in links, its metric, and which end of it is good."""

    key: str
    metric: str
    title: str
    good: str
    """`asc`: less is good; `desc`: more is."""
    judge: str = ""
    most: float = 1.0
    """The value at the right end of its axis."""

    @property
    def scale(self) -> str:
        return f"0 to {plain(self.most) if self.most > 1 or self.judge else percent(self.most)}"

    @property
    def hint(self) -> str:
        return "less is good" if self.good == "asc" else "more is good"


COLUMNS = (
    BoardColumn("over", "over_escalation", "Over-escalation", "asc"),
    BoardColumn("unsafe", "unsafe", "Unsafe actions", "asc"),
    BoardColumn("acc", "escalation", "Escalation accuracy", "desc"),
    BoardColumn("res", "resolution", "Resolution", "desc"),
    BoardColumn("pairs", "pairs", "Pairs", "desc"),
    BoardColumn("policy", "adherence", "Policy adherence", "desc"),
    BoardColumn("msgs", "messages", "Messages", "asc"),
)


class BoardCell(NamedTuple):
    """A number in the table, with the conversations it counts."""

    estimate: Estimate | None
    text: str
    span: str
    href: str


class BoardRow(NamedTuple):
    """An agent's row."""

    entry: AgentResults
    slug: str
    cells: tuple[BoardCell, ...]
    is_apart: bool
    """Told apart from the first row of its group, by the order the table comes in."""

    @property
    def is_partial(self) -> bool:
        return self.entry.conversations < self.entry.planned

    @property
    def is_up(self) -> bool:
        return is_ranked(self.entry)

    @property
    def cost(self) -> Estimate | None:
        return self.entry.of("cost")

    @property
    def grade(self) -> str:
        """How the dot of its unsafe actions looks."""
        looks = {"safe": "good", "middling": "fair", "reckless": "bad", None: "none"}
        return looks[self.entry.band] + (" open" if self.entry.band_crosses else "")


def pages(data: SiteData) -> Iterator[SitePage]:
    """The board."""
    yield board_page(data.board, data.rows, data.slugs, cases=data.cases, days=data.days)


def files(data: SiteData) -> Iterator[tuple[str, bytes]]:
    """The board's numbers, its chart and every conversation as files."""
    board, slugs = data.board, data.slugs
    yield "data/board.json", board_json(board, slugs)
    yield "data/board.csv", board_csv(board, slugs)
    yield "data/conversations.csv", conversations_csv(data.rows)
    yield CHART, standalone(tier_plot(_points(board, slugs, False)), "Unsafe actions by cost tier")


def board_page(
    board: Board,
    rows: Sequence[ConversationRow],
    slugs: Mapping[str, str],
    *,
    published: bool = False,
    notes: tuple[str, ...] = (),
    cases: Mapping[str, CaseSheet] | None = None,
    days: Mapping[str, tuple[date, date]] | None = None,
) -> SitePage:
    """The page of a board; figures that others published have no conversations, so nothing leads to any."""
    sheets = cases or {}
    rows = [row for row in rows if row.case in sheets]
    core = [row for row in rows if not sheets[row.case].twin_of]
    held = lines(core, sheets, slugs)
    keys = {column.metric: column.key for column in COLUMNS}
    under = {entry.name for entry in board.agents if not is_ranked(entry)}
    return SitePage(
        "index.html",
        "board.html",
        {
            "board": board,
            "published": published,
            "notes": notes,
            "headline": headline(board, _span(days)),
            "power": resolving_power(board),
            "powers": powers(board),
            "answers": answers(board, core),
            "columns": _columns(board),
            "table": _lines(board, slugs, published),
            "number_link": lambda metric, agent: behind(metric, slugs[agent]),
            "two_intervals": any(
                one.rerun_interval and one.new_cases_interval
                for entry in board.agents
                for one in entry.estimates
            ),
            "slugs": slugs,
            "days": days or {},
            "tiers": [tier for tier in TIERS if any(entry.tier == tier for entry in board.agents)],
            "priced": any(entry.tier for entry in board.agents),
            "unpriced": sum(entry.tier is None for entry in board.agents),
            "thinkers": sum("thinks" in entry.badges for entry in board.agents),
            "partial": _partial(board),
            "badge_rules": RULES,
            "bands": band_counts(traps := traps_per_run(board)),
            "traps": traps,
            "line": RANKED_FROM,
            "plots": _plots(board, slugs, published),
            "hatch": HATCH,
            "value_title": _value_title(board),
            "held": sorted(held, key=lambda line: (line.agent in under, line.fired / len(line.squares))),
            "under": under,
            "held_title": _held_title(core),
            "diverging_bars": diverging_bars(board, slugs),
            "diverging_bars_title": diverging_bars_title(board),
            "findings": findings(rows, sheets),
            "limits": list(limits(board, published)),
            "script": {
                "agents": [slugs[entry.name] for entry in board.agents if entry.name not in under],
                "pairs": {keys[metric]: codes for metric, codes in versus(board, rows, sheets).items()},
                "traps": groups(sheets),
                "counted": bool(rows),
            },
        },
    )


def _span(days: Mapping[str, tuple[date, date]] | None) -> tuple[date, date] | None:
    """From the first day of all to the last."""
    if not days:
        return None
    return min(first for first, _ in days.values()), max(last for _, last in days.values())


def _columns(board: Board) -> list[BoardColumn]:
    """The columns that any entry fills, each with an axis that all of its intervals fit on."""
    judge = next((name for name in board.judges if name != "rules"), "rules")
    found = []
    for column in COLUMNS:
        made = column._replace(judge=judge) if column.key == "policy" else column
        known = [one for entry in board.agents if (one := entry.of(made.metric, made.judge))]
        if known:
            found.append(made._replace(most=_most(made, known)))
    return found


def _most(column: BoardColumn, known: list[Estimate]) -> float:
    """Where more is good, the whole; else a round number that the last interval stays under."""
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


def _lines(board: Board, slugs: Mapping[str, str], published: bool) -> list[BoardRow]:
    columns, told = _columns(board), _told(board, "over_escalation")
    found, head = [], ""
    for entry in board.agents:
        slug = slugs[entry.name]
        apart = bool(head) and is_ranked(entry) and (head, entry.name) in told
        head = entry.name if apart or not head else head
        cells = tuple(_cell(entry.of(one.metric, one.judge), slug, published) for one in columns)
        found.append(BoardRow(entry, slug, cells, apart))
    return found


def _cell(estimate: Estimate | None, slug: str, published: bool) -> BoardCell:
    if estimate is None:
        return BoardCell(None, value_text(None), "", "")
    outer = estimate.new_cases_interval or estimate.rerun_interval
    span = span_text(estimate, outer) if outer else ""
    return BoardCell(estimate, value_text(estimate), span, "" if published else behind(estimate.metric, slug))


def _told(board: Board, metric: str) -> set[tuple[str, str]]:
    """Pairs that a metric tells apart, either way round."""
    held = [one for one in board.claims if one.kind == "beats" and one.metric == metric and one.holds]
    return {pair for one in held for pair in ((one.subject, one.other), (one.other, one.subject))}


def _partial(board: Board) -> str:
    """A sentence if some conversations have yet to be held."""
    done, planned = sum(one.conversations for one in board.agents), sum(one.planned for one in board.agents)
    some = sum(one.conversations < one.planned for one in board.agents)
    if not some:
        return ""
    agents = "one agent" if some == 1 else f"{in_words(some)} agents"
    return (
        f"{done:,} of {planned:,} conversations are on file; the numbers of {agents} will move. "
        "Their marks are hatched."
    )


def _plots(board: Board, slugs: Mapping[str, str], published: bool) -> list[Markup]:
    """The scatter by tier and by measured cost, each for a wide and a narrow page."""
    points = _points(board, slugs, published)
    if not points:
        return []
    title = "Unsafe actions by cost; arrow keys move between agents"
    made: list[tuple[Plot, str]] = [(tier_plot(points), "tier wide"), (strip_plot(points), "tier narrow")]
    if any(point.cost for point in points):
        made += [(cost_plot(points), "cost wide"), (cost_plot(points, 420.0), "cost narrow")]
    return [svg(plot, kind, title) for plot, kind in made]


def _points(board: Board, slugs: Mapping[str, str], published: bool) -> list[Point]:
    names = short_names([entry.name for entry in board.agents])
    found = []
    for entry in board.agents:
        unsafe, cost = entry.of("unsafe"), entry.of("cost")
        if unsafe is None:
            continue
        outer = unsafe.new_cases_interval or unsafe.rerun_interval
        slug = slugs[entry.name]
        found.append(
            Point(
                slug=slug,
                name=names[entry.name],
                value=unsafe.value * per_run(unsafe),
                of=per_run(unsafe),
                tier=entry.tier or UNKNOWN,
                cost=cost.mean if cost else None,
                low=outer.low * per_run(unsafe) if outer else None,
                high=outer.high * per_run(unsafe) if outer else None,
                band=entry.band,
                is_open=entry.band_crosses,
                is_picked="value" in entry.badges,
                is_partial=entry.conversations < entry.planned,
                href="" if published else f"models/{slug}.html",
                said=_said(board, entry),
            )
        )
    return found


def short_names(agents: Sequence[str]) -> dict[str, str]:
    """Names without what stands before the last slash, where that leaves them different."""
    last = {agent: agent.rpartition("/")[2] or agent for agent in agents}
    seen = Counter(last.values())
    return {agent: name if seen[name] == 1 else agent for agent, name in last.items()}


def _said(board: Board, entry: AgentResults) -> str:
    """A mark in full: its value, its interval, its runs, what else there is to know."""
    unsafe, accuracy, cost = entry.of("unsafe"), entry.of("escalation"), entry.of("cost")
    parts = [f"{entry.name}: {value_text(unsafe)} traps fired"]
    if unsafe and (outer := unsafe.new_cases_interval or unsafe.rerun_interval):
        parts.append(f"{span_text(unsafe, outer)} for cases like these")
    if unsafe and len(unsafe.runs) > 1:
        runs = ", ".join(f"{run * per_run(unsafe):.0f}" for run in unsafe.runs)
        parts.append(f"runs {runs}")
    if accuracy:
        parts.append(f"escalation accuracy {value_text(accuracy)}")
    parts.append(f"{money(cost.mean)} for 1,000" if cost else entry.tier or UNKNOWN)
    if entry.band:
        parts.append(f"{entry.band}{', perhaps another band' if entry.band_crosses else ''}")
    dominance = [
        claim.sentence
        for claim in board.claims
        if claim.kind == "dominates" and claim.holds and entry.name in (claim.subject, claim.other)
    ]
    return " ".join((f"{'; '.join(parts)}.", *dominance))


def _value_title(board: Board) -> str:
    known = [entry for entry in board.agents if entry.of("unsafe")]
    if not known:
        return "Unsafe actions by cost"
    clean = [entry for entry in known if (found := entry.of("unsafe")) and found.value == 0]
    whose = "the median run" if any(entry.runs > 1 for entry in known) else "its run"
    if not clean:
        return f"Every agent fired at least one trap in {whose}"
    tiers = {entry.tier for entry in clean if entry.tier}
    spread = f", in {in_words(len(tiers))} of four cost tiers" if tiers else ""
    return f"{in_words(len(clean)).capitalize()} of {len(known)} agents fired no trap in {whose}{spread}"


def _held_title(core: Sequence[ConversationRow]) -> str:
    fired = [row for row in core if row.outcome.name == "fired"]
    if not fired:
        return "No trap fired"
    first = sum(row.fired == 1 for row in fired)
    return f"{first} of {len(fired)} fired traps fired at the customer's first message"
