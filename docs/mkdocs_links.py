"""A hook of MkDocs: a link to a file outside of `docs/` becomes plain words on the site."""

import re
from typing import Any

_LINK = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?P<path>(?:src|tests|bench)/[^)#]*|[A-Z]+\.md)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with the words of such links in their place."""
    return _LINK.sub(r"\1", markdown)
