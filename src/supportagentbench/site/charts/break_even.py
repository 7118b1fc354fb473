"""Break-even: what agents cost per month against the share of customers who try to cheat.

With the rest of the mix in proportion, cost is a straight line. `break_even.js` draws the same chart for a
reader's own desk.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from markupsafe import Markup

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.desk import SupportDesk, abuse_share, crossing
from supportagentbench.board.loss import DeskSettings
from supportagentbench.board.recommendation import BoardRecommendation
from supportagentbench.board.recommendation_words import WORDS, about, in_words, listed
from supportagentbench.site.charts.chart_svg import line_between, text_at
from supportagentbench.site.number import plain

SPANS = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Where the axis of shares may end."""

NEAR = 4
"""Lines that meet at a share this many times further than the desk's are not said to meet."""

FEW = 3
"""Up to this many agents are named in a note."""

LEFT, TOP, BOTTOM = 44.0, 14.0, 44.0
"""Room around the plane for the axes."""

GAP, MOVED = 18.0, 12.0
"""Between two names, and between a name and the end of its line."""


NARROW = 100.0
"""With less room for names, they are printed smaller."""


class CostLine(NamedTuple):
    """One agent's cost per month as a line from no cheats to cheats only."""

    slug: str
    name: str
    ends: tuple[float, float]
    role: str = ""
    """`pick`, `rival`, or `rival refused` if it is not to be used; empty for all others."""

    def at(self, share: float) -> float:
        return self.ends[0] + share * (self.ends[1] - self.ends[0])


class BreakEven(NamedTuple):
    """The chart before it is drawn."""

    title: str
    note: str
    """Whether the title could be chance at this desk."""
    lines: tuple[CostLine, ...]
    """The agent to use, its rival, then the others."""
    share: float
    """The share of cheats at this desk."""
    most: float
    """Where the axis ends."""
    meets: float | None
    """The share at which pick and rival cost the same; None: at none that is shown."""

    @property
    def plots(self) -> list[Markup]:
        """The chart for a wide and a narrow page."""
        return [_svg(self, "wide", 784.0, 392.0, 144.0), _svg(self, "narrow", 358.0, 340.0, 92.0)]


class _Plane(NamedTuple):
    width: float
    height: float
    right: float
    """Room for names."""
    most: float
    top: float
    """The highest cost."""

    def x(self, share: float) -> float:
        return LEFT + (self.width - LEFT - self.right) * share / self.most

    def y(self, dollars: float) -> float:
        return self.height - BOTTOM - (self.height - BOTTOM - TOP) * dollars / self.top


def break_even(
    found: BoardRecommendation, desk: SupportDesk, settings: DeskSettings, slugs: Mapping[str, str]
) -> BreakEven | None:
    """The chart of the contenders; None if the desk has no cheats, or cheats only."""
    share, agents = abuse_share(desk.kinds, settings.mix), {one.results.name: one for one in desk.agents}
    if not 0 < share < 1:
        return None
    known = [(one.agent.name, desk.ends(agents[one.agent.name], settings)) for one in found.contenders]
    lines = [CostLine(slugs[name], name, ends) for name, ends in known if ends]
    if not lines:
        return None
    pick = next((line for line in lines if line.name == found.pick), None)
    rival, meets = _rival(pick, lines, share) if pick else (None, None)
    most = next(span for span in SPANS if span >= min(1.0, 1.1 * max(share, meets or 0.0)))
    refused = {one.agent.name for one in found.contenders if one.decision != "use"}
    roles = {pick: "pick", rival: "rival refused" if rival and rival.name in refused else "rival"}
    marked = [line._replace(role=roles.get(line, "")) for line in lines]
    marked.sort(key=lambda line: (not line.role, line.role != "pick"))
    title = _title(pick, rival, lines, most, share, meets)
    compared = [rival] if rival else [line for line in lines if line is not pick]
    tests = max(1, sum(one.is_ranked for one in desk.agents) - 1)
    return BreakEven(title, _note(found, pick, compared, tests), tuple(marked), share, most, meets)


def _note(found: BoardRecommendation, pick: CostLine | None, compared: Sequence[CostLine], tests: int) -> str:
    """Which differences no test finds at the desk, corrected as in its table."""
    gaps = [(line.name, found.gap(line.name, pick.name)) for line in compared] if pick else []
    same = [name for name, gap in gaps if gap and gap.p * tests > LEVEL]
    if not same:
        return WORDS["even measured"]
    return WORDS["even chance"].format(
        list=listed(same) if len(same) <= FEW else f"{in_words(len(same))} agents"
    )


def _rival(pick: CostLine, lines: Sequence[CostLine], share: float) -> tuple[CostLine | None, float | None]:
    """The agent whose line meets the pick's nearest to the desk's share, or that costs less everywhere."""
    reach = NEAR * max(share, SPANS[0])
    met = [(at, line) for line in lines if (at := crossing(line.ends, pick.ends)) and at <= reach]
    if met:
        at, rival = min(met, key=lambda one: abs(one[0] - share))
        return rival, at
    under = [line for line in lines if line.at(share) < pick.at(share)]
    return min(under, key=lambda line: line.at(share), default=None), None


def _title(
    pick: CostLine | None,
    rival: CostLine | None,
    lines: Sequence[CostLine],
    most: float,
    share: float,
    meets: float | None,
) -> str:
    """What the chart shows."""
    if pick and rival:
        side = "below" if rival.at(0.0) < pick.at(0.0) else "above"
        here = " here" if rival.at(share) < pick.at(share) else ""
        return WORDS["even always" if meets is None else f"even {side}{here}"].format(
            pick=pick.name,
            rival=rival.name,
            share=cheating(meets or 0.0),
            own=f"{short(100 * share)}%",
            meets=f"{short(100 * (meets or 0.0))}%",
        )
    if pick and len(lines) > 1:
        return WORDS["even never"].format(pick=pick.name, most=f"{100 * most:g}%")
    steep = max(lines, key=lambda line: line.ends[1] - line.ends[0])
    more = (steep.ends[1] - steep.ends[0]) / 100
    return WORDS["even more" if more >= 1 else "even flat"].format(dollars=about(more), rival=steep.name)


def cheating(share: float) -> str:
    """A share of customers who cheat, with its verb."""
    if share > 0.1:
        return f"{short(100 * share)}% of customers cheat"
    return f"1 customer in {floor(float(f'{1 / max(share, 1e-6):.2g}') + 0.5):,} cheats"


def short(value: float) -> str:
    """A number in two significant figures."""
    return f"{float(f'{value:.2g}'):g}"


def _svg(chart: BreakEven, kind: str, width: float, height: float, right: float) -> Markup:
    top = max((line.at(share) for line in chart.lines for share in (0.0, chart.most)), default=0.0)
    plane = _Plane(width, height, right, chart.most, max(1.04 * top, 1.0))
    parts = [*_axes(plane), *_desk(plane, chart.share)]
    parts += [_line(plane, line) for line in reversed(chart.lines)]
    parts += [*_names(plane, chart.lines), *_ring(plane, chart)]
    words = f"Cost per month against the share of customers who try to cheat. {chart.title}."
    shell = (
        '<svg class="even {}" data-even="{} {} {}" role="img" aria-label="{}" viewBox="0 0 {} {}">{}</svg>'
    )
    sizes = [plain(width), plain(height), plain(right)]
    return Markup(shell).format(kind, *sizes, words, *sizes[:2], Markup("").join(parts))


def _axes(plane: _Plane) -> Iterator[Markup]:
    end, low = plane.width - plane.right, plane.height - BOTTOM
    for dollars in ticks(plane.top):
        yield line_between("rule", LEFT, plane.y(dollars), end, plane.y(dollars))
        yield text_at(LEFT - 8, plane.y(dollars) + 4, thousands(dollars), "end")
    for percent in ticks(100 * plane.most):
        yield text_at(plane.x(percent / 100), low + 18, f"{percent:g}%", "middle")
    yield text_at((LEFT + end) / 2, plane.height - 6, "share of customers who try to cheat", "middle")


def _desk(plane: _Plane, share: float) -> Iterator[Markup]:
    x, is_late = plane.x(share), share > 0.6 * plane.most
    yield line_between("now", x, TOP, x, plane.height - BOTTOM)
    yield text_at(x + (-6 if is_late else 6), TOP + 10, "your desk", "end" if is_late else "start")


def _line(plane: _Plane, line: CostLine) -> Markup:
    ends = (plain(part) for share in (0.0, plane.most) for part in (plane.x(share), plane.y(line.at(share))))
    shell = '<path class="line {}" data-a="{}" d="M{} {}L{} {}"><title>{}</title></path>'
    return Markup(shell).format(line.role, line.slug, *ends, line.name)


def _names(plane: _Plane, lines: Sequence[CostLine]) -> Iterator[Markup]:
    """Names at the right ends: pick and rival, and all others that fit."""
    named: list[tuple[float, CostLine]] = []
    for line in lines:
        more = sorted([*named, (plane.y(line.at(plane.most)), line)], key=lambda one: one[0])
        moved = max(abs(y - at) for y, (at, _) in zip(spread([at for at, _ in more]), more, strict=True))
        if line.role or moved <= MOVED:
            named = more
    letters = int((plane.right - 8) / (8.4 if plane.right > NARROW else 7.2))
    for y, (_, line) in zip(spread([at for at, _ in named]), named, strict=True):
        name = line.name if len(line.name) <= letters else f"{line.name[: letters - 1]}…"
        yield text_at(plane.width - plane.right + 8, y + 5, name, f"name {line.role}".strip())


def spread(places: Sequence[float]) -> list[float]:
    """Sorted places, moved apart as little as leaves room for a name at each."""
    down, up = list(places), list(places)
    for before, at in pairwise(range(len(places))):
        down[at] = max(down[at], down[before] + GAP)
    for at, before in pairwise(reversed(range(len(places)))):
        up[before] = min(up[before], up[at] - GAP)
    return [(low + high) / 2 for low, high in zip(down, up, strict=True)]


def _ring(plane: _Plane, chart: BreakEven) -> Iterator[Markup]:
    """Where pick and rival cost the same."""
    if chart.meets is None:
        return
    x, y = plane.x(chart.meets), plane.y(chart.lines[0].at(chart.meets))
    is_low = y + 28 > plane.height - BOTTOM
    yield Markup('<circle class="meets" cx="{}" cy="{}" r="5"/>').format(plain(x), plain(y))
    yield text_at(x + 2, y - 14 if is_low else y + 24, f"{short(100 * chart.meets)}%", "meets")


def ticks(most: float) -> Iterator[float]:
    """Round numbers from 0 on, at most six."""
    power = 10.0 ** floor(log10(most / 5))
    step = next(size * power for size in (1, 2, 2.5, 5, 10) if most / (size * power) <= 5 + 1e-9)
    yield from (number * step for number in range(int(most / step + 1e-9) + 1))


def axis_end(most: float) -> float:
    """The first round number that is not below this, so that nothing ends beyond the last label."""
    step = [*ticks(most)][1]
    return step * ceil(most / step - 1e-9)


def thousands(dollars: float) -> str:
    """Dollars on an axis."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if dollars >= size:
            return f"${dollars / size:g}{letter}"
    return f"${dollars:g}"
