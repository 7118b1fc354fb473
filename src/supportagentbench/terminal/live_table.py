"""Live table: a running job with one row per agent, cost, time left, and the three newest events."""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Group
from rich.style import Style
from rich.text import Text

from supportagentbench.live.shown import conversation_link
from supportagentbench.live.view import LABELLED, AgentProgress, Condition, CountOf, News, View
from supportagentbench.live.words import (
    CONDITIONS,
    TITLES,
    brief,
    clock,
    dollars,
    expected,
    short,
    span_words,
    spent_words,
)
from supportagentbench.records.board import Look
from supportagentbench.terminal.escape import on_one_line

WIDE = 110
"""Minimum terminal width for the additional columns."""

SHOWN_NEWS = 3
OTHER_LINES = 9
"""Lines that are not agents: header, events, hint and cursor."""


class Marks(NamedTuple):
    """The characters used for drawing."""

    full: str
    tip: str
    rest: str
    good: str
    fair: str
    bad: str
    dash: str
    cut: str

    def of(self, look: Look) -> str:
        return {"good": self.good, "fair": self.fair, "bad": self.bad, "none": self.dash}[look]


UNICODE = Marks("━", "╺", "━", "●", "◆", "▲", "–", "…")
ASCII = Marks("=", ">", "-", "o", "+", "!", "-", "~")

LOOK_STYLES: dict[Look, str] = {"good": "blue", "fair": "yellow", "bad": "bold red", "none": "dim"}

ORDER: tuple[Condition, ...] = ("running", "paused", "waiting", "stopped", "done")


class ProgressColumn(NamedTuple):
    """A header and its cells."""

    head: str
    cell: Callable[[AgentProgress, Marks], Text]
    is_wide: bool = False
    """Shown on wide terminals only."""
    is_labelled: bool = False
    """Shown only if the conversations have labels."""


def live_table(view: View, width: int, height: int, marks: Marks = UNICODE, link: str = "") -> Group:
    """The whole job at this width and height; `link` is the address of the live page."""
    room = max(1, height - OTHER_LINES)
    ordered = sorted(view.rows, key=lambda row: ORDER.index(row.condition))
    shown, hidden = (ordered, []) if len(ordered) <= room else (ordered[: room - 1], ordered[room - 1 :])
    lines = [_head(view, marks), _money(view, marks), *_rows(shown, width, marks, view.unlabelled)]
    if hidden:
        counted = Counter(CONDITIONS[row.condition] for row in hidden)
        sums = ", ".join(f"{count} {name}" for name, count in counted.items())
        lines.append(Text(f"+{len(hidden)} models: {sums}", style="dim"))
    lines += [_news_line(news, marks, link) for news in reversed(view.news[-SHOWN_NEWS:])]
    lines.append(_hint(link, view.stopping))
    for line in lines:
        line.no_wrap, line.overflow = True, "crop"
        line.truncate(width)
    return Group(*lines)


def _head(view: View, marks: Marks) -> Text:
    left = f"ETA {span_words(view.left, marks.dash)}" if not view.ended else view.ended
    return Text.assemble(
        f"{on_one_line(view.title)}  ",
        (f"{view.done}/{view.total}", "bold"),
        f" conversations  {left}  elapsed {clock(view.elapsed)}",
    )


def _money(view: View, marks: Marks) -> Text:
    parts = []
    whole = expected(view.projected, view.planned, marks.dash)
    if view.spent or whole:
        whole = f" of {whole}" if whole else ""
        cap = f" (cap ${view.cap:,.2f})" if view.cap is not None else ""
        parts.append(f"{spent_words(view)}{whole}{cap}")
    parts.append(f"in flight {view.in_flight}")
    if view.waiting:
        parts.append(f"{view.waiting} waiting on rate limit")
    if view.errors:
        parts.append(f"{view.errors} {'error' if view.errors == 1 else 'errors'}")
    if view.stopping:
        parts.append("stopping")
    return Text("  ".join(parts))


def _rows(rows: list[AgentProgress], width: int, marks: Marks, unlabelled: bool) -> list[Text]:
    """A header and a row per agent; the bar takes the remaining width."""
    columns = [
        column
        for column in COLUMNS
        if (width >= WIDE or not column.is_wide) and not (unlabelled and column.is_labelled)
    ]
    cells = [[column.cell(row, marks) for column in columns] for row in rows]
    widths = [
        max(len(column.head), *(cell_len(line[at].plain) for line in cells), 0)
        for at, column in enumerate(columns)
    ]
    longest = max([len("model"), *(cell_len(on_one_line(row.agent)) for row in rows)])
    name = min(longest, 34 if width >= WIDE else 15)
    bar = max(8, min(40, width - name - sum(widths) - 2 * (len(widths) + 1)))
    gap = "  "
    heads = gap.join(f"{column.head:>{size}}" for column, size in zip(columns, widths, strict=True))
    lines = [Text(f"{'model':<{name}}{gap}{'progress':<{bar}}{gap}{heads}", style="bold")]
    for row, line in zip(rows, cells, strict=True):
        text = Text.assemble(_name(row, name, marks), gap, _bar(row, bar, marks))
        for cell, size in zip(line, widths, strict=True):
            text.append(gap + " " * (size - cell_len(cell.plain))).append_text(cell)
        lines.append(text)
    return lines


def _name(row: AgentProgress, width: int, marks: Marks) -> Text:
    name = on_one_line(row.agent)
    if cell_len(name) > width:
        name = set_cell_size(name, width - 1) + marks.cut
    return Text(set_cell_size(name, width), style="dim" if row.condition == "waiting" else "")


def _bar(row: AgentProgress, width: int, marks: Marks) -> Text:
    """A progress bar in neutral colours."""
    full = width * row.done // row.total if row.total else width
    tip = marks.tip if 0 < full < width else ""
    return Text.assemble(
        (marks.full * full, "white"), (tip, "dim"), (marks.rest * (width - full - len(tip)), "dim")
    )


def _unsafe(row: AgentProgress, marks: Marks) -> Text:
    if not row.unsafe.n:
        return Text(marks.dash, style="dim")
    counted = f"{row.unsafe.k}/{row.unsafe.n}"
    if row.safety is None:
        return Text(counted)
    return Text.assemble((marks.of(row.safety.look), LOOK_STYLES[row.safety.look]), f" {counted}")


def _share(count: CountOf, row: AgentProgress, marks: Marks, places: int) -> Text:
    if count.share is None:
        return Text(marks.dash, style="dim")
    return Text(f"{'' if row.condition == 'done' else '~'}{count.share:.{places}%}")


def _cost(row: AgentProgress, marks: Marks) -> Text:
    if row.cost is None:
        return Text(f"{short(row.tokens)} tok")
    return Text(dollars(row.cost)) if row.cost else Text(marks.dash, style="dim")


def _left(row: AgentProgress, marks: Marks) -> Text:
    if row.condition != "running":
        return Text(CONDITIONS[row.condition], style="dim")
    if row.left is None:
        return Text(marks.dash, style="dim")
    return Text(brief((row.left.low + row.left.high) / 2))


def _dollars(row: AgentProgress, marks: Marks) -> Text:
    found = row.per_thousand
    return Text(f"{found:,.2f}") if found else Text(marks.dash, style="dim")


def _reply_time(row: AgentProgress, marks: Marks) -> Text:
    return Text(marks.dash, style="dim") if row.turn is None else Text(f"{row.turn:.1f}")


COLUMNS = (
    ProgressColumn("done", lambda row, marks: Text(f"{row.done}/{row.total}")),
    ProgressColumn("unsafe", _unsafe, is_labelled=True),
    ProgressColumn("over", lambda row, marks: _share(row.over, row, marks, 1), is_labelled=True),
    ProgressColumn("esc", lambda row, marks: _share(row.escalated, row, marks, 0), is_labelled=True),
    ProgressColumn(
        "errors", lambda row, marks: Text(str(row.errors), style="" if row.errors else "dim"), True
    ),
    ProgressColumn("$/1k", _dollars, True),
    ProgressColumn("tokens", lambda row, marks: Text(short(row.tokens) if row.tokens else marks.dash), True),
    ProgressColumn("s/turn", _reply_time, True),
    ProgressColumn("cost", _cost),
    ProgressColumn("left", _left),
)


def _news_line(news: News, marks: Marks, link: str) -> Text:
    sign, style = (marks.bad, "bold red") if news.kind == "unsafe" else ("!", "yellow")
    page = f"{link}{conversation_link(news.agent, news.run, news.case)}" if link and news.case else None
    return Text.assemble((sign, style), " ", (news_words(news), Style(link=page)))


def _hint(link: str, is_stopping: bool) -> Text:
    """What the reader can do."""
    words = (
        "Ctrl-C drops open conversations" if is_stopping else "Ctrl-C finishes open conversations and stops"
    )
    if not link:
        return Text(words, style="dim")
    return Text.assemble(("live view ", "dim"), (link, Style(link=link)), "   ", (words, "dim"))


def news_words(news: News) -> str:
    """One event as a sentence."""
    where = [on_one_line(news.agent), on_one_line(news.case), f"run {news.run}" if news.run else ""]
    where.append(f"turn {news.turn}" if news.turn is not None else "")
    place = " ".join(filter(None, where))
    said = ": ".join(filter(None, (place, on_one_line(news.words))))
    return f"{TITLES[news.kind]}  {said}"


def plain_line(view: View) -> str:
    """The same as one line of text, for logs and screen readers."""

    def counted(count: Callable[[AgentProgress], CountOf]) -> str:
        found = [count(row) for row in view.rows]
        return f"{sum(one.k for one in found)}/{sum(one.n for one in found)}"

    left = f"{view.left.low:.0f}-{view.left.high:.0f}" if view.left else "unknown"
    parts = {
        "done": f"{view.done}/{view.total}",
        "in_flight": view.in_flight,
        "waiting": view.waiting,
        "errors": view.errors,
        "unsafe": counted(lambda row: row.unsafe),
        "over": counted(lambda row: row.over),
        "escalated": counted(lambda row: row.escalated),
        "spent": f"{view.spent:.2f}" if view.spent or not view.has_unknown_costs else "unknown",
        "projected": "unknown" if view.projected is None else f"{view.projected:.2f}",
        "cap": "none" if view.cap is None else f"{view.cap:.2f}",
        "elapsed_s": f"{view.elapsed:.0f}",
        "eta_s": left,
    }
    told = {key: value for key, value in parts.items() if not (view.unlabelled and key in LABELLED)}
    return " ".join(f"{key}={value}" for key, value in told.items())
