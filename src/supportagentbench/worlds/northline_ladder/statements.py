"""What the statements of this policy stand for in one case."""

from collections.abc import Callable
from typing import Any

from supportagentbench.world.kit import Situation, literally
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
"""The wordings that a placeholder of `tell` or `withhold` stands for."""