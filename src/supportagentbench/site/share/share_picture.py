"""Share picture: what the picture of a page says, one for each page that people share."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from supportagentbench.board.choice import settings_of
from supportagentbench.board.desk import AgentOnDesk, SupportDesk
from supportagentbench.board.loss import NEEDLESS, DeskSettings, times
from supportagentbench.board.mistakes import MISSED, Mistake
from supportagentbench.board.recommendation import Decision, Recommendation
from supportagentbench.board.recommendation_words import DECISIONS, about, clause, why
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.lone import LoneContext
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import PageContext
from supportagentbench.site.pages.report import ReportContext

QUESTION = "Can this AI agent run a support desk?"
"""What a picture asks where its page has no title."""

FOLDER = "share"
"""Where pictures are."""

SHARED = ("index.html", "desk.html", "traps.html", "method.html", "audit.html")
"""The pages with a picture of their own besides reports; all others have the front page's."""

Part = Literal["model fees", "left unsolved", "needless handovers", "missed escalations", "given away"]


class CostPart(NamedTuple):
    """A part of what an agent costs per month."""

    part: Part
    share: float
    """Of the highest cost of all contenders."""


class PicturedAgent(NamedTuple):
    """The agent whose report it is."""

    decision: Decision
    decided: str
    """The decision as it is printed."""
    line: str
    """What decided, in one sentence."""
    month: str
    """What it costs at the desk per month; empty: unknown."""
    costs: tuple[CostPart, ...]
    traps: tuple[bool, ...]
    """Every trap conversation, in the same order for all agents: whether it worked."""

    @property
    def worked(self) -> str:
        return f"{sum(self.traps)} of {len(self.traps)} traps worked"


class SharePicture(NamedTuple):
    """What one picture says."""

    title: str
    summary: str
    tag: str
    """What a reader must know before any figure; empty: nothing."""
    brand: str
    """The site's title."""
    agent: PicturedAgent | None = None


def share_path(page: str) -> str:
    """Where the picture of a page is."""
    return f"{FOLDER}/{page.removesuffix('.html')}.png"


def titled(pages: Iterable[SitePage[PageContext]], tag: str, brand: str) -> dict[str, SharePicture]:
    """The pictures that say what their pages are called, by the paths of the pages."""
    found = {page.path: page.context.headed for page in pages if page.path in SHARED}
    return {
        path: SharePicture(headed.title or QUESTION, headed.summary, tag, brand)
        for path, headed in found.items()
    }


def pictures_of(data: SiteData, pages: Sequence[SitePage[PageContext]], tag: str) -> dict[str, SharePicture]:
    """The pictures of a site made from runs; the report on a dummy has none."""
    found = titled(pages, tag, data.about.title)
    for page in pages:
        name = _agent_of(page)
        if not name or data.recommendation.of(name).agent.is_dummy:
            continue
        headed = page.context.headed
        agent = _pictured(data.recommendation.of(name), data)
        found[page.path] = SharePicture(headed.title or name, "", tag, data.about.title, agent)
    return found


def _agent_of(page: SitePage[PageContext]) -> str:
    """The agent that a page is about; empty: none."""
    match page.context:
        case ReportContext(d=stats) if page.path.endswith(".html"):
            return stats.results.name
        case LoneContext(agent=agent):
            return agent.name
        case _:
            return ""


def _pictured(one: Recommendation, data: SiteData) -> PicturedAgent:
    return PicturedAgent(
        one.decision,
        DECISIONS[one.decision],
        f"{one.agent.name} {clause(one.reasons[0])}." if one.reasons else why(one),
        about(one.bill.total.value) if one.bill else "",
        tuple(_costs(one, data)),
        tuple(
            row.outcome.name == "unsafe"
            for row in data.rows
            if row.agent == one.agent.name
            and row.outcome.grade != "none"
            and data.cases[row.case].bucket == "adversarial"
            and not data.cases[row.case].twin_of
        ),
    )


def _costs(one: Recommendation, data: SiteData) -> Iterator[CostPart]:
    """The parts of its bar; all bars of a site have one scale."""
    bills = data.recommendation.desk.bills
    if not data.desk or not one.bill:
        return
    compared = data.recommendation.contenders or (one,)
    most = max(bills[other.agent.name].total.value for other in (*compared, one) if other.agent.name in bills)
    agent = next(on for on in data.desk.agents if on.results.name == one.agent.name)
    for part, dollars in _dollars(agent, data.desk, settings_of(data.desk, data.choice)).items():
        if dollars > 0 < most:
            yield CostPart(part, dollars / most)


def _dollars(agent: AgentOnDesk, desk: SupportDesk, settings: DeskSettings) -> Mapping[Part, float]:
    found: dict[Part, float] = {
        "model fees": settings.tickets * desk.fee(agent),
        "left unsolved": 0.0,
        "needless handovers": 0.0,
        "missed escalations": 0.0,
        "given away": 0.0,
    }
    for mistake in desk.mistakes:
        count = times(desk.kinds, agent.trials, settings, mistake.name) or 0.0
        found[_part(mistake)] += count * settings.prices[mistake.name]
    return found


def _part(mistake: Mistake) -> Part:
    match mistake.name:
        case name if name == NEEDLESS:
            return "needless handovers"
        case name if name == MISSED:
            return "missed escalations"
        case _:
            return "left unsolved" if mistake.scales == "person" else "given away"
