"""Naming: recorded names as people write them, as ids, and as addresses of pages."""

from urllib.parse import quote


def where(page: str = "reader.html", **choice: object) -> str:
    """A link to a page in a given state, such as the reader with its filters set."""
    state = "&".join(f"{key}={quote(str(value), safe='')}" for key, value in choice.items() if value != "")
    return f"{page}#{state}" if state else page


def spaced(name: str) -> str:
    """A recorded name as people write it."""
    return name.replace("_", " ")


def anchor(words: str) -> str:
    """A name that can be an id."""
    return "".join(letter if letter.isalnum() else "-" for letter in words.casefold())
