"""Layout: places agents as marks on a plane. A mark never leaves its tier or its value."""

from collections import defaultdict
from collections.abc import Iterator
from math import ceil, floor, log10
from typing import NamedTuple

from supportagentbench.board.badges import MANY, TIERS, ZONES, Zone
from supportagentbench.records.board import Look
from supportagentbench.site.number import money

UNKNOWN = "cost unknown"
"""The column of agents whose cost is unknown."""

BESIDE = 100.0
"""Room for the words of the zones."""

TALLEST = 640.0
"""Length of the value axis, unless labels need more room."""

LETTER, LINE, HALF = 6.8, 13.0, 6.0
"""Width of a letter, height of a label's line, half the width of a mark; generous, so that none touch."""


class Point(NamedTuple):
    """An agent to draw: its unsafe actions in a run, and its cost."""

    slug: str
    name: str
    value: float
    """Unsafe actions over all runs, scaled to one."""
    of: int
    """Traps per run."""
    tier: str
    """A cost tier, or `UNKNOWN`."""
    cost: float | None = None
    low: float | None = None
    high: float | None = None
    look: Look = "none"
    is_open: bool = False
    """Whether its word spans several: drawn as an outline."""
    is_picked: bool = False
    is_partial: bool = False
    href: str = ""
    said: str = ""
    """Everything the mark shows, in a sentence."""


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
    """A name next to its mark; `is_far` if a line has to connect the two."""

    text: str
    x: float
    y: float
    box: Box
    is_far: bool = False
    anchor: str = ""
    """Which part of the text is at x: `start`, `end`, or the middle if empty."""


class ChartMark(NamedTuple):
    """A placed point."""

    point: Point
    x: float
    y: float
    label: ChartLabel

    @property
    def box(self) -> Box:
        return _around(self.x, self.y)


class Panel(NamedTuple):
    """The area of one tier, or of the whole cost axis."""

    title: str
    about: str
    low: float
    high: float


class Plot(NamedTuple):
    """A chart, laid out."""

    width: float
    height: float
    zero: float
    """The position of 0 on the value axis."""
    unit: float
    """The length of one unsafe action on the axis."""
    most: float
    """The value at the end of the axis."""
    panels: tuple[Panel, ...]
    marks: tuple[ChartMark, ...]
    ticks: tuple[tuple[float, str], ...] = ()
    """Labels of the cost axis, if costs are measured."""
    is_strip: bool = False
    """Whether values run to the right, with tiers below each other and one line per agent."""
    zones: tuple[Zone, ...] = ZONES

    @property
    def traps(self) -> int:
        return max((mark.point.of for mark in self.marks), default=0)

    @property
    def values(self) -> range:
        """The values labelled on the axis: at most two dozen."""
        return range(0, int(self.most) + 1, 1 if self.most < 24 else 5 if self.most < 120 else 20)

    def at(self, value: float) -> float:
        return self.zero + value * self.unit


class _Seat(NamedTuple):
    """The horizontal position of a point, and the limits of its label."""

    point: Point
    x: float
    low: float
    high: float


def tier_plot(points: list[Point], width: float = 1000.0) -> Plot:
    """Tiers side by side, unsafe actions downwards; agents of one tier and value are side by side."""
    panels = _columns(points, width - 110)
    seats = [seat for panel in panels for seat in _seated(panel, points)]
    return _upright(seats, panels, panels[-1].high + BESIDE)


def cost_plot(points: list[Point], width: float = 1000.0) -> Plot:
    """The same chart over measured cost, on a logarithmic scale."""
    costs = [point.cost for point in points if point.cost]
    lowest, highest = (floor(log10(min(costs))), ceil(log10(max(costs)))) if costs else (0, 1)
    highest = max(highest, lowest + 1)
    unknown = [point for point in points if not point.cost]
    left, right = 34.0, width - BESIDE - (110 if unknown else 0)

    def at(cost: float) -> float:
        return left + (right - left) * (log10(cost) - lowest) / (highest - lowest)

    panels = [Panel("", "measured dollars per 1,000 conversations", left, right)]
    seats = [_Seat(point, at(point.cost), left, right) for point in points if point.cost]
    if unknown:
        panels.append(Panel(UNKNOWN, "", right, right + 110))
        seats += _seated(panels[-1], [point._replace(tier=UNKNOWN) for point in unknown])
    ticks = tuple((at(10.0**power), money(10.0**power)) for power in range(lowest, highest + 1))
    return _upright(seats, tuple(panels), panels[-1].high + BESIDE, ticks)


def strip_plot(points: list[Point], width: float = 360.0) -> Plot:
    """For a narrow page: tiers below each other, unsafe actions to the right, one line per agent."""
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
    zero = left + 0.35 * unit
    return Plot(width, top + 6, zero, unit, most, tuple(panels), tuple(marks), is_strip=True)


def _beside(point: Point, x: float, y: float, width: float) -> ChartLabel:
    room = max(width - x, x) - 20
    text = _cut(point.name, room)
    wide = LETTER * len(text)
    if width - x - 20 >= wide:
        return ChartLabel(text, x + 13, y + 4, Box(x + 11, y - 6, x + 13 + wide, y + 7), anchor="start")
    return ChartLabel(text, x - 13, y + 4, Box(x - 13 - wide, y - 6, x - 11, y + 7), anchor="end")


def _most(points: list[Point]) -> float:
    """The end of the value axis: half a step beyond the last mark, with all three zones visible."""
    shown = ceil(MANY * max((point.of for point in points), default=0))
    return max(shown, ceil(max((point.value for point in points), default=0))) + 0.7


def _ordered(points: list[Point]) -> list[Point]:
    return sorted(points, key=lambda point: (point.value, point.name, point.slug))


def _titles(points: list[Point]) -> list[str]:
    """All tiers, even empty ones, then unknown cost; only the latter if every cost is unknown."""
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
    """One column per tier, wider where more marks are side by side."""
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
    """Every agent of a tier at its own value, evenly spaced where several share it."""
    by_value: dict[float, list[Point]] = defaultdict(list)
    for point in _ordered(points):
        if point.tier == panel.title:
            by_value[point.value].append(point)
    for group in by_value.values():
        step = (panel.high - panel.low) / len(group)
        for number, point in enumerate(group):
            yield _Seat(point, panel.low + (number + 0.5) * step, panel.low + 3, panel.high - 3)


def _upright(
    seats: list[_Seat],
    panels: tuple[Panel, ...],
    width: float,
    ticks: tuple[tuple[float, str], ...] = (),
) -> Plot:
    """As compact as possible while no labels touch."""
    most = _most([seat.point for seat in seats])
    unit = min(46.0 if most <= 10 else 30.0, TALLEST / most)
    while (marks := _labelled(seats, most, unit)) is None:
        unit += 6
    zero = _zero(unit)
    return Plot(width, zero + most * unit + 46, zero, unit, most, panels, tuple(marks), ticks)


def _zero(unit: float) -> float:
    """The position of 0, with room for labels above it."""
    return 26 + 0.55 * unit


def _labelled(seats: list[_Seat], most: float, unit: float) -> list[ChartMark] | None:
    """Every placed point with its label; None if one does not fit at this scale."""
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
    """Positions for a label, the nearest first, none closer to another value than to its own."""
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
    """A name that fits; the mark's description has it in full."""
    letters = max(3, int(room / LETTER))
    return name if len(name) <= letters else f"{name[: letters - 1]}…"


def _around(x: float, y: float) -> Box:
    return Box(x - HALF - 4, y - HALF - 4, x + HALF + 4, y + HALF + 4)
