"""Single: a page that is one file, with its styles in it and without a script."""

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from typing import ClassVar

from markupsafe import Markup

from supportagentbench.records.counts import counted
from supportagentbench.records.version import __version__
from supportagentbench.site.pages.page import BASE, HERE, Context, SitePage, render
from supportagentbench.site.pages.page_context import PageContext

POLICY = "default-src 'none'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'"
"""What such a page may load: its own styles, and its icon."""

STYLES = {
    "replay": ("tickets",),
    "score": ("tickets", "score"),
    "week": ("tickets", "week"),
}
"""By the kind of a page, what it adds to the styles of all."""


@dataclass(frozen=True)
class PartLink:
    """A link of the navigation to a part of the page."""

    title: str
    path: str


@dataclass(frozen=True)
class SingleFrame(PageContext):
    """What surrounds the content of such a page."""

    tag: str
    """What a reader must know before any figure; empty: nothing."""
    nav: tuple[PartLink, ...]
    style: Markup
    csp: str
    assets: dict[str, str]
    own: ClassVar = ""
    version: ClassVar = __version__
    counted: ClassVar = staticmethod(counted)


def single_page(page: SitePage[Context], nav: tuple[PartLink, ...], tag: str = "", rules: str = "") -> bytes:
    """The page as it is written. `rules`: styles of this page alone."""
    kind = page.template.partition(".")[0]
    static = HERE / "static"
    parts = [(static / f"{part}.css").read_text() for part in (*BASE, *STYLES[kind])]
    style = "\n".join([*parts, rules])
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    icon = b64encode((static / "icon.svg").read_bytes()).decode()
    frame = SingleFrame(
        tag, nav, Markup(style), POLICY.format(digest), {"icon.svg": f"data:image/svg+xml;base64,{icon}"}
    )
    return render(page, frame).encode()
