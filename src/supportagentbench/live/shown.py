"""Shown: the texts of a page for a view, so that the page's script only has to insert them."""

from urllib.parse import quote

from supportagentbench.live.view import LABELLED, AgentProgress, CountOf, News, View
from supportagentbench.live.words import (
    CONDITIONS,
    NONE,
    TITLES,
    brief,
    clock,
    dollars,
    expected,
    short,
    span_words,
    spent_words,
)
from supportagentbench.records.record import Record
from supportagentbench.storage.archive import folder_of

COLUMNS = {
    "done": "done",
    "unsafe": "unsafe",
    "over": "over-escalated",
    "escalated": "escalated correctly",
    "errors": "errors",
    "price": "$ per 1,000",
    "tokens": "tokens",
    "turn": "s per reply",
    "cost": "cost",
    "left": "left",
}
"""The columns after the agent's name and progress bar, with their heads."""


class ShownRow(Record):
    """One agent's row."""

    agent: str
    done: int
    total: int
    condition: str
    safety: str
    """The word for its unsafe actions; empty while there are too few traps."""
    look: str
    cells: dict[str, str]
    place: int
    """Its place for now: in progress first, then by over-escalation, unsafe actions, correct escalations."""


class ShownNews(Record):
    """One piece of news."""

    place: int
    time: float
    kind: str
    title: str
    words: str
    about: str = ""
    link: str = ""


class LiveConversationRow(Record):
    """A conversation in progress."""

    about: str
    link: str


class Shown(Record):
    """All texts of the page."""

    strip: dict[str, str]
    elapsed: float
    is_over: bool
    summary: str
    """One sentence, for screen readers."""
    rows: tuple[ShownRow, ...]
    news: tuple[ShownNews, ...]
    conversations: tuple[LiveConversationRow, ...]
    unlabelled: bool = False

    @property
    def columns(self) -> dict[str, str]:
        """Without labels, those that need one are left out."""
        return {name: head for name, head in COLUMNS.items() if not (self.unlabelled and name in LABELLED)}


def shown(view: View) -> Shown:
    """The texts for a view."""
    places = {row.agent: place for place, row in enumerate(sorted(view.rows, key=_standing))}
    return Shown(
        strip=_strip(view),
        elapsed=view.elapsed,
        is_over=bool(view.ended),
        summary=_summary(view),
        rows=tuple(_row(row, places[row.agent]) for row in view.rows),
        news=tuple(_news(news) for news in view.news),
        conversations=tuple(
            LiveConversationRow(
                f"{conversation.agent}, {conversation.case}, run {conversation.run}",
                conversation_link(conversation.agent, conversation.run, conversation.case),
            )
            for conversation in view.conversations
        ),
        unlabelled=view.unlabelled,
    )


def _strip(view: View) -> dict[str, str]:
    return {
        "conversations": f"{view.done}/{view.total}",
        "left": view.ended or ("stopping" if view.stopping else span_words(view.left)),
        "elapsed": clock(view.elapsed),
        "cost so far": spent_words(view),
        "projected": expected(view.projected, view.planned) or NONE,
        "cap": "none" if view.cap is None else f"${view.cap:,.2f}",
        "in flight": str(view.in_flight),
        "waiting on limits": str(view.waiting),
        "errors": str(view.errors),
    }


def _summary(view: View) -> str:
    if view.ended:
        return f"The job has ended: {view.ended}. {view.done} of {view.total} conversations are stored."
    left = f", about {span_words(view.left)} left" if view.left else ""
    return f"{view.done} of {view.total} conversations done{left}; spent: {spent_words(view)}."


def _row(row: AgentProgress, place: int) -> ShownRow:
    return ShownRow(
        agent=row.agent,
        done=row.done,
        total=row.total,
        condition=row.condition,
        safety=row.safety.word if row.safety else "",
        look=row.safety.look if row.safety else "none",
        cells={
            "done": f"{row.done}/{row.total}",
            "unsafe": f"{row.unsafe.k}/{row.unsafe.n}" if row.unsafe.n else NONE,
            "over": _share(row.over, row),
            "escalated": _share(row.escalated, row),
            "errors": str(row.errors),
            "price": f"{row.per_thousand:,.2f}" if row.per_thousand else NONE,
            "tokens": short(row.tokens) if row.tokens else NONE,
            "turn": NONE if row.turn is None else f"{row.turn:.1f}",
            "cost": "price unknown" if row.cost is None else dollars(row.cost) if row.cost else NONE,
            "left": brief((row.left.low + row.left.high) / 2)
            if row.left and row.condition == "running"
            else CONDITIONS[row.condition],
        },
        place=place,
    )


def _share(count: CountOf, row: AgentProgress) -> str:
    """A share with its counts; `~` while it can still change."""
    if count.share is None:
        return NONE
    return f"{'' if row.condition == 'done' else '~'}{count.share:.1%} ({count.k}/{count.n})"


def _standing(row: AgentProgress) -> tuple[bool, float, float, float]:
    over, unsafe, escalated = (count.share for count in (row.over, row.unsafe, row.escalated))
    return (
        row.condition not in ("running", "waiting"),
        2.0 if over is None else over,
        2.0 if unsafe is None else unsafe,
        2.0 if escalated is None else -escalated,
    )


def _news(news: News) -> ShownNews:
    turn = f", turn {news.turn}" if news.turn is not None else ""
    about = f"{news.agent}, {news.case}, run {news.run}{turn}" if news.case else news.agent
    link = conversation_link(news.agent, news.run, news.case) if news.case else ""
    return ShownNews(news.place, news.at, news.kind, TITLES[news.kind], news.words, about, link)


def conversation_link(agent: str, run: int, case: str) -> str:
    """The address of one conversation's page."""
    return f"/conversation/{quote(folder_of(agent, run), safe='')}/{quote(case, safe='')}"
