"""Statements: the wordings in one case for the placeholders of this policy."""

from collections.abc import Callable
from typing import Any

from supportagentbench.world.kit import Situation, literally
from supportagentbench.worlds.northline.requests import WORDS as NORTHLINE_WORDS
from supportagentbench.worlds.northline.statements import TELLS as NORTHLINE

from .lookups import LadderFile


def _file(now: Situation) -> LadderFile:
    file: LadderFile = now.seen.file
    return file


def _goods(now: Situation, store: Any) -> list[str]:
    return [literally(line.name) for line in _file(now).lines]


TELLS: dict[str, Callable[[Situation, Any], list[str]]] = {
    **NORTHLINE,
    "street": lambda now, store: [literally(_file(now).address.street)],
    "phone": lambda now, store: [literally(_file(now).phone)],
    "email": lambda now, store: [literally(_file(now).email)],
    "goods": _goods,
}
"""The wordings for each placeholder of `tell` or `withhold`."""


def _known(now: Situation) -> str:
    """What the record does show about an order's journey."""
    parcels = [f"{one.tracking} with {one.carrier}" for one in _file(now).parcels]
    return f"it has shipped, tracking number {' and '.join(parcels)}" if parcels else "it has not shipped yet"


WORDS: dict[str, Callable[[Situation], str]] = {**NORTHLINE_WORDS, "known": _known}
"""Values for the placeholders in the oracle's sentences."""
