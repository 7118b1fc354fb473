"""Chart SVG: texts and lines of a chart; every word is escaped."""

from markupsafe import Markup

from supportagentbench.site.number import plain


def text_at(x: float, y: float, words: str, kind: str = "") -> Markup:
    """Text in a chart; nothing if it is empty."""
    if not words:
        return Markup("")
    extra = Markup(' class="{}"').format(kind) if kind else ""
    return Markup('<text{} x="{}" y="{}">{}</text>').format(extra, plain(x), plain(y), words)


def line_between(kind: str, x: float, y: float, to_x: float, to_y: float) -> Markup:
    """A straight line in a chart."""
    return Markup('<path class="{}" d="M{} {}L{} {}"/>').format(
        kind, plain(x), plain(y), plain(to_x), plain(to_y)
    )
