"""Charts: points become marks on a plane, and marks become SVG. A mark never leaves its tier or its value."""

from collections import defaultdict
from collections.abc import Iterator
from math import ceil, floor, log10
from typing import NamedTuple

from markupsafe import Markup

from supportagentbench.board.badges import BANDS, TIERS, band_counts
from supportagentbench.language.counts import counted
from supportagentbench.records.board import Band
from supportagentbench.site.number import money, plain

UNKNOWN = "cost unknown"
"""The column of those whose cost nobody knows."""

LETTER, LINE, HALF = 6.8, 13.0, 6.0
"""Width of a letter, height of a line of a label, half the width of a mark; generous, so that none touch."""


class Point(NamedTuple):
    """An agent to be drawn: its unsafe actions, and what it costs."""

    slug: str
    name: str
    value: float
    """Unsafe actions in the median run."""
    of: int
    """Traps per run."""
    tier: str
    """A cost tier, or `UNKNOWN`."""
    cost: float | None = None
    low: float | None = None
    high: float | None = None
    band: Band | None = None
    is_open: bool = False
    """Whether its band is in doubt: drawn as an outline."""
    is_picked: bool = False
    is_partial: bool = False
    href: str = ""
    said: str = ""
    """All that the mark stands for, in a sentence."""


class Box(NamedTuple):
    """A rectangle that a mark or a label covers."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


class ChartLabel(NamedTuple):
    """A name beside its mark; `is_far` if it takes a line to see whose it is."""

    text: str
    x: float
    y: float
    box: Box
    is_far: bool = False
    anchor: str = ""
    """Which end of the text stands at x: `start`, `end`; the middle if empty."""


class ChartMark(NamedTuple):
    """A point in its place."""

    point: Point
    x: float
    y: float
    label: ChartLabel

    @property
    def box(self) -> Box:
        return _around(self.x, self.y)


class Panel(NamedTuple):
    """The room of one tier, or of the whole cost axis."""

    title: str
    about: str
    low: float
    high: float


class Plot(NamedTuple):
    """A chart, laid out."""

    width: float
    height: float
    zero: float
    """Where a value of 0 lies along the axis of values."""
    unit: float
    """How far one more unsafe action is."""
    most: float
    """The value at the end of the axis."""
    panels: tuple[Panel, ...]
    marks: tuple[ChartMark, ...]
    ticks: tuple[tuple[float, str], ...] = ()
    """Of the cost axis, where it is measured."""
    is_strip: bool = False
    """Values run to the right and tiers lie below each other, a line an agent."""

    @property
    def traps(self) -> int:
        return max((mark.point.of for mark in self.marks), default=0)

    def at(self, value: float) -> float:
        return self.zero + value * self.unit


class _Seat(NamedTuple):
    """Where a point stands across, and how far its label may reach."""

    point: Point
    x: float
    low: float
    high: float


def tier_plot(points: list[Point], width: float = 1000.0) -> Plot:
    """Tiers side by side, unsafe actions downwards; those of one tier and value stand side by side."""
    panels = _columns(points, width - 110)
    seats = [seat for panel in panels for seat in _seated(panel, points)]
    return _upright(seats, panels, panels[-1].high + 82)


def cost_plot(points: list[Point], width: float = 1000.0) -> Plot:
    """The same over measured cost, each power of ten as wide as the next."""
    costs = [point.cost for point in points if point.cost]
    lowest, highest = (floor(log10(min(costs))), ceil(log10(max(costs)))) if costs else (0, 1)
    highest = max(highest, lowest + 1)
    unknown = [point for point in points if not point.cost]
    left, right = 34.0, width - 82 - (110 if unknown else 0)

    def at(cost: float) -> float:
        return left + (right - left) * (log10(cost) - lowest) / (highest - lowest)

    panels = [Panel("", "dollars for 1,000 conversations, measured", left, right)]
    seats = [_Seat(point, at(point.cost), left, right) for point in points if point.cost]
    if unknown:
        panels.append(Panel(UNKNOWN, "", right, right + 110))
        seats += _seated(panels[-1], [point._replace(tier=UNKNOWN) for point in unknown])
    ticks = tuple((at(10.0**power), money(10.0**power)) for power in range(lowest, highest + 1))
    return _upright(seats, tuple(panels), panels[-1].high + 82, ticks)


def strip_plot(points: list[Point], width: float = 360.0) -> Plot:
    """For a narrow page: tiers below each other, unsafe actions to the right, a line an agent."""
    most, left = _most(points), 14.0
    unit = (width - left - 10) / most
    panels, marks, top = [], [], 46.0
    for title in _titles(points):
        inside = [point for point in _ordered(points) if point.tier == title]
        bottom = top + 26 + 21 * max(1, len(inside))
        panels.append(Panel(title, _about(title), top, bottom))
        for number, point in enumerate(inside):
            x, y = left + (point.value + 0.35) * unit, top + 35 + 21 * number
            marks.append(ChartMark(point, x, y, _beside(point, x, y, width)))
        top = bottom
    return Plot(width, top + 6, left + 0.35 * unit, unit, most, tuple(panels), tuple(marks), is_strip=True)


def _beside(point: Point, x: float, y: float, width: float) -> ChartLabel:
    room = max(width - x, x) - 20
    text = _cut(point.name, room)
    wide = LETTER * len(text)
    if width - x - 20 >= wide:
        return ChartLabel(text, x + 13, y + 4, Box(x + 11, y - 6, x + 13 + wide, y + 7), anchor="start")
    return ChartLabel(text, x - 13, y + 4, Box(x - 13 - wide, y - 6, x - 11, y + 7), anchor="end")


def _most(points: list[Point]) -> float:
    """The end of the axis of values: half a step beyond the last mark, and all three bands in sight."""
    return max(6.0, ceil(max((point.value for point in points), default=0))) + 0.7


def _ordered(points: list[Point]) -> list[Point]:
    return sorted(points, key=lambda point: (point.value, point.name, point.slug))


def _titles(points: list[Point]) -> list[str]:
    """The tiers, all four even if empty; then those of unknown cost, who stand alone if all are."""
    unknown = [UNKNOWN] if any(point.tier == UNKNOWN for point in points) else []
    return unknown if len(unknown) and all(point.tier == UNKNOWN for point in points) else [*TIERS, *unknown]


def _about(title: str) -> str:
    if title == UNKNOWN:
        return "no price was recorded"
    edges = [0.0, *TIERS.values()]
    place = list(TIERS).index(title)  # type: ignore[arg-type]
    low, high = edges[place], edges[place + 1]
    if not low:
        return f"under ${high:.0f}"
    return f"${low:.0f} and more" if high == float("inf") else f"${low:.0f} to ${high:.0f}"


def _columns(points: list[Point], width: float) -> tuple[Panel, ...]:
    """A column a tier, wider where more have to stand side by side."""
    titles = _titles(points)
    crowds = {title: _crowd([one for one in points if one.tier == title]) for title in titles}
    weights = {title: 1.5 + sum(one.tier == title for one in points) for title in titles}
    needs = [
        max(width * weights[title] / sum(weights.values()), 104.0, 3.4 * HALF * crowds[title])
        for title in titles
    ]
    found, left = [], 28.0
    for title, need in zip(titles, needs, strict=True):
        found.append(Panel(title, _about(title), left, left + need))
        left += need
    return tuple(found)


def _crowd(points: list[Point]) -> int:
    values = [point.value for point in points]
    return max(map(values.count, values), default=0)


def _seated(panel: Panel, points: list[Point]) -> Iterator[_Seat]:
    """Everybody of a tier at its own value, evenly spaced where several share it."""
    by_value: dict[float, list[Point]] = defaultdict(list)
    for point in _ordered(points):
        if point.tier == panel.title:
            by_value[point.value].append(point)
    for group in by_value.values():
        step = (panel.high - panel.low) / len(group)
        for number, point in enumerate(group):
            yield _Seat(point, panel.low + (number + 0.5) * step, panel.low + 3, panel.high - 3)


def _upright(
    seats: list[_Seat], panels: tuple[Panel, ...], width: float, ticks: tuple[tuple[float, str], ...] = ()
) -> Plot:
    """As low as all labels find room without touching."""
    most = _most([seat.point for seat in seats])
    unit = 30.0 if most > 10 else 46.0
    while (marks := _labelled(seats, most, unit)) is None:
        unit += 6
    zero = _zero(unit)
    return Plot(width, zero + most * unit + 46, zero, unit, most, panels, tuple(marks), ticks)


def _zero(unit: float) -> float:
    """Where a value of 0 lies, with room for labels above it."""
    return 26 + 0.55 * unit


def _labelled(seats: list[_Seat], most: float, unit: float) -> list[ChartMark] | None:
    """Every seat with its label; None if one finds no room at this scale."""
    zero = _zero(unit)
    bottom = zero + most * unit
    taken = [_around(seat.x, zero + seat.point.value * unit) for seat in seats]
    found = []
    for seat in seats:
        y = zero + seat.point.value * unit
        label = next(
            (
                one
                for one in _candidates(seat, y, unit)
                if one.box.top >= 22 and one.box.bottom <= bottom and not any(map(one.box.meets, taken))
            ),
            None,
        )
        if label is None:
            return None
        taken.append(label.box)
        found.append(ChartMark(seat.point, seat.x, y, label))
    return found


def _candidates(seat: _Seat, y: float, unit: float) -> Iterator[ChartLabel]:
    """Places for a label, the nearest first, none nearer to another value than to its own."""
    text = _cut(seat.point.name, seat.high - seat.low)
    wide = LETTER * len(text)
    middle = min(max(seat.x, seat.low + wide / 2), seat.high - wide / 2)

    def label(x: float, base: float, is_far: bool = False) -> ChartLabel:
        return ChartLabel(text, x, base, Box(x - wide / 2, base - LINE + 3, x + wide / 2, base + 3), is_far)

    yield label(middle, y - HALF - 8)
    yield label(middle, y + HALF + LINE + 3)
    for side in (1, -1):
        x = seat.x + side * (HALF + 6 + wide / 2)
        if seat.low <= x - wide / 2 and x + wide / 2 <= seat.high:
            yield label(x, y + 4)
    for level in range(1, int(0.56 * unit / LINE)):
        yield label(middle, y - HALF - 8 - LINE * level, True)
        yield label(middle, y + HALF + LINE + 3 + LINE * level, True)


def _cut(name: str, room: float) -> str:
    """A name that fits; whole in the mark's own words."""
    letters = max(3, int(room / LETTER))
    return name if len(name) <= letters else f"{name[: letters - 1]}…"


def _around(x: float, y: float) -> Box:
    return Box(x - HALF - 4, y - HALF - 4, x + HALF + 4, y + HALF + 4)


SHAPES: dict[Band | None, str] = {
    "safe": "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0z",
    "middling": "M0-7.5L7.5 0L0 7.5L-7.5 0z",
    "reckless": "M0-7L7.5 6H-7.5z",
    None: "M-5-5H5V5H-5z",
}
RING = "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0z"

STYLE = """
svg{font:11px system-ui,"DejaVu Sans",sans-serif;color:#1a1d21;background:#fff}
text{fill:currentColor;text-anchor:middle}.edge,.muted{fill:#545b64}.start{text-anchor:start}.end{text-anchor:end}
.safe{color:#0b63a5}.middling{color:#8a5d00}.reckless{color:#b3340b}
.zone{fill:currentColor;opacity:.09}.rule{stroke:#d5d9de}.mk path{fill:currentColor;stroke:currentColor;
stroke-width:2}.mk.open path{fill:#fff}.mk .ring{fill:none!important;stroke-width:1.5}
.mk .lead{stroke:#8a8f96}.mk text{fill:#1a1d21}
.mk .span{stroke:currentColor;opacity:.45}.mk.partial .shape{fill:url(#hatch)}
"""
"""How a chart looks outside its page; on a page the page's own styles hold."""


HATCH = Markup(
    '<defs><pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path d="M1 0V4" stroke="currentColor" stroke-width="1.5"/>'
    "</pattern></defs>"
)
"""The filling of marks that rest on a part of a run; it has to stand once on the page."""


def svg(plot: Plot, kind: str, title: str) -> Markup:
    """The chart as it stands on a page."""
    return _svg(plot, Markup('class="plot {}" role="group" aria-label="{}"').format(kind, title))


def standalone(plot: Plot, title: str) -> bytes:
    """The chart as a file of its own."""
    head = Markup('xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{}"').format(title)
    links = tuple(mark._replace(point=mark.point._replace(href="")) for mark in plot.marks)
    style = Markup(f"<style>{STYLE}</style>") + HATCH
    return f"{_svg(plot._replace(marks=links), head, style)}\n".encode()


def _svg(plot: Plot, attributes: Markup, style: str = "") -> Markup:
    frame = _strip_frame(plot) if plot.is_strip else _upright_frame(plot)
    parts = Markup("").join((style, *frame, *(_mark(plot, mark) for mark in plot.marks)))
    size = f"0 0 {_n(plot.width)} {_n(plot.height)}"
    return Markup('<svg {} viewBox="{}">{}</svg>').format(attributes, size, parts)


def _axis_title(plot: Plot) -> str:
    return f"Unsafe actions in {counted(plot.traps, 'trap')}, median run · lower is better"


def _upright_frame(plot: Plot) -> Iterator[Markup]:
    """Bands, grid, and what the axes say."""
    left, right, end = plot.panels[0].low, plot.panels[-1].high, plot.at(plot.most)
    yield _text(left, 14, _axis_title(plot), "start muted")
    counts = band_counts(plot.traps)
    for band, low, high in _zones(plot):
        yield _rect(band, left, low, right - left, high - low)
        yield _text(right + 6, (low + high) / 2 + 4, f"{band} {counts[band]}", f"start edge {band}")
    for value in range(int(plot.most) + 1):
        yield _line("rule", left, plot.at(value), right, plot.at(value))
        yield _text(left - 12, plot.at(value) + 4, str(value), "muted")
    for x in [*(panel.high for panel in plot.panels[:-1]), *(tick for tick, _ in plot.ticks)]:
        yield _line("rule", x, plot.at(0) - 0.55 * plot.unit, x, end)
    for x, words in plot.ticks:
        yield _text(x, end + 15, words, "muted")
    for panel in plot.panels:
        middle = (panel.low + panel.high) / 2
        yield _text(middle, end + 16, panel.title, "tier")
        yield _text(middle, end + 32, panel.about, "muted")


def _strip_frame(plot: Plot) -> Iterator[Markup]:
    left, top, bottom = 14.0, plot.panels[0].low, plot.panels[-1].high
    yield _text(left, 12, _axis_title(plot), "start muted")
    for band, low, high in _zones(plot):
        start, stop = max(low, left), min(high, plot.width)
        yield _rect(band, start, top, stop - start, bottom - top)
    for value in range(int(plot.most) + 1):
        yield _line("rule", plot.at(value), top, plot.at(value), bottom)
        yield _text(plot.at(value), top - 8, str(value), "muted")
    for panel in plot.panels:
        yield _line("rule", left, panel.low, plot.width, panel.low)
        words = panel.title if panel.title == UNKNOWN else f"{panel.title} · {panel.about}"
        yield _text(left + 4, panel.low + 17, words, "start tier")


def _zones(plot: Plot) -> Iterator[tuple[Band, float, float]]:
    """Each band with the stretch of the axis of values it covers."""
    low = plot.zero - (0.35 if plot.is_strip else 0.55) * plot.unit
    for band, edge in BANDS.items():
        high = plot.at(min(edge * plot.traps, plot.most))
        yield band, low, high
        low = high


def _mark(plot: Plot, mark: ChartMark) -> Markup:
    point = mark.point
    states = {"open": point.is_open, "partial": point.is_partial}
    kind = " ".join(("mk", point.band or "none", *(name for name, holds in states.items() if holds)))
    parts = [_span(plot, mark), _path(SHAPES[point.band], mark.x, mark.y, "shape")]
    if point.is_picked:
        parts.append(_path(RING, mark.x, mark.y, "ring"))
    if mark.label.is_far:
        end = mark.label.box.bottom if mark.label.y < mark.y else mark.label.box.top
        parts.append(
            _line("lead", mark.x, mark.y, min(max(mark.x, mark.label.box.left), mark.label.box.right), end)
        )
    parts.append(_text(mark.label.x, mark.label.y, mark.label.text, mark.label.anchor))
    inside = Markup("").join(parts)
    if point.href:
        shell = '<a href="{}" class="{}" data-a="{}" aria-label="{}">{}</a>'
        return Markup(shell).format(point.href, kind, point.slug, point.said, inside)
    shell = '<g role="img" class="{}" data-a="{}" aria-label="{}">{}</g>'
    return Markup(shell).format(kind, point.slug, point.said, inside)


def _span(plot: Plot, mark: ChartMark) -> Markup:
    """The interval of cases like these, along the axis of values."""
    low, high = mark.point.low, mark.point.high
    if low is None or high is None:
        return Markup("")
    start, end = plot.at(low), plot.at(min(high, plot.most))
    return (
        _line("span", start, mark.y, end, mark.y)
        if plot.is_strip
        else _line("span", mark.x, start, mark.x, end)
    )


def _path(shape: str, x: float, y: float, kind: str) -> Markup:
    return Markup('<path class="{}" d="{}" transform="translate({} {})"/>').format(kind, shape, _n(x), _n(y))


def _text(x: float, y: float, words: str, kind: str = "") -> Markup:
    extra = Markup(' class="{}"').format(kind) if kind else ""
    return (
        Markup('<text{} x="{}" y="{}">{}</text>').format(extra, _n(x), _n(y), words) if words else Markup("")
    )


def _line(kind: str, x: float, y: float, to_x: float, to_y: float) -> Markup:
    return Markup('<path class="{}" d="M{} {}L{} {}"/>').format(kind, _n(x), _n(y), _n(to_x), _n(to_y))


def _rect(kind: str, x: float, y: float, width: float, height: float) -> Markup:
    shell = '<rect class="zone {}" x="{}" y="{}" width="{}" height="{}"/>'
    return Markup(shell).format(kind, _n(x), _n(y), _n(width), _n(height))


def _n(value: float) -> str:
    return plain(value)
