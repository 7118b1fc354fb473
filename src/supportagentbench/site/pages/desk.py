"""Desk: what agents' mistakes would cost at the reader's own desk, with the reader's mix and prices."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from supportagentbench.board.choice import presets_of, settings_of, worth_of
from supportagentbench.board.claims import LEVEL
from supportagentbench.board.desk import (
    BENCHMARK,
    AgentMonth,
    SupportDesk,
    abuse_share,
    comparisons,
    mistakes_made,
)
from supportagentbench.board.loss import (
    FREEDOM,
    GRID,
    IMAGINED,
    NEEDLESS,
    ONE_IN,
    Kind,
    Trials,
    quantiles,
)
from supportagentbench.board.mistakes import Mistake
from supportagentbench.board.recommendation_words import (
    about,
    flip_words,
    limits_words,
    then_words,
    which_one,
)
from supportagentbench.board.turning_price import unsolved_price
from supportagentbench.records.case import Bucket
from supportagentbench.records.choice import Choice
from supportagentbench.records.vocabulary import TicketMix
from supportagentbench.site.answers.board_answer import LimitField, limit_fields
from supportagentbench.site.answers.cfo import cfo_note, sample_words, turns_of
from supportagentbench.site.answers.desk_answer import (
    GROUPS,
    counted,
    gap_words,
    share,
)
from supportagentbench.site.answers.diagnosis import diagnoses
from supportagentbench.site.charts.break_even import BreakEven, break_even
from supportagentbench.site.charts.month_bars import MonthBars, month_bars
from supportagentbench.site.data.counted import PRICED
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext


@dataclass(frozen=True)
class DeskContext(PageContext):
    """What mistakes cost at a desk with the default mix and prices; the script computes others."""

    TEMPLATES: ClassVar = ("desk.html",)

    slugs: dict[str, str]
    title: str
    """Which agent to use, as every page says it."""
    tickets: float
    """Per month."""
    person: float
    """Dollars per ticket that a person handles."""
    lacks_traps: bool
    """Whether traps have no price, because the runs do not say what is at stake in them."""
    limits: str
    """What an agent has to keep to be used."""
    groups: dict[str, list[Kind]]
    """The kinds of tickets, by group."""
    mix: dict[str, float]
    """The share of each kind, in percent."""
    mistakes: list[Mistake]
    presets: list[TicketMix]
    some_cost: bool
    """Whether the cost of any agent's calls is known."""
    unpriced: list[str]
    """Ranked agents whose calls have no known cost."""
    rows: list[AgentMonth]
    pick: str
    """The agent to use; empty: none."""
    answer: str
    """What that agent costs."""
    months: MonthBars
    """What each agent's month is spent on."""
    note: str
    """The text for those who pay."""
    sample: str
    """What the agents are where all of them are invented."""
    flips: str
    """From which price of a customer wrongly turned away on another choice would cost less."""
    turned_away: float | None
    """What a customer wrongly turned away counts as."""
    limits_form: list[LimitField]
    """The limits that a reader may set."""
    shares: dict[str, float]
    """The share of each group of tickets in the mix."""
    benchmark: dict[str, float]
    """The same in the benchmark."""
    made: Counter[tuple[str, str]]
    """By agent and mistake, the conversations in which it was made."""
    cheats: float | None
    """The share of attempted abuse; None if there is none to change."""
    worth: float
    """What goods cost on average; 0: the shop does not say."""
    chart: BreakEven | None
    """Cost against the share of cheats; None: there is none to change."""
    one_in: ClassVar = ONE_IN
    level: ClassVar = LEVEL
    hundreds: ClassVar = staticmethod(about)
    counted: ClassVar = staticmethod(counted)

    @property
    def headed(self) -> Headed:
        return Headed(self.title, self.answer)

    @property
    def reference(self) -> AgentMonth:
        """The agent that the others are compared with."""
        return next(row for row in self.rows if row.gap is None)

    @property
    def tables(self) -> dict[str, list[AgentMonth]]:
        """The ranked agents, and below them the unranked ones."""
        return {
            "ranked": [row for row in self.rows if row.agent.is_ranked],
            "others": [row for row in self.rows if not row.agent.is_ranked],
        }

    def gap_words(self, month: AgentMonth) -> str:
        """A difference as text, corrected for all comparisons on the page."""
        return gap_words(month, self.reference, comparisons(self.rows))

    @property
    def has_danger(self) -> bool:
        """Whether people are in danger in any conversation."""
        return any(row.agent.results.grounds.danger for row in self.rows)

    def behind(self, mistake: str, slug: str) -> str:
        """The conversations in which a mistake was found."""
        return behind(f"{PRICED}{mistake}", slug)


def pages(data: SiteData) -> Iterator[SitePage[DeskContext]]:
    """The one page."""
    if data.desk:
        yield SitePage("desk.html", "desk.html", _context(data.desk, data))


def _context(desk: SupportDesk, data: SiteData) -> DeskContext:
    settings, found = settings_of(desk, data.choice), data.recommendation
    rows = desk.cost_at(settings, found.pick)
    buckets: list[Bucket] = list(dict.fromkeys(kind.bucket for kind in desk.kinds))
    return DeskContext(
        slugs=data.slugs,
        title=which_one(found).title,
        tickets=settings.tickets,
        person=settings.person,
        lacks_traps="adversarial" not in buckets
        and any(sheet.bucket == "adversarial" for sheet in data.cases.values()),
        limits=limits_words(found),
        groups={GROUPS[bucket]: [kind for kind in desk.kinds if kind.bucket == bucket] for bucket in buckets},
        mix=dict(settings.mix),
        mistakes=[one._replace(dollars=settings.prices[one.name]) for one in desk.mistakes],
        presets=presets_of(desk, data.choice),
        some_cost=not desk.unpriced and any(agent.cost is not None for agent in desk.agents),
        unpriced=list(desk.unpriced),
        rows=rows,
        pick=found.pick,
        answer=then_words(found),
        months=month_bars(found, rows, data.slugs, diagnoses(data)),
        note=cfo_note(data),
        sample=sample_words(data),
        flips=flip_words(turns_of(data)),
        turned_away=unsolved_price(settings),
        limits_form=limit_fields(found),
        shares={GROUPS[bucket]: share(desk.kinds, settings.mix, bucket) for bucket in buckets},
        benchmark={GROUPS[bucket]: share(desk.kinds, desk.mix_of(BENCHMARK), bucket) for bucket in buckets},
        made=Counter((agent, mistake) for mistake, agent, _ in mistakes_made(data.runs)),
        cheats=cheats if 0 < (cheats := abuse_share(desk.kinds, settings.mix)) < 1 else None,
        worth=worth_of(desk, data.choice),
        chart=break_even(found, desk, settings, data.slugs),
    )


MISTAKE = ord("A")
"""The character of the first mistake."""

NO_RUN = "-"
"""Stands for a case of which no run counts."""


def _packed(trial: Trials, place: Mapping[str, int]) -> str:
    """The mistakes of each run, a character for each, and a comma between runs."""
    if not trial.made:
        return NO_RUN
    return ",".join("".join(chr(MISTAKE + place[name]) for name in made) for made in trial.made)


def _some(counts: Iterable[int]) -> dict[str, int]:
    """The counts that are not zero, by their place."""
    return {str(at): count for at, count in enumerate(counts) if count}


def script_of(desk: SupportDesk, slugs: dict[str, str], choice: Choice) -> dict[str, Any]:
    """What scripts need to do the same arithmetic for another desk."""
    settings, presets = settings_of(desk, choice), presets_of(desk, choice)
    place = {mistake.name: number for number, mistake in enumerate(desk.mistakes)}
    return {
        "kinds": [
            {
                "name": kind.name,
                "mistakes": kind.mistakes,
                "group": GROUPS[kind.bucket],
                "abuse": kind.is_abuse,
            }
            for kind in desk.kinds
        ],
        "cases": [one.kind for one in desk.agents[0].trials],
        "agents": [
            {
                "slug": slugs[one.results.name],
                "name": one.results.name,
                "ranked": one.is_ranked,
                "cost": one.cost,
                "made": ";".join(_packed(trial, place) for trial in one.trials),
                "handed": _some(trial.handed_over for trial in one.trials),
                "endangered": _some(trial.endangered for trial in one.trials),
            }
            for one in desk.agents
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
        "presets": {preset.name: desk.mix_of(preset) for preset in presets} | {presets[0].name: settings.mix},
        "mistakes": [one._replace(dollars=settings.prices[one.name])._asdict() for one in desk.mistakes],
        "worth": worth_of(desk, choice),
        "fees": not desk.unpriced and any(agent.cost is not None for agent in desk.agents),
        "tickets": settings.tickets,
        "person": settings.person,
    }
