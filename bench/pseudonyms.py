"""What pseudonymising catches: planted people by locale, and names in the free text of real chats.

    python bench/pseudonyms.py                                the shipped canaries, in an invented ticket
    python bench/pseudonyms.py CHATS.json NAME,NAME,…         chats as ABCD has them, and the names in them

`fresh names`: in a second round every name is one that occurs in no other chat.
"""

import random
import re
import sys
import time
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from msgspec.structs import replace

from supportagentbench.records.ticket import SupportTicket, TicketEvent
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.ticket_check import check_report
from supportagentbench.tickets.canaries import checked
from supportagentbench.tickets.doubts import known_words_of
from supportagentbench.tickets.folding import WORD, folded, squeezed
from supportagentbench.tickets.known_words import ONLY_COMMON, KnownWords
from supportagentbench.tickets.pseudonyms import pseudonymised, without_spans
from supportagentbench.tickets.raw import RawTicket
from supportagentbench.tickets.read import read_tickets
from supportagentbench.tickets.word_lists import common_words

KEY = b"k" * 32
PARTS = [
    one.split() for one in ("Br Dr F Gl K L M N P Qu R S T V W Z", "a e i o u ae io", "b d k l m n r s t v")
]


def main() -> None:
    """Print the figures."""
    if len(sys.argv) < 3:
        event = TicketEvent("customer", "message", "Hello, the jacket that I bought is broken.")
        ticket = RawTicket(SupportTicket("t", "bench", (event,)), (), "bench")
        EscapingConsole().print(check_report(checked([ticket], KEY, ONLY_COMMON)))
        return
    names = frozenset(sys.argv[2].lower().split(","))
    raws = [one for one in read_tickets("abcd", [Path(sys.argv[1])]) if isinstance(one, RawTicket)]
    free = [*map(without_acts, raws)]
    for title, chats in (("names as they are", free), ("fresh names", [*with_fresh_names(free, names)])):
        told = [
            names if chats is free else {fresh(one, place) for one in names} for place in range(len(free))
        ]
        for how, known in (
            ("all chats known", known_words_of(raw.ticket for raw in chats)),
            ("each chat alone", ONLY_COMMON),
        ):
            print(f"{title}, {how}: {figures(chats, told, known)}")


def without_acts(raw: RawTicket) -> RawTicket:
    """The chat as text alone: what a button was given tells names in a field."""
    events = tuple(replace(event, act=None) for event in raw.ticket.events)
    return raw._replace(ticket=replace(raw.ticket, events=events))


def fresh(name: str, chat: int) -> str:
    """A name that nobody has, another for each chat."""
    draw, (begin, middle, end) = random.Random(f"{name} {chat}"), PARTS
    while (made := "".join(map(draw.choice, (begin, middle, end, middle, end))).lower()) in common_words():
        pass
    return made


def with_fresh_names(raws: list[RawTicket], names: frozenset[str]) -> Iterator[RawTicket]:
    """The chats with a fresh name in place of each, in the same case."""
    pattern = re.compile(rf"\b(?:{'|'.join(names)})\b", re.IGNORECASE)
    for number, raw in enumerate(raws):

        def other(found: re.Match[str], number: int = number) -> str:
            made = fresh(found[0].lower(), number)
            return made.upper() if found[0].isupper() else made.title() if found[0][0].isupper() else made

        events = tuple(replace(event, text=pattern.sub(other, event.text)) for event in raw.ticket.events)
        yield raw._replace(ticket=replace(raw.ticket, events=events))


def figures(raws: list[RawTicket], told: Sequence[Set[str]], known: KnownWords) -> str:
    """Name occurrences that can still be read, other words that are hidden, and the time."""
    began = time.perf_counter()
    total = left = words = hidden = chats = 0
    for raw, names in zip(raws, told, strict=True):
        made = pseudonymised(raw, KEY, known)
        seen = False
        for before, after in zip(raw.ticket.events, made.events, strict=True):
            occurring = [folded(one) for one in WORD.findall(before.text) if folded(one) in names]
            readable = {folded(one) for one in WORD.findall(without_spans(after.text, after.doubts, "\n"))}
            total, words = total + len(occurring), words + len(WORD.findall(before.text)) - len(occurring)
            leaks = sum(one in readable for one in occurring)
            left, seen = left + leaks, seen or leaks > 0
            doubtful = (one for start, end in after.doubts for one in WORD.findall(after.text[start:end]))
            hidden += sum(squeezed(one) not in names for one in doubtful)
        chats += seen
    seconds = time.perf_counter() - began
    return (
        f"{total - left} of {total} name words caught ({chats} of {len(raws)} chats leak one), "
        f"{hidden} of {words} other words hidden ({hidden / words:.1%}), {seconds:.1f} s"
    )


if __name__ == "__main__":
    main()
