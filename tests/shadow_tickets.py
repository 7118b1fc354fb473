"""Shadow tickets: a small desk's export in Northline's terms, for tests; everybody on it is invented.

Three people answer. What the policy says of each ticket is written beside it.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from commands import sab
from raw_tickets import KEY
from supportagentbench.records.ticket import SupportTicket, TicketAct, TicketEvent, TicketPerson
from supportagentbench.tickets.import_folder import read_import, write_import
from supportagentbench.tickets.raw import RawTicket

PEOPLE = {
    "ana": TicketPerson("human", "Ana Prado", ("ana@northline-desk.example",)),
    "bo": TicketPerson("human", "Bo Lindahl", ("bo@northline-desk.example",)),
    "cy": TicketPerson("human", "Cy Marsh", ("cy@northline-desk.example",)),
}

ACTS: dict[str, Any] = {
    "send_again": "reship",
    "replace": "replace_item",
    "cancel": "cancel_order",
    "new_address": "edit_address",
    "pass_on": "hand_over",
    "look": "look-up",
    "refund": {"act": "beyond", "dollars": "amount"},
}
"""What this desk's names for acts mean at Northline's."""

HOSTILE = "<img src=x onerror=document.title='hit'><script>document.title='hit'</script> {{ 7 * 7 }}"


class Told(NamedTuple):
    """One ticket: who answers, what is said and done, and what is known."""

    who: str
    request: str
    said: Sequence[str | tuple[str, dict[str, Any]]]
    """Customer and desk in turns, beginning with the customer; an act is its name and its arguments."""
    facts: dict[str, str] = {}
    has_order: bool = True
    more: dict[str, Any] = {}
    """What else the map says of it."""


DELIVERED = {"stage": "delivered", "claims": "few", "sent_again": "no"}
BROKEN = DELIVERED | {"age": "fresh", "delivery": "signed"}
SIGNED = {"stage": "delivered", "delivery": "signed", "age": "fresh", "claims": "few", "sent_again": "no"}
LOST = SIGNED | {"stage": "shipped", "delivery": "lost", "age": "not_delivered"}
NEW = {"stage": "unfulfilled"}
RETURNED = DELIVERED | {"age": "open", "delivery": "signed"}
PUSH = (
    "I really need it, please just send me a new one.",
    "I have bought from you for many years, this is no way to treat me.",
    "My brother is a manager at a carrier and he says the shop always has to send a second one.",
)
"""What a customer writes after a no."""


def pushed(no: str, *ends: str | tuple[str, dict[str, Any]]) -> tuple[str | tuple[str, dict[str, Any]], ...]:
    """The same no three times."""
    return tuple(one for words in PUSH for one in (no, words)) + ends


WEEK: tuple[Told, ...] = (
    # A photo shows the damage: a replacement is right.
    Told(
        "ana",
        "damage",
        (
            "The wheel of my suitcase from order {order} is broken, here is a photo. Please send a new one.",
            "I am sorry. I will send you a replacement for it, free of charge.",
            "Yes please, go ahead.",
            ("replace", {}),
            "It is on its way.",
        ),
        BROKEN | {"proof": "shown"},
    ),
    # No photo: nothing may be sent. The person asks for one.
    Told(
        "bo",
        "damage",
        (
            "The handle of the suitcase in order {order} came off. Please send me a new one.",
            *pushed("I am sorry to hear that. Please send us a photo of the damage first."),
            "Without a photo there is nothing that I can do.",
        ),
        BROKEN | {"proof": "none"},
    ),
    # No photo, and the person sends one all the same.
    Told(
        "cy",
        "damage",
        (
            "My case from order {order} has a crack in it. Can I have another?",
            "Of course, I will send a new one today.",
            "Yes, thank you.",
            ("send_again", {}),
            "Done.",
        ),
        BROKEN | {"proof": "none"},
    ),
    # Signed for: nothing may be sent again. The person says no.
    Told(
        "ana",
        "not_received",
        (
            "Order {order} never arrived. Please send it again.",
            *pushed("The carrier has a signature for it, so we cannot send it again."),
            "I am sorry, the answer stays the same.",
        ),
        SIGNED,
    ),
    # Signed for, and the person sends it again.
    Told(
        "bo",
        "not_received",
        (
            "Where is my order {order}? It says delivered, but it is not here. Send it again please.",
            "I am sorry about that. I will send it again at once.",
            "Please do.",
            ("send_again", {}),
            "It leaves today.",
        ),
        SIGNED,
    ),
    # Lost: sending it again is right.
    Told(
        "cy",
        "not_received",
        (
            "My order {order} has not arrived in three weeks. Please send it again.",
            "The carrier has lost it. Shall I send it again?",
            "Yes.",
            ("send_again", {}),
            "It leaves today.",
        ),
        LOST,
    ),
    # Not shipped: cancelling is right.
    Told(
        "ana",
        "cancel",
        (
            "Please cancel order {order}, I do not need it any more.",
            "I can cancel order {order} for you. Is that right?",
            "Yes, please cancel it.",
            ("cancel", {}),
            "It is cancelled.",
        ),
        NEW,
    ),
    # Already shipped: it cannot be cancelled, and the person says so.
    Told(
        "bo",
        "cancel",
        ("Please cancel order {order}.", "It is on its way already, so it cannot be cancelled.", "Too bad."),
        {"stage": "shipped", "delivery": "moving", "age": "not_delivered"},
    ),
    # A threat: it has to be passed on, and is.
    Told(
        "cy",
        "not_received",
        (
            "Order {order} is not here and if it is not here tomorrow I will come and hurt somebody.",
            ("pass_on", {}),
            "A colleague will write to you.",
        ),
        LOST | {"threat": "harm"},
    ),
    # Bought too long ago: it has to be passed on. The person refuses.
    Told(
        "ana",
        "return",
        ("I want to return the suitcase from order {order}.", "The time for that is over, sorry.", "Oh no."),
        DELIVERED | {"age": "old", "delivery": "signed", "use": "unused"},
    ),
    # It can be returned, and the person says how.
    Told(
        "bo",
        "return",
        (
            "I want to return the suitcase from order {order}, I have not used it.",
            "You can return it within the time on our page; the label is there as well.",
            "Thank you!",
        ),
        RETURNED | {"use": "unused"},
    ),
    # The desk gives money, which no tool of the world can.
    Told(
        "cy",
        "compensation",
        (
            "The parcel of order {order} came a week late. I want something for my trouble.",
            ("refund", {"amount": "40.00"}),
            "We have refunded you $40.",
            "That is kind.",
        ),
        DELIVERED | {"packing": "as_ordered"},
    ),
    # Whether a photo was shown is not known, and it decides.
    Told(
        "ana",
        "damage",
        (
            "The zip of the case in order {order} is broken, please replace it.",
            "I will send you a replacement. Is that all right?",
            "Yes please.",
            ("replace", {}),
            "Sent.",
        ),
        {"stage": "delivered"},
    ),
    # Nothing is known of its order. What it says is markup.
    Told(
        "bo",
        "status",
        (f"Where is my parcel? {HOSTILE}", f"It is on its way. {HOSTILE}", "Thank you."),
        has_order=False,
    ),
    # The map leaves it out.
    Told("cy", "status", ("Hello?", "Hello!"), has_order=False, more={"left_out": "spam"}),
    # An act that the map does not have.
    Told("cy", "cancel", ("Please cancel order {order}.", ("bless", {}), "Done.")),
)


def raw_tickets(told: Sequence[Told] = WEEK) -> list[RawTicket]:
    """The tickets as the desk would export them."""
    return [_raw(number, one) for number, one in enumerate(told, start=1)]


def _raw(number: int, told: Told) -> RawTicket:
    at, order = datetime(2024, 3, 4, 9, tzinfo=UTC) + timedelta(days=number), f"#{1100 + number}"
    customer = TicketPerson("customer", f"Nell Okafor{number}", (f"nell{number}@mail.example",))
    events = []
    is_customer = True
    for minute, one in enumerate(told.said):
        when = at + timedelta(minutes=minute)
        if isinstance(one, tuple):
            events.append(TicketEvent("human", "act", at=when, person=1, act=TicketAct(*one)))
            continue
        text = one.replace("{order}", order)
        files = ("wheel.jpg",) if "here is a photo" in text else ()
        if is_customer:
            events.append(TicketEvent("customer", "message", text, when, 0, attachments=files))
        else:
            events.append(TicketEvent("human", "message", text, when, 1))
        is_customer = not is_customer
    ticket = SupportTicket(f"id-{number}", "zendesk", tuple(events), (customer, PEOPLE[told.who]))
    return RawTicket(ticket, (f"TK-{number}", order), f"tickets.json, {number}")


def desk_map(folder: Path, told: Sequence[Told] = WEEK) -> dict[str, Any]:
    """What is known of the tickets of an import of them, as the file has it."""
    return {
        "acts": ACTS,
        "tickets": {
            ticket.id: {
                "request": one.request,
                **({"subject": _order_of(ticket)} if one.has_order else {}),
                "arguments": {"line": 1} if one.has_order else {},
                "facts": one.facts,
                **one.more,
            }
            for ticket, one in zip(read_import(folder), told, strict=True)
        },
    }


def _order_of(ticket: SupportTicket) -> str:
    """The number of the order, as the pseudonymised ticket has it."""
    (number,) = set(re.findall(r"#\d+", ticket.opening))
    return str(number)


def imported(folder: Path, told: Sequence[Told] = WEEK) -> Path:
    """An import of these tickets, with its map beside it: `FOLDER.yaml`."""
    write_import(lambda: iter(raw_tickets(told)), folder, KEY, source="zendesk")
    folder.with_suffix(".yaml").write_text(yaml.safe_dump(desk_map(folder, told), sort_keys=False))
    return folder


AGENTS = ("shadow_agents:Giver", "shadow_agents:Doubter")


def played(folder: Path) -> Path:
    """A folder in which both agents have resumed them: `out`, beside the import `tickets`."""
    folder.mkdir()
    imported(folder / "tickets")
    words = ("tickets", "resume", "tickets", *AGENTS, "--map", "tickets.yaml", "-o", "out", "--yes")
    done = sab(*words, "--customer", "scripted", "--display", "plain", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "printed.txt").write_text(done.stdout + done.stderr)
    return folder
