"""Placeholders: a real ticket's words as the text of a case, for any seed.

Days become days from today; every other word stays as the person approved it.
"""

import re
from collections.abc import Mapping
from datetime import date

from supportagentbench.tickets.dates import dates_in

SHORTEST = 3
"""Characters of what is replaced; anything shorter is in other words by chance."""
FURTHEST = 400
"""Days from today; a day that is further away stays as it is written."""


def with_placeholders(text: str, words: Mapping[str, str], today: date | None = None) -> str:
    """The text with `{order}` in place of the ticket's own number, and so on."""
    text = text.translate({ord("{"): "(", ord("}"): ")"})
    if today:
        text = _with_days(text, today)
    names = {value.casefold(): name for name, value in words.items() if len(value) >= SHORTEST}
    if not names:
        return text
    any_of = "|".join(re.escape(value) for value in sorted(names, key=lambda value: -len(value)))
    pattern = re.compile(rf"(?<!\w)(?:{any_of})(?!\w)", re.IGNORECASE)
    return pattern.sub(lambda found: f"{{{names[found[0].casefold()]}}}", text)


def _with_days(text: str, today: date) -> str:
    for found in sorted(dates_in(text, year=today.year), key=lambda one: -one.start):
        days = (found.day - today).days
        if abs(days) <= FURTHEST:
            end = found.end - (text[found.end - 1] == ".")  # Of the sentence.
            text = f"{text[: found.start]}{{day{days:+}}}{text[end:]}"
    return text
