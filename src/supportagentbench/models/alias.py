"""Alias: whether the name that a server answers under means the model that it was asked for."""

import re
from functools import lru_cache

LONGEST_NAME = 100
"""Characters of a model's name that are kept, whatever a server calls itself."""

_ROUTE = re.compile(r":(?:latest|free|nitro|floor|online|exacto)$")
"""How a router or a local server serves a model, not which one; `:8b` is part of the name."""
_DATE = re.compile(r"[-@](?:latest|(20\d{6}|20\d\d-\d\d-\d\d|\d{4}|\d\d-\d\d|00\d))$")
"""The snapshot at the end of a name, or the word for the newest one."""


@lru_cache(1024)
def is_same_model(asked: str, answered: str) -> bool:
    """Whether both names mean one model: a name without a date means any snapshot of it."""
    (name, date), (other, other_date) = _parts(asked), _parts(answered)
    return name == other and (date == other_date or not date or not other_date)


def _parts(name: str) -> tuple[str, str]:
    """The name without its maker and its route, and its date."""
    plain = _ROUTE.sub("", name.strip().casefold()).rpartition("/")[2]
    found = _DATE.search(plain)
    return (plain[: found.start()], found[1] or "") if found else (plain, "")
