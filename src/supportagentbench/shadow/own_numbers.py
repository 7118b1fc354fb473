"""Own numbers: a desk map that names tickets, orders and days as the desk does, in the terms of an import.

An import has surrogates in their place, which only its project key can find again. The result has surrogates
only.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.shadow.desk_map import DeskMap, TicketFacts
from supportagentbench.tickets.import_folder import ImportRecord
from supportagentbench.tickets.project_key import key_named
from supportagentbench.tickets.pseudonyms import with_surrogates
from supportagentbench.tickets.surrogates import Surrogates
from supportagentbench.tickets.ticket_draft import raw_id


def in_terms_of_import(found: DeskMap, header: ImportRecord, tickets: Sequence[SupportTicket]) -> DeskMap:
    """The map by the ids of these tickets; a Problem if it has none of them."""
    ids = {ticket.id for ticket in tickets}
    own = {name: facts for name, facts in found.tickets.items() if name not in ids}
    if not own or (len(own) < len(found.tickets) and not header.key_name):
        return found
    known = {name: facts for name, facts in found.tickets.items() if name in ids}
    if known and not header.key_name:
        return replace(found, tickets=known)  # The others are of another import.
    key = key_named(header.key_name)
    sources = dict.fromkeys(ticket.source for ticket in tickets)
    for name, facts in own.items():
        for source in sources:
            surrogates = Surrogates(key, raw_id(source, name), header.region)
            if surrogates.ticket in ids:
                known[surrogates.ticket] = _translated(facts, surrogates)
    if not known:
        raise Problem(
            f"none of the {len(own)} tickets of the map is in the import; name them by the desk's own "
            "numbers, or by their ids in the import."
        )
    return replace(found, tickets=known)


def ticket_named(name: str, header: ImportRecord, tickets: Sequence[SupportTicket]) -> SupportTicket:
    """The ticket of this id, or of this number at the desk itself."""
    by_id = {ticket.id: ticket for ticket in tickets}
    if name not in by_id and header.key_name:
        key = key_named(header.key_name)
        sources = dict.fromkeys(ticket.source for ticket in tickets)
        found = (Surrogates(key, raw_id(source, name)).ticket for source in sources)
        name = next((one for one in found if one in by_id), name)
    if name not in by_id:
        raise Problem(f"no ticket of the import is called {name[:80]!r}.{did_you_mean(name, by_id)}")
    return by_id[name]


def _translated(facts: TicketFacts, surrogates: Surrogates) -> TicketFacts:
    """The same without the desk's own numbers and days."""
    return replace(
        facts,
        subject=surrogates.of("own", facts.subject) if facts.subject else "",
        arguments=_inner(facts.arguments, surrogates),
        details=_inner(facts.details, surrogates),
    )


def _inner(value: Any, surrogates: Surrogates, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _inner(inner, surrogates, name) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_inner(inner, surrogates, key) for inner in value]
    return with_surrogates(value, surrogates, key) if isinstance(value, str) else value
