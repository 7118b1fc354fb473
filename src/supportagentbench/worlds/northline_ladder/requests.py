"""Requests: Northline's, and those that no tool answers."""

from typing import Any

from supportagentbench.world.kit import Hearing, Wish
from supportagentbench.worlds.northline.hearing import arguments as northline_arguments
from supportagentbench.worlds.northline.requests import REQUESTS as NORTHLINE
from supportagentbench.worlds.northline.requests import request_words as northline_words
from supportagentbench.worlds.northline.rows import Books

from .about import CONCERNS, UNKNOWNS, about_in

REQUESTS = {
    **NORTHLINE,
    "unknown": "I would like to know about {about}.",
    "concern": "I am writing about {about}.",
}
"""Every kind of request, in unmistakable words."""


def request_words(store: Books, order: str, wish: Wish) -> dict[str, str]:
    """The values of a request's placeholders."""
    about = (UNKNOWNS | CONCERNS).get(str(wish.needs.get("about", "")), "")
    return northline_words(store, order, wish) | {"about": about}


def arguments(hearing: Hearing) -> dict[str, Any]:
    """The arguments that the customer's words name."""
    if hearing.request in ("unknown", "concern"):
        about = next((name for text in reversed(hearing.texts) if (name := about_in(text))), "")
        return {"about": about} if about else {}
    return northline_arguments(hearing)
