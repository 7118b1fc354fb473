"""Page: one file of the folder, and its templates. Everything not written by us is escaped."""

import hashlib
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
    return template.render(names, root=page.root, path=page.path)


PARTS = {
    "board.js": ("site", "verdict", "desk", "board"),
    "compare.js": ("site", "verdict", "desk", "compare"),
    "desk.js": ("site", "verdict", "desk"),
    "verdict.js": ("site", "verdict", "desk"),
}
"""The scripts of pages that recommend agents, in the order in which they are loaded."""


@cache
def assets() -> dict[str, tuple[str, bytes]]:
    """Every style, script and the icon: its name in links with a hash in it, and its content.

    The file of one page includes what all pages share, so that a page loads one file of each.
    """
    found = {}
    for path in sorted((HERE / "static").iterdir()):
        if path.suffix in (".css", ".js", ".svg"):
            stems = PARTS.get(path.name, ("site", path.stem))
            parts = [path] if path.stem in ("site", "theme", "icon") else [*map(path.with_stem, stems)]
            content = b"".join(part.read_bytes() for part in parts)
            digest = hashlib.sha256(content).hexdigest()[:8]
            found[path.name] = f"assets/{path.stem}.{digest}{path.suffix}", content
    return found


def asset_paths() -> dict[str, str]:
    """Their paths in links, by name."""
    return {name: path for name, (path, _) in assets().items()}
