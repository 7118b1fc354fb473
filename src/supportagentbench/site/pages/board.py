"""Board: the front page: who is fit to hire, what each agent costs and why, and the evidence below it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from supportagentbench.board.choice import settings_of, worth_of
from supportagentbench.board.cost_notes import cost_notes
from supportagentbench.board.desk import AgentMonth, abuse_share
from supportagentbench.board.dominance import error
from supportagentbench.board.limits import LIMITS, LimitStanding, standing
from supportagentbench.board.loss import DeskSettings
from supportagentbench.board.metrics import leading_judge
from supportagentbench.board.recommendation import Recommendation
from supportagentbench.board.recommendation_words import chart_title, flip_words, hire_words, then_words
from supportagentbench.board.standings import RANKED_FROM
from supportagentbench.board.substitutes import substitutes
from supportagentbench.board.traps import unmeasured_note
from supportagentbench.board.turning_price import unsolved_price
from supportagentbench.board.unobservable import HIDDEN_ACTS, unobservable_note
from supportagentbench.records.board import AgentResults, Board, Estimate
from supportagentbench.records.claim import Claim
from supportagentbench.site.answers.board_answer import (
    AgentTake,
    BoardAnswer,
    LimitField,
    board_answer,
    limit_fields,
    take_of,
)
from supportagentbench.site.answers.cfo import cfo_note, sample_words, turns_of
from supportagentbench.site.answers.deciding_chat import DecidingChat, deciding_chats
from supportagentbench.site.answers.diagnosis import diagnoses
from supportagentbench.site.answers.headline import in_words, resolving_power
from supportagentbench.site.answers.insight import Insight
from supportagentbench.site.answers.insights import insights
from supportagentbench.site.answers.limits import LimitNote, limits
from supportagentbench.site.answers.more_figures import MoreFigures, more_figures
from supportagentbench.site.charts.break_even import BreakEven, break_even
from supportagentbench.site.charts.diverging_bars import diverging_bars
from supportagentbench.site.charts.heat_map import heat_map
from supportagentbench.site.charts.level_line import level_lines
from supportagentbench.site.charts.month_bars import MonthBars, month_bars
from supportagentbench.site.charts.trap_strip import TrapStrip, trap_strips
from supportagentbench.site.data.conversation_fact import facts_of
from supportagentbench.site.data.counted import PRICED
from supportagentbench.site.data.figures import board_csv, board_json, conversations_csv
from supportagentbench.site.data.index import ranked_agents
from supportagentbench.site.data.links import behind, counted_words
from supportagentbench.site.data.quote import Said
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.data.vendor import ModelOrigin, origins
from supportagentbench.site.number import count_text, interval_text, money, percent, value_text
from supportagentbench.site.pages import findings
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext

TABS = 8
"""The most conversations to choose from; those of other agents are in their reports."""

LEVELS = "Traps held, by how many steps they take to see"
"""The title of the table of traps by level."""

MANY = 9
"""From this many agents on, the table can be searched."""


class BoardColumn(NamedTuple):
    """A column of the table: its name in links, its metric, and its direction."""

    key: str
    metric: str
    title: str
    first: str
    """How it is sorted first: so that the better ones are on top."""
    limit: str = ""
    """The limit below the title, or what it is measured in."""
    judge: str = ""

    @property
    def is_rest(self) -> bool:
        """Whether a narrow screen shows it only on request."""
        return self.key in ("solved", "policy", "cost")


COLUMNS = (
    BoardColumn("unsafe", "unsafe", "Traps that worked", "ascending"),
    BoardColumn("missed", "escalation", "Missed escalations", "ascending"),
    BoardColumn("danger", "danger", "People in danger missed", "ascending", "limit 0"),
    BoardColumn("over", "over_escalation", "Needless handovers", "ascending"),
    BoardColumn("solved", "resolution", "Solved", "descending", "routine tickets"),
    BoardColumn("policy", "adherence", "Policy followed", "descending", "share of rules"),
    BoardColumn("cost", "cost", "Model fees", "ascending", "per 1,000 tickets"),
)


class BoardCell(NamedTuple):
    """A number in the table, with a link to the conversations it counts."""

    text: str
    value: float | None
    """What it is sorted by."""
    href: str = ""
    label: str = ""
    """What it counts, for readers who do not see where it is."""
    more: str = ""
    """Its count and likely range."""
    metric: str = ""
    """The metric, if there is a limit for it."""
    standing: Literal["", "beyond", "open"] = ""
    """Whether it breaks its limit, or has too few conversations to show that it keeps it."""

    @property
    def hits(self) -> str:
        """Hits of chances, for a screen without a pointer; empty: it counts nothing."""
        first = self.more.partition(",")[0].strip("()")
        return first.replace("/", " of ") if "/" in first else ""


class BoardRow(NamedTuple):
    """An agent's row of the table."""

    agent: AgentResults
    take: AgentTake
    cells: tuple[BoardCell, ...]
    vendor: str = ""
    """Of its model; empty if unknown."""
    is_contender: bool = True
    is_shown: bool = True
    """Whether it is in the first table: a contender, or any agent where there is none."""

    @property
    def small(self) -> str:
        """Its vendor, and what a reader must know about its figures."""
        agent, parts = self.agent, [self.vendor]
        if agent.conversations < agent.planned:
            parts.append(f"{agent.conversations:,} of {agent.planned:,} conversations finished")
        parts += [unmeasured_note(agent), "answers replayed" if agent.replayed else ""]
        parts += [f"{len(agent.set_aside)} attempts set aside" if agent.set_aside else "", *agent.selection]
        return ", ".join(filter(None, parts))


class LearnedLine(NamedTuple):
    """A finding in one sentence; its place on this page, and where the rest of it is."""

    name: str
    title: str
    path: str


@dataclass(frozen=True)
class BoardContext(PageContext):
    """The front page: headline, desk, rows, the conversation that decides; then table, charts and limits."""

    TEMPLATES: ClassVar = ("board.html",)

    data: SiteData
    _said: Said
    """Looks up the messages that chats quote."""

    ranked_from: ClassVar = RANKED_FROM
    limit_metrics: ClassVar = LIMITS

    @property
    def headed(self) -> Headed:
        return Headed(self.headline.rstrip("."), self.summary)

    @property
    def board(self) -> Board:
        """The figures of all agents."""
        return self.data.board

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(one.claim for one in self._taught if one.claim)

    @property
    def headline(self) -> str:
        """Who is fit to hire."""
        found, cases = self.data.recommendation, len(self.data.core_cases)
        return hire_words(found, cases, is_example=self.data.is_example)

    @property
    def summary(self) -> str:
        """The answer in one or two sentences, for those who see only a link."""
        return then_words(self.data.recommendation)

    @property
    def _traps(self) -> int:
        """How many cases are traps."""
        sheets = (self.data.cases[case] for case in self.data.core_cases)
        return sum(sheet.bucket == "adversarial" for sheet in sheets)

    @property
    def lead(self) -> str:
        """What the agents are if they are invented, who wrote to which shop, and what a trap is."""
        runs, traps = self._runs, self._traps
        times = {1: "once", 2: "twice"}.get(runs[-1], f"{in_words(runs[-1])} times")
        often = times if len(runs) == 1 else f"{in_words(runs[0])} to {times}"
        said = f"Simulated customers of {self._shop} sent each ticket {often}"
        tricks = f"; {traps} are traps, which press them to break the rules" if traps else ""
        return " ".join(filter(None, (sample_words(self.data), f"{said}{tricks}.")))

    @property
    def _shop(self) -> str:
        """What the shop sells, in the words of its policy; otherwise its name."""
        name = self.data.vocabulary.shop or self.board.world.capitalize()
        policy = self.data.runs[0].header.policy if self.data.runs else ""
        found = re.search(rf"{re.escape(name)}, (an? [\w -]{{3,60}})\.", policy)
        return found[1] if found else f"the invented shop {name}"

    @property
    def answer(self) -> BoardAnswer:
        """Which agent to use, and the verdict on each."""
        return board_answer(self.data.recommendation, self.data.slugs)

    @property
    def then(self) -> str:
        """What the agent to use costs at the desk."""
        return then_words(self.data.recommendation)

    @property
    def flips(self) -> str:
        """From which price of a customer wrongly turned away on another choice would cost less."""
        return flip_words(turns_of(self.data))

    @property
    def turned_away(self) -> float | None:
        """What a customer wrongly turned away counts as; None: nothing has a price."""
        return unsolved_price(self._settings) if self._settings else None

    @property
    def pick(self) -> str:
        """The agent to use; empty: none."""
        return self.data.recommendation.pick

    @property
    def _contenders(self) -> tuple[Recommendation, ...]:
        return self.data.recommendation.contenders

    @property
    def _shown(self) -> tuple[Recommendation, ...]:
        return self.data.recommendation.shown

    @property
    def _settings(self) -> DeskSettings | None:
        return settings_of(self.data.desk, self.data.choice) if self.data.desk else None

    @property
    def desk(self) -> DeskSettings | None:
        """The desk in force; None: nothing has a price."""
        return self._settings

    @property
    def cheats(self) -> float | None:
        """The share of attempted abuse at the desk; None: there is none to change."""
        found, settings = self.data.desk, self._settings
        share = abuse_share(found.kinds, settings.mix) if found and settings else 0.0
        return share if 0 < share < 1 else None

    @property
    def worth(self) -> float:
        """What goods cost on average."""
        return worth_of(self.data.desk, self.data.choice) if self.data.desk else 0.0

    @property
    def months(self) -> MonthBars | None:
        """What each contender's month is spent on."""
        desk, settings = self.data.desk, self._settings
        if not desk or not settings:
            return None
        months: list[AgentMonth] = [desk.month_of(agent, settings) for agent in desk.agents]
        return month_bars(self.data.recommendation, months, self.data.slugs, self._notes)

    @property
    def takes(self) -> list[AgentTake]:
        """The contenders with their verdicts, where nothing has a price."""
        return [
            take_of(one, self.data.slugs[one.agent.name], self._notes.get(one.agent.name, ""))
            for one in self._shown
        ]

    @property
    def _notes(self) -> Mapping[str, str]:
        return diagnoses(self.data)

    @property
    def strips(self) -> dict[str, TrapStrip]:
        """By agent, its trap conversations."""
        names = [one.agent.name for one in self._shown]
        return trap_strips(self.data.rows, self.data.cases, self.data.slugs, names)

    @cached_property
    def chats(self) -> list[DecidingChat]:
        """The conversation that decides, by contender in the order of the rows; of many, danger first."""
        found = deciding_chats(self.data, self._said)
        kept = sorted(found, key=lambda one: not self.data.in_danger(one.chat.case))[:TABS]
        return [one for one in found if one in kept]

    @property
    def shown(self) -> DecidingChat | None:
        """The one that is open at first; one about danger stays folded until a reader asks for it."""
        return min(
            self.chats,
            key=lambda one: (self.data.in_danger(one.chat.case), one.name == self.pick),
            default=None,
        )

    @property
    def limits_form(self) -> list[LimitField]:
        """Limits that a reader can change."""
        return limit_fields(self.data.recommendation)

    @property
    def table_title(self) -> str:
        """How many agents keep every limit."""
        return chart_title(self.data.recommendation)

    @property
    def runs(self) -> str:
        """How many runs each agent had."""
        found = self._runs
        if len(found) > 1:
            return f"{found[0]} to {found[-1]} runs each"
        return "one run each" if found[0] <= 1 else f"{in_words(found[0])} runs each"

    @property
    def _runs(self) -> list[int]:
        agents = [one.agent for one in self._shown]
        return sorted({agent.runs for agent in agents}) or [0]

    @property
    def columns(self) -> list[BoardColumn]:
        """The columns with a figure for any agent."""
        return list(_columns(self.board))

    @property
    def table(self) -> list[BoardRow]:
        """Every agent: contenders in the order of the recommendation, then those that are not ranked."""
        return [self._row(one) for one in self.data.recommendation.agents]

    def _row(self, one: Recommendation) -> BoardRow:
        slug = self.data.slugs[one.agent.name]
        cells = tuple(_cell(one.agent, slug, column) for column in self.columns)
        vendor = self._origins.get(one.agent.name, ModelOrigin()).vendor
        agent = next(found for found in self.board.agents if found.name == one.agent.name)
        return BoardRow(agent, take_of(one, slug), cells, vendor, one.is_contender, one in self._shown)

    @cached_property
    def _origins(self) -> Mapping[str, ModelOrigin]:
        return origins(self.data.runs, self.data.about, self.data.recorded)

    @property
    def vendors(self) -> list[str]:
        """Every known vendor, where there are several."""
        found = sorted({one.vendor for one in self._origins.values() if one.vendor})
        return found if len(found) > 1 else []

    @property
    def is_long(self) -> bool:
        """Whether the table has so many agents that it can be searched."""
        return len(self._contenders) >= MANY

    @property
    def even(self) -> BreakEven | None:
        """Cost against the share of cheats."""
        desk, settings = self.data.desk, self._settings
        if not desk or not settings or not self._contenders:
            return None
        return break_even(self.data.recommendation, desk, settings, self.data.slugs)

    @property
    def cfo(self) -> str:
        """A text for those who pay."""
        return cfo_note(self.data) if self._contenders else ""

    @property
    def learned(self) -> list[LearnedLine]:
        """What the conversations taught, a sentence each; other pages have the rest."""
        found = [
            LearnedLine(name := f"insight-{one.name}", one.title, f"{findings.PATH}#{name}")
            for one in self._taught
        ]
        names = [agent.name for agent in ranked_agents(self.board)]
        heat = heat_map(self.data.rows, self.data.cases, self.data.slugs, names)
        if names and heat.lines:
            found.append(LearnedLine("hold", heat.finding, "traps.html#worked"))
        if bars := diverging_bars(self.board, self.data.slugs, self.data.recommendation.limits):
            found.append(LearnedLine("calibration", bars.title, f"{findings.PATH}#calibration"))
        if level_lines(self.board.agents, self.data.slugs):
            found.append(LearnedLine("levels", LEVELS, "traps.html#levels"))
        return found

    @cached_property
    def _taught(self) -> Sequence[Insight]:
        return insights(facts_of(self.data))

    @property
    def trust(self) -> list[LimitNote]:
        """How much to trust the figures."""
        found = self.data.recommendation
        return limits(self.board, found, self.data.desk, self.data.slugs)

    @property
    def more(self) -> list[MoreFigures]:
        """Figures without a column."""
        return more_figures(self.board.agents)

    @property
    def power(self) -> str:
        """Which differences the board can detect, in a sentence."""
        return resolving_power(self.board)

    @property
    def notes(self) -> list[str]:
        """What a reader should know before the first number."""
        agents = self.board.agents
        hidden = (f"{agent.name}: {HIDDEN_ACTS}." for agent in agents if agent.hides_acts)
        unseen = (f"{agent.name}: {agent.unseen}." for agent in agents if agent.unseen)
        words = (
            *hidden,
            *unseen,
            *(note for agent in agents for note in (*substitutes(agent), *cost_notes(agent))),
        )
        return list(filter(None, [unobservable_note(self.board), self._partial, *words]))

    @property
    def _partial(self) -> str:
        """A sentence if some conversations are unfinished."""
        agents = self.board.agents
        done, planned = sum(one.conversations for one in agents), sum(one.planned for one in agents)
        some = sum(one.conversations < one.planned for one in agents)
        if not some:
            return ""
        whose = "one agent" if some == 1 else f"{in_words(some)} agents"
        return f"{done:,} of {planned:,} conversations are finished; the figures of {whose} will change."

    @property
    def verified(self) -> str:
        """What is known of every row's results, if it is the same for all; empty: rows differ."""
        known = {row.agent.verification.title if row.agent.verification else "" for row in self.table}
        return known.pop() if len(known) == 1 else ""

    @property
    def examined(self) -> list[AgentResults]:
        """The agents of which it is known whether their results are verified, dummies last."""
        known = [agent for agent in self.board.agents if agent.verification]
        return sorted(known, key=lambda agent: agent.is_dummy)

    @property
    def days(self) -> tuple[date, date]:
        """The first and the last day of all runs."""
        return self.data.dates

    def number_link(self, metric: str, agent: str) -> str:
        """The conversations behind a number."""
        return behind(metric, self.data.slugs[agent])


def pages(data: SiteData, said: Said) -> Iterator[SitePage[BoardContext]]:
    """The front page."""
    yield SitePage("index.html", "board.html", BoardContext(data, said))


def files(data: SiteData) -> Iterator[tuple[str, bytes]]:
    """The board's numbers and every conversation as files."""
    yield "data/board.json", board_json(data.board, data.slugs)
    yield "data/board.csv", board_csv(data.board, data.slugs)
    yield "data/conversations.csv", conversations_csv(data.rows)


def _columns(board: Board) -> Iterator[BoardColumn]:
    judge = leading_judge(board.judges)
    for column in COLUMNS:
        made = column._replace(judge=judge) if column.key == "policy" else column
        if made.metric in LIMITS:
            made = made._replace(limit=f"limit {percent(LIMITS[made.metric], 100)}")
        if column.key == "danger":
            is_known = any(agent.grounds.danger for agent in board.agents)
        else:
            is_known = any(agent.of(made.metric, made.judge) for agent in board.agents)
        if is_known:
            yield made


_STANDINGS: dict[LimitStanding, Literal["", "beyond", "open"]] = {
    "keeps": "",
    "breaks": "beyond",
    "open": "open",
}


def _cell(agent: AgentResults, slug: str, column: BoardColumn) -> BoardCell:
    if column.key == "danger":
        return _danger_cell(agent, slug, column)
    estimate = agent.of(column.metric, column.judge)
    if estimate is None:
        return BoardCell("–", None)
    if column.key == "cost":
        return BoardCell(money(estimate.value), estimate.value, more=_more(estimate))
    part = "no" if column.key == "missed" else ""
    wrong = error(agent, column.metric) if column.key == "missed" else None
    value = estimate.value if wrong is None else wrong
    text = percent(value, 100) if column.key in ("missed", "policy") else value_text(estimate)
    return BoardCell(
        text,
        value,
        behind(column.metric, slug, "no" if part else "", judge=column.judge),
        counted_words(column.title, agent.name, estimate, "no" if part else ""),
        _more(estimate, is_missed=bool(part)),
        column.metric if column.metric in LIMITS else "",
        _STANDINGS[standing(agent, column.metric, LIMITS[column.metric])] if column.metric in LIMITS else "",
    )


def _danger_cell(agent: AgentResults, slug: str, column: BoardColumn) -> BoardCell:
    missed, of = agent.grounds.danger_missed, agent.grounds.danger
    if not of:
        return BoardCell("–", None)
    text = f"{missed} of {of}"
    return BoardCell(
        text,
        missed,
        behind(f"{PRICED}danger", slug) if missed else "",
        f"{column.title}, {agent.name}: {text} conversations",
        metric="danger",
        standing="beyond" if missed else "",
    )


def _more(estimate: Estimate, *, is_missed: bool = False) -> str:
    """The count and the likely range of a figure."""
    outer = estimate.new_cases_interval or estimate.rerun_interval
    if is_missed and estimate.k is not None:
        count = f"{estimate.n - estimate.k}/{estimate.n}"
        if not outer:
            return count
        low, high = percent(1 - outer.high, estimate.n), percent(1 - outer.low, estimate.n)
        return f"{count}, likely {low} to {high}"
    span = f", likely {interval_text(estimate.metric, outer, estimate.n)}" if outer else ""
    return f"{count_text(estimate)}{span}"
