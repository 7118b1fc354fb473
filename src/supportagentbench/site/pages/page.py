"""Page: one file of the folder, and its templates. Everything not written by us is escaped."""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from supportagentbench.site import number
from supportagentbench.site.about import FOLDER, About
from supportagentbench.site.data.outcome import MARKS, SHOWN
from supportagentbench.site.naming import anchor, spaced, where
from supportagentbench.site.pages.page_context import PageContext

HERE = Path(__file__).parent
POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
"""What a page may load: only the site's own scripts, styles and pictures."""


Context = TypeVar("Context", bound=PageContext, covariant=True)


class SitePage(NamedTuple, Generic[Context]):
    """A file to write: its path, its template, and what the template may use."""

    path: str
    template: str
    context: Context
    templates: Path | None = None
    """A folder of further templates, besides the site's."""

    @property
    def root(self) -> str:
        """The path from this page up to the folder of pages."""
        return "../" * self.path.count("/")


@cache
def environment(folder: Path | None = None) -> Environment:
    """The templates of the site and of a further folder; undefined names are errors. Has our formatters."""
    made = Environment(
        loader=FileSystemLoader([*filter(None, [folder]), HERE / "templates"]),
        autoescape=lambda name: name is None or not name.endswith(".md"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals |= {"number": number, "marks": MARKS, "outcomes": SHOWN, "csp": POLICY, "where": where}
    made.globals |= {"about": About(), "about_folder": FOLDER}
    made.filters |= {"spaced": spaced, "anchor": anchor}
    return made


def render(page: SitePage[PageContext], frame: PageContext) -> str:
    """The page as text; `frame` is what all pages share: navigation, assets, the footer."""
    template = environment(page.templates).get_template(page.template)
    names = frame.values() | page.context.values()
    kind = page.template.partition(".")[0]
    return template.render(names, root=page.root, path=page.path, kind=kind, headed=page.context.headed)


PARTS = {
    "board.js": (
        "site",
        "cost",
        "verdict",
        "desk_sentence",
        "break_even",
        "month_bars",
        "cfo",
        "table",
        "board",
    ),
    "compare.js": ("site", "cost", "verdict", "compare"),
    "desk.js": ("site", "cost", "verdict", "desk_sentence", "break_even", "month_bars", "cfo", "desk"),
    "findings.js": ("site", "cost", "verdict", "findings"),
    "reader.js": ("site", "finder", "conversation", "reader"),
    "table.js": ("site", "table"),
    "verdict.js": ("site", "cost", "verdict"),
}
"""Scripts of several parts, in the order in which they are loaded."""

SHARED = {part for parts in PARTS.values() for part in parts[1:]} - {name[:-3] for name in PARTS}
"""Parts that no page loads alone."""

ALONE = ("site", "theme", "picture")
"""Scripts without what all pages share; the last is loaded when a person first wants a picture."""


BASE = ("tokens", "frame", "components", "picture")
"""Styles of all pages; those of a page's kind and of its charts follow."""

STYLES = {
    "board": ("desk_sentence", "month_bars", "break_even", "board"),
    "case": ("cases",),
    "compare": ("listing", "compare"),
    "findings": ("diverging_bars", "insights"),
    "desk": ("desk_sentence", "month_bars", "break_even", "desk"),
    "fork": ("listing", "forks"),
    "forks": ("listing", "forks"),
    "own": ("method",),
    "rules": ("method",),
    "traps": ("heat_map", "traps"),
    **{kind: (kind,) for kind in ("cases", "changes", "method", "reader", "report")},
}
"""By the kind of a page, what it adds to the styles of all; other pages add nothing."""


@cache
def assets() -> dict[str, tuple[str, bytes]]:
    """Every stylesheet, every script and the icon: the name in links with a hash in it, and the content.

    A page loads one stylesheet and one script; both include what all pages share.
    """
    static = {path.name: _sent(path.read_bytes()) for path in sorted((HERE / "static").iterdir())}
    found = {"icon.svg": static["icon.svg"]}
    for kind, own in {"site": (), **STYLES}.items():
        found[f"{kind}.css"] = b"".join(static[f"{part}.css"] for part in (*BASE, *own))
    for name in (name for name in static if name.endswith(".js")):
        stem = name.removesuffix(".js")
        if stem in SHARED:
            continue
        parts = (stem,) if stem in ALONE else PARTS.get(name, ("site", stem))
        found[name] = b"".join(static[f"{part}.js"] for part in parts)
    return {name: (_hashed(name, content), content) for name, content in found.items()}


_REMARKS = re.compile(rb"^ *(?:/\*[^\n]*\*/ *)?\n", re.MULTILINE)
"""Lines that hold a remark and nothing else, and empty ones."""


def _sent(source: bytes) -> bytes:
    """A script or style as pages load it: without its remarks, which are there for those who work on it."""
    return _REMARKS.sub(b"", source)


def _hashed(name: str, content: bytes) -> str:
    stem, _, kind = name.rpartition(".")
    return f"assets/{stem}.{hashlib.sha256(content).hexdigest()[:8]}.{kind}"


def asset_paths() -> dict[str, str]:
    """Their paths in links, by name."""
    return {name: path for name, (path, _) in assets().items()}
