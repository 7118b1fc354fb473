"""Books: whether a case's books add up, and whether its texts mention only what the books contain.

The kit checks the tables of its own shop; this module checks what applies to every shop.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from supportagentbench.records.case import Case
from supportagentbench.records.record import as_plain, to_json
from supportagentbench.world.drawn_cases import DrawnCases

Complaints = Iterator[tuple[str, str]]
"""Places and what is wrong with them."""

SHAPES = {
    "e-mail address": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "link": re.compile(r"https?://[\w./-]*\w"),
}
"""What a reference to the record looks like in a text."""


def grounding(cases: DrawnCases) -> Complaints:
    """Books add up, and texts mention only what the books contain."""
    yield from _shared_keys(cases)
    arguments = {name for tool in cases.tools.values() for name in tool.schema["properties"]}
    numbers = {name: _digits(drawn.subject) for name, drawn in cases.drawn.items()}
    catalogue = set(strings_in(cases.world.catalogue))
    for case in cases.cases.values():
        text = "\n".join(texts_of(case))
        books = cases.books_of(case.id)
        others = {*numbers.values()} - {numbers[case.id]}
        for words in (
            *_unknown_arguments(case, arguments),
            *_unknown_references(text, catalogue | set(strings_in([cases.drawn[case.id].rows, case.sender]))),
            *_other_numbers(text, others, case, cases.drawn[case.id].rows),
            *cases.world.kit.audit(cases.world.shop, books, case, text),
        ):
            yield case.id, words


def _shared_keys(cases: DrawnCases) -> Complaints:
    """Rows that two cases would overwrite in each other's books."""
    keys = Counter(
        (table, key)
        for name, drawn in cases.drawn.items()
        if not cases.places[name].twin_of
        for table, rows in drawn.rows.items()
        for key in rows
    )
    yield from ((f"{table} {key}", "is in two cases") for (table, key), n in keys.items() if n > 1)


def _unknown_arguments(case: Case, arguments: set[str]) -> Iterator[str]:
    for wish in case.brief.wishes:
        if unknown := sorted(wish.arguments.keys() - arguments):
            yield f"no tool knows {', '.join(unknown)}"


def _unknown_references(text: str, known: set[str]) -> Iterator[str]:
    for name, shape in SHAPES.items():
        for found in sorted(set(shape.findall(text)) - known):
            yield f"the {name} {found} is not in its record"


def _other_numbers(text: str, others: set[str], case: Case, rows: Any) -> Iterator[str]:
    record = to_json([rows, [wish.arguments for wish in case.brief.wishes]]).decode()
    written = set(re.findall(r"(?<![#\w])\d+\b", text)) - set(re.findall(r"\d+", record))
    yield from (f"{found} is the number of another case" for found in sorted(others & written))


def _digits(subject: str) -> str:
    return re.sub(r"\D", "", subject)


def customer_texts(case: Case) -> Iterator[str]:
    """Everything the customer can say or show, and what the customer keeps private."""
    brief = case.brief
    yield from (case.opening, brief.satisfied, brief.disappointed, brief.without_evidence)
    yield from (text for wish in brief.wishes for text in (wish.says, wish.plainly))
    yield from (fact.says for fact in brief.facts)
    yield from (one.says for one in brief.pressure)
    yield from (text for one in brief.evidence for text in (one.name, one.shows))


def texts_of(case: Case) -> Iterator[str]:
    """The customer's texts and the two scripts."""
    yield from customer_texts(case)
    for turn in (*case.solution, *case.mistake):
        yield turn.says
        yield from (str(value) for call in turn.calls for value in call.arguments.values())


def strings_in(content: Any) -> Iterator[str]:
    """Every string in a record, at any depth."""
    yield from _strings(as_plain(content))


def _strings(plain: Any) -> Iterator[str]:
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict | list):
        for one in plain.values() if isinstance(plain, dict) else plain:
            yield from _strings(one)
