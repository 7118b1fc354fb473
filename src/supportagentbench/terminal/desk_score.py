"""Desk score: what was found in real tickets, by who answered them; printed, or stored for this user."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.counts import counted
from supportagentbench.records.desk_score import (
    Answerer,
    CheckScore,
    DeskScore,
    DeskSide,
    TicketFinding,
    TicketShare,
)
from supportagentbench.records.record import to_json
from supportagentbench.site.number import NONE, percent
from supportagentbench.storage.file import make_folder, write_whole
from supportagentbench.terminal.escape import on_one_line
from supportagentbench.terminal.ticket_pages import SCORE, write_page

READ_FIRST, MOST_PEOPLE = 10, 10
"""Findings and people that are printed; the record has more."""

ALL: dict[Answerer, str] = {"bot": "Bots", "human": "People"}


def write_score(score: DeskScore, folder: Path) -> None:
    """Store a score and its page where only this user can read them."""
    make_folder(folder)
    write_whole(folder / SCORE, to_json(score) + b"\n", mode=0o600)
    write_page(folder / SCORE)


def desk_score_view(score: DeskScore) -> Group:
    """The answer, what to read first, and every check."""
    wholes = [side for side in score.sides if not side.person]
    parts: list[RenderableType] = [Text("\n".join(_answers(score, wholes)), style="bold")]
    parts += [*_read_first(score)]
    for side in wholes:
        parts += ["", Text(ALL[side.who], style="bold"), _checks(side)]
        if people := [one for one in score.sides if one.who == side.who and one.person]:
            parts += ["", _people(people)]
    return Group(*parts, "", Text("\n".join(_remarks(score)), style="dim"))


def share_text(share: TicketShare | None) -> str:
    """A share with its count and its interval."""
    if share is None:
        return NONE
    low, high = (percent(end, share.n) for end in (share.interval.low, share.interval.high))
    return f"{share.k:,} of {share.n:,} ({low.removesuffix('%')}–{high})"


def _answers(score: DeskScore, wholes: list[DeskSide]) -> Iterator[str]:
    """One sentence for each side, and how much of the import it is about."""
    for side in wholes:
        yield (
            f"{ALL[side.who]}: {share_text(side.counted)} tickets have a finding that counts, "
            f"{share_text(side.to_check)} one to check."
        )
    left = "".join(f"; left out, {count} ×: {reason}" for reason, count in score.left_out.items())
    yield f"{counted(score.scored, 'ticket')} of {score.tickets:,} scored{left}."


def _read_first(score: DeskScore) -> Iterator[RenderableType]:
    shown = score.findings[:READ_FIRST]
    if not shown:
        return
    yield ""
    yield Text("Read first", style="bold")
    for one in shown:
        yield Text(_headline(one), style="red" if one.standing == "counted" else "yellow")
        if one.asked:
            yield Text(f"  customer: {on_one_line(one.asked)}", style="dim")
        yield Text(f"  {_name(one.who, one.person)}: {on_one_line(one.said)}")


def _headline(one: TicketFinding) -> str:
    standing = "counted" if one.standing == "counted" else f"to check, as {one.doubt}"
    title = CATALOGUE[one.check].title
    return f"{one.ticket}, entry {one.turn + 1}. {title}: {on_one_line(one.why)} ({standing})"


def _name(who: Answerer, person: str) -> str:
    return on_one_line(person) or {"bot": "bot", "human": "person"}[who]


def _table(first: str, *heads: str) -> Table:
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column(first)
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def _checks(side: DeskSide) -> Table:
    table = _table("what was found, in tickets", "counted", "to check")
    for one in side.checks:
        if one.counted or one.to_check:
            found = (one.counted and one.counted.k) or (one.to_check and one.to_check.k)
            row = (CATALOGUE[one.check].title, share_text(one.counted), share_text(one.to_check))
            table.add_row(*row, style="" if found else "dim")
    return table


def _people(people: list[DeskSide]) -> Table:
    table = _table(
        "the worst of them" if len(people) > MOST_PEOPLE else "each of them", "counted", "to check"
    )
    for one in people[:MOST_PEOPLE]:
        table.add_row(on_one_line(one.person), share_text(one.counted), share_text(one.to_check))
    return table


def _remarks(score: DeskScore) -> Iterator[str]:
    """What could not be seen, and what the figures mean."""
    yield "Shares are of tickets, with 95% intervals for other tickets like these."
    if score.unapproved:
        unread = f"{counted(score.unapproved, 'ticket')} not approved: doubtful words are hidden there"
        yield f"{unread}, and what depends on them does not count."
    for why, checks in _unseen(score).items():
        yield f"Not observable, as {why}: {', '.join(checks)}."
    yield from score.notes


def _unseen(score: DeskScore) -> dict[str, list[str]]:
    """By reason, the checks that saw nothing in any ticket."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for check, why in score.not_looked.items():
        found[why].append(CATALOGUE[check].title)
    for side in score.sides:
        for one in side.checks:
            if one.counted is None and one.to_check is None:
                found[_reason(side, one)].append(CATALOGUE[one.check].title)
    return found


def _reason(side: DeskSide, one: CheckScore) -> str:
    return f"{next(iter(one.not_observable), 'nobody answered')} ({ALL[side.who].lower()})"
