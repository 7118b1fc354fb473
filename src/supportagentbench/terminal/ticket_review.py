"""Ticket review: one ticket after another in the terminal, and what a person decides on it."""

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from supportagentbench.records.record import digest
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.terminal.clipping import Clipping
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.tickets.review import Decision, Review

HELP = (
    "a: approve, with what is marked hidden for good · numbers: keep these marked words and approve · "
    "k: keep all and approve · h WORDS: hide words everywhere · d: leave out · l: later · q: end"
)


def review_in_terminal(
    review: Review, ask: Callable[[str], str] = input, console: Console | None = None
) -> None:
    """Show what waits and store each decision, until nothing waits or the person ends it."""
    console = console or EscapingConsole()
    later: set[str] = set()
    while waiting := [ticket for ticket in review.waiting if ticket.id not in later]:
        ticket = waiting[0]
        places, clipped = _show(ticket, console)
        console.print(Text(f"{len(review.waiting)} to read, {review.approved} approved. {HELP}"))
        try:
            words = ask("> ").strip()
        except EOFError:
            return
        if words == "q":
            return
        if words == "l":
            later.add(ticket.id)
        elif (decision := _decision(ticket, words, places)) is None:
            console.print(Text("This is not one of the answers."))
        elif clipped and decision.action == "approve":
            console.print(Text(f"{clipped} not shown: read this ticket on the page, or answer d or l."))
        else:
            review.decide(decision)


def _show(ticket: SupportTicket, console: Console) -> tuple[list[tuple[int, int, int]], str]:
    """Print a ticket with its doubts numbered; where they are, and what was too long to be shown."""
    places: list[tuple[int, int, int]] = []
    clipping = Clipping()
    told = f"{ticket.subject}  {ticket.kind} {' '.join(ticket.tags)} {ticket.status} {ticket.satisfaction}"
    console.print(Text(f"\n{ticket.id}  {clipping.text(told)}", style="bold"))
    for number, event in enumerate(ticket.events):
        parts, at = [], 0
        for start, end in event.doubts:
            places.append((number, start, end))
            parts += [event.text[at:start], f"[{len(places)}? {event.text[start:end]}]"]
            at = end
        act = f" {event.act.name} {event.act.arguments} {event.act.result}" if event.act else ""
        text = "".join((*parts, event.text[at:]))
        console.print(Text(f"{event.who}, {event.kind}: {clipping.text(text + act)}"))
    return places, clipping.note


def _decision(ticket: SupportTicket, words: str, places: list[tuple[int, int, int]]) -> Decision | None:
    """What the person typed; None if it means nothing."""
    seen = digest(ticket)
    if words == "d":
        return Decision(ticket.id, seen, "drop")
    if words in ("a", "k"):
        return Decision(ticket.id, seen, "approve", kept=tuple(places) if words == "k" else ())
    if words.startswith("h ") and len(words[2:].strip()) > 1:
        return Decision(ticket.id, seen, "hide", words=(words[2:].strip(),))
    numbers = words.replace(",", " ").split()
    if numbers and all(one.isdecimal() and 0 < int(one[:9]) <= len(places) for one in numbers):
        return Decision(ticket.id, seen, "approve", kept=tuple(places[int(one) - 1] for one in numbers))
    return None
