"""Naming: turns recorded names into readable text, ids and page addresses."""

from urllib.parse import quote


def where(page: str = "reader.html", **choice: object) -> str:
    """A link to a page in a given state, such as the reader with its filters set."""
    state = "&".join(f"{key}={quote(str(value), safe='')}" for key, value in choice.items() if value != "")
    return f"{page}#{state}" if state else page


def opened(**conversation: object) -> str:
    """What to add to a link that lists conversations, so that one of them is open."""
    return "".join(f"&{key}={quote(str(value), safe='')}" for key, value in conversation.items())


def spaced(name: str) -> str:
    """A recorded name with spaces."""
    return name.replace("_", " ")


def anchor(words: str) -> str:
    """A name in a form that can be an id."""
    return "".join(letter if letter.isalnum() else "-" for letter in words.casefold())
