"""Chart SVG: draws a laid-out chart as SVG, for a page or as a separate file."""

from collections.abc import Iterator

from markupsafe import Markup

from supportagentbench.board.badges import Zone
from supportagentbench.records.board import Look
from supportagentbench.records.counts import counted
from supportagentbench.site.charts.layout import UNKNOWN, ChartMark, Plot
from supportagentbench.site.number import plain

SHAPES: dict[Look, str] = {
    "good": "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0z",
    "fair": "M0-7.5L7.5 0L0 7.5L-7.5 0z",
    "bad": "M0-7L7.5 6H-7.5z",
    "none": "M-5-5H5V5H-5z",
}
RING = "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0z"

STYLE = """
svg{font:11px system-ui,"DejaVu Sans",sans-serif;color:#1a1d21;background:#fff}
text{fill:currentColor;text-anchor:middle}.edge,.muted{fill:#545b64}.start{text-anchor:start}.end{text-anchor:end}
.good{color:#0b63a5}.fair{color:#8a5d00}.bad{color:#b3340b}
.zone{fill:currentColor;opacity:.09}.rule{stroke:#d5d9de}.mk path{fill:currentColor;stroke:currentColor;
stroke-width:2}.mk.open path{fill:#fff}.mk .ring{fill:none!important;stroke-width:1.5}
.mk .lead{stroke:#8a8f96}.mk text{fill:#1a1d21}
.mk .span{stroke:currentColor;opacity:.45}.mk.partial .shape{fill:url(#hatch)}
"""
"""Styles of a chart in a separate file; on a page the page's styles apply."""


HATCH = Markup(
    '<defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path d="M1 0V4" stroke="currentColor" stroke-width="1.5"/>'
    "</pattern></defs>"
)
"""The fill for marks of unfinished runs; it has to be on the page exactly once."""


def svg(plot: Plot, kind: str, title: str) -> Markup:
    """The chart for a page."""
    return _svg(plot, Markup('class="plot {}" role="group" aria-label="{}"').format(kind, title))


def standalone(plot: Plot, title: str) -> bytes:
    """The chart as a separate file."""
    head = Markup('xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{}"').format(title)
    links = tuple(mark._replace(point=mark.point._replace(href="")) for mark in plot.marks)
    style = Markup(f"<style>{STYLE}</style>") + HATCH
    return f"{_svg(plot._replace(marks=links), head, style)}\n".encode()


def _svg(plot: Plot, attributes: Markup, style: str = "") -> Markup:
    frame = _strip_frame(plot) if plot.is_strip else _upright_frame(plot)
    parts = Markup("").join((style, *frame, *(_mark(plot, mark) for mark in plot.marks)))
    size = f"0 0 {plain(plot.width)} {plain(plot.height)}"
    return Markup('<svg {} viewBox="{}">{}</svg>').format(attributes, size, parts)


def _upright_frame(plot: Plot) -> Iterator[Markup]:
    """Zones, grid and axis labels."""
    left, right, end = plot.panels[0].low, plot.panels[-1].high, plot.at(plot.most)
    yield text_at(left, 14, _title(plot), "start muted")
    for zone, low, high in _zones(plot):
        yield _rect(zone.look, left, low, right - left, high - low)
        yield text_at(right + 6, (low + high) / 2 + 4, zone.word, f"start edge {zone.look}")
    for value in plot.values:
        yield line_between("rule", left, plot.at(value), right, plot.at(value))
        yield text_at(left - 12, plot.at(value) + 4, str(value), "muted")
    for x in [*(panel.high for panel in plot.panels[:-1]), *(tick for tick, _ in plot.ticks)]:
        yield line_between("rule", x, plot.at(0) - 0.55 * plot.unit, x, end)
    for x, label in plot.ticks:
        yield text_at(x, end + 15, label, "muted")
    for panel in plot.panels:
        middle = (panel.low + panel.high) / 2
        yield text_at(middle, end + 16, panel.title, "tier")
        yield text_at(middle, end + 32, panel.about, "muted")


def _strip_frame(plot: Plot) -> Iterator[Markup]:
    left, top, bottom = 14.0, plot.panels[0].low, plot.panels[-1].high
    yield text_at(left, 12, _title(plot), "start muted")
    for zone, low, high in _zones(plot):
        start, stop = max(low, left), min(high, plot.width)
        yield _rect(zone.look, start, top, stop - start, bottom - top)
    for value in plot.values:
        yield line_between("rule", plot.at(value), top, plot.at(value), bottom)
        yield text_at(plot.at(value), top - 8, str(value), "muted")
    for panel in plot.panels:
        yield line_between("rule", left, panel.low, plot.width, panel.low)
        words = panel.title if panel.title == UNKNOWN else f"{panel.title} · {panel.about}"
        yield text_at(left + 4, panel.low + 17, words, "start tier")


def _title(plot: Plot) -> str:
    return f"Unsafe actions per {counted(plot.traps, 'trap')}, all runs · lower is better"


def _zones(plot: Plot) -> Iterator[tuple[Zone, float, float]]:
    """Each zone with the part of the axis it covers."""
    low = plot.zero - (0.35 if plot.is_strip else 0.55) * plot.unit
    for zone in plot.zones:
        high = plot.at(min(zone.edge * plot.traps, plot.most))
        yield zone, low, high
        low = high


def _mark(plot: Plot, mark: ChartMark) -> Markup:
    point = mark.point
    states = {"open": point.is_open, "partial": point.is_partial}
    kind = " ".join(("mk", point.look, *(name for name, holds in states.items() if holds)))
    parts = [_span(plot, mark), _path(SHAPES[point.look], mark.x, mark.y, "shape")]
    if point.is_picked:
        parts.append(_path(RING, mark.x, mark.y, "ring"))
    if mark.label.is_far:
        end = mark.label.box.bottom if mark.label.y < mark.y else mark.label.box.top
        parts.append(
            line_between(
                "lead", mark.x, mark.y, min(max(mark.x, mark.label.box.left), mark.label.box.right), end
            )
        )
    parts.append(text_at(mark.label.x, mark.label.y, mark.label.text, mark.label.anchor))
    inside = Markup("").join(parts)
    if point.href:
        shell = '<a href="{}" class="{}" data-a="{}" aria-label="{}">{}</a>'
        return Markup(shell).format(point.href, kind, point.slug, point.said, inside)
    shell = '<g role="img" class="{}" data-a="{}" aria-label="{}">{}</g>'
    return Markup(shell).format(kind, point.slug, point.said, inside)


def _span(plot: Plot, mark: ChartMark) -> Markup:
    """The interval for new cases, along a strip; an upright chart has no room and gives it as text."""
    low, high = mark.point.low, mark.point.high
    if low is None or high is None or not plot.is_strip:
        return Markup("")
    return line_between("span", plot.at(low), mark.y, plot.at(min(high, plot.most)), mark.y)


def _path(shape: str, x: float, y: float, kind: str) -> Markup:
    return Markup('<path class="{}" d="{}" transform="translate({} {})"/>').format(
        kind, shape, plain(x), plain(y)
    )


def text_at(x: float, y: float, words: str, kind: str = "") -> Markup:
    """Text in a chart; nothing if it is empty."""
    extra = Markup(' class="{}"').format(kind) if kind else ""
    return (
        Markup('<text{} x="{}" y="{}">{}</text>').format(extra, plain(x), plain(y), words)
        if words
        else Markup("")
    )


def line_between(kind: str, x: float, y: float, to_x: float, to_y: float) -> Markup:
    """A straight line in a chart."""
    return Markup('<path class="{}" d="M{} {}L{} {}"/>').format(
        kind, plain(x), plain(y), plain(to_x), plain(to_y)
    )


def _rect(kind: str, x: float, y: float, width: float, height: float) -> Markup:
    shell = '<rect class="zone {}" x="{}" y="{}" width="{}" height="{}"/>'
    return Markup(shell).format(kind, plain(x), plain(y), plain(width), plain(height))
