"""Hooks of MkDocs: what differs between a page on a code host and the same page on the site."""

import re
from typing import Any

_LINK = re.compile(
    r"\[([^\]]+)\]\((?:\.\./)+(?P<path>(?:src|studies|tests|bench)/[^)#]*|[A-Z]+\.md)(?:#[^)]*)?\)"
)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page without links to files outside of `docs/`: the site has no such files, only their names."""
    return _LINK.sub(r"\1", markdown)


def on_page_content(html: str, **_: Any) -> str:
    """The page with wide parts that can be scrolled by keyboard, and no empty heads of columns."""
    html = html.replace("<th></th>", "<td></td>")
    return re.sub(r"<(pre|table)>", r'<\1 tabindex="0">', html)
