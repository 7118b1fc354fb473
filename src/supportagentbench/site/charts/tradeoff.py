"""Trade-off: needless handovers against unsafe actions, with likely ranges; those to use are named first."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from markupsafe import Markup

from supportagentbench.board.dominance import error, error_range
from supportagentbench.board.recommendation import BoardRecommendation
from supportagentbench.board.recommendation_words import chart_title
from supportagentbench.records.board import AgentResults, Interval, Look
from supportagentbench.site.charts.chart_svg import SHAPES, line_between, text_at
from supportagentbench.site.charts.layout import LETTER, LINE, Box
from supportagentbench.site.number import interval_text, percent, plain, value_text

ACROSS, UP = "over_escalation", "unsafe"
LEFT, RIGHT, TOP, BOTTOM = 40.0, 12.0, 26.0, 42.0
"""Room around the plane for the axes."""

BOLD = 1.15 * LETTER
"""Width of a letter of a name."""

LONGEST_NAME = 24
"""The most letters of a name that are shown; the mark's description has the full name."""

WITHIN = "below both limits, as measured"

CROWD = 10
"""With more agents, only those to use have a name and a range."""

INSET = 15.0
"""The gap between an axis and its first value, so that a mark at 0 covers no label."""


class TradeoffMark(NamedTuple):
    """An agent on the plane."""

    agent: AgentResults
    x: float
    y: float
    x_ends: tuple[float, float] | None
    y_ends: tuple[float, float] | None
    is_listed: bool
    label: tuple[float, float, str, str] | None = None
    """Where its name begins or ends, which of the two, and the name; None: no room."""


class Plane(NamedTuple):
    """Two shares as x and y, both growing from the lower left corner."""

    width: float
    height: float
    most_across: float
    most_up: float

    def x(self, share: float) -> float:
        inner = self.width - LEFT - RIGHT - INSET
        return LEFT + INSET + inner * min(share / self.most_across, 1.0)

    def y(self, share: float) -> float:
        inner = self.height - TOP - BOTTOM - INSET
        return TOP + inner * (1 - min(share / self.most_up, 1.0))


def tradeoff_title(found: BoardRecommendation) -> str:
    """How many agents keep every limit, which is what the headline says, too."""
    return chart_title(found)


def tradeoff_plots(
    found: BoardRecommendation, slugs: Mapping[str, str], names: Mapping[str, str], *, is_linked: bool
) -> list[Markup]:
    """The chart for a wide and a narrow page; nothing if there is no agent to draw."""
    agents = [one.agent for one in found.contenders if _is_drawn(one.agent)]
    if not agents:
        return []
    sizes = {"wide": (540.0, 420.0), "narrow": (340.0, 330.0)}
    return [
        _svg(_plane(agents, found.limits, *size), agents, found, slugs, names, kind, is_linked)
        for kind, size in sizes.items()
    ]


def _is_drawn(agent: AgentResults) -> bool:
    return error(agent, ACROSS) is not None and error(agent, UP) is not None


def _plane(agents: Sequence[AgentResults], limits: Mapping[str, float], width: float, height: float) -> Plane:
    """Room for every mark and for the limits; ranges may be cut off."""

    def most(metric: str) -> float:
        reach = max(1.1 * max(error(agent, metric) or 0.0 for agent in agents), 1.5 * limits.get(metric, 0.0))
        return min(1.0, ceil(20 * reach) / 20)

    return Plane(width, height, most(ACROSS), most(UP))


def _marks(
    plane: Plane, agents: Sequence[AgentResults], found: BoardRecommendation, names: Mapping[str, str]
) -> Iterator[TradeoffMark]:
    """Every agent placed, with names where they fit, those to use first."""
    places = {
        one.name: (plane.x(error(one, ACROSS) or 0.0), plane.y(error(one, UP) or 0.0)) for one in agents
    }
    taken = [Box(x - 5, y - 5, x + 5, y + 5) for x, y in places.values()]
    taken += [_word_box(plane, found.limits)] if found.limits.keys() >= {ACROSS, UP} else []
    usable = {one.agent.name for one in found.usable}
    for agent in sorted(agents, key=lambda agent: agent.name not in usable):
        (x, y), is_listed = places[agent.name], agent.name in usable
        if not is_listed and len(agents) > CROWD:
            yield TradeoffMark(agent, x, y, None, None, is_listed)
            continue
        across, up = error_range(agent, ACROSS), error_range(agent, UP)
        yield TradeoffMark(
            agent,
            x,
            y,
            (plane.x(across.low), plane.x(across.high)) if across else None,
            (plane.y(up.low), plane.y(up.high)) if up else None,
            is_listed,
            _label(plane, x, y, names[agent.name], is_listed, taken),
        )


def _word_box(plane: Plane, limits: Mapping[str, float]) -> Box:
    x, y = plane.x(limits[ACROSS]), plane.y(limits[UP])
    return Box(x - LETTER * len(WITHIN), y - LINE, x, y)


def _label(
    plane: Plane, x: float, y: float, name: str, is_listed: bool, taken: list[Box]
) -> tuple[float, float, str, str] | None:
    """The first free spot for a name, which is then taken."""
    text = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    wide = BOLD * len(text)
    for at, base, anchor in _spots(x, y, is_listed):
        left = at - wide if anchor == "end" else at
        box = Box(left, base - LINE + 3, left + wide, base + 3)
        inside = box.left >= LEFT and box.right <= plane.width and box.top >= TOP - 8
        if inside and box.bottom <= plane.height - BOTTOM and not any(map(box.meets, taken)):
            taken.append(box)
            return at, base, anchor, text
    return None


def _spots(x: float, y: float, is_listed: bool) -> Iterator[tuple[float, float, str]]:
    """Possible spots for a name, the nearest first; an agent to use gets more of them."""
    for lines in (0, 0.5, -0.5, -1, 1, -2, 2, -3, 3) if is_listed else (0, 0.5, -0.5, -1, 1):
        yield x + 10, y + 4 + lines * LINE, "start"
        yield x - 10, y + 4 + lines * LINE, "end"


def _svg(
    plane: Plane,
    agents: Sequence[AgentResults],
    found: BoardRecommendation,
    slugs: Mapping[str, str],
    names: Mapping[str, str],
    kind: str,
    is_linked: bool,
) -> Markup:
    marks = sorted(_marks(plane, agents, found, names), key=lambda mark: (mark.is_listed, mark.x))
    parts = [*_frame(plane, found.limits), *(_mark(one, slugs, is_linked) for one in marks)]
    shell = '<svg class="plot tradeoff {}" role="group" aria-label="{}" viewBox="0 0 {} {}">{}</svg>'
    words = "Needless handovers against unsafe actions; arrow keys move between agents"
    return Markup(shell).format(kind, words, plain(plane.width), plain(plane.height), Markup("").join(parts))


def _frame(plane: Plane, limits: Mapping[str, float]) -> Iterator[Markup]:
    left, right, top, bottom = LEFT, plane.width - RIGHT, TOP, plane.height - BOTTOM
    if ACROSS in limits and UP in limits:
        x, y = plane.x(limits[ACROSS]), plane.y(limits[UP])
        shell = '<rect class="zone good" x="{}" y="{}" width="{}" height="{}"/>'
        yield Markup(shell).format(plain(left), plain(y), plain(x - left), plain(bottom - y))
        yield text_at(x, y - 4, WITHIN, "end muted")
    for share in _ticks(plane.most_up):
        yield line_between("rule", left, plane.y(share), right, plane.y(share))
        yield text_at(left - 6, plane.y(share) + 4, percent(share, 1), "end muted")
    for share in _ticks(plane.most_across):
        yield text_at(plane.x(share), bottom + 16, percent(share, 1), "muted")
    yield line_between("rule", left, top, left, bottom)
    yield text_at(right, bottom + 34, "solvable tickets handed over →", "end muted")
    yield text_at(4, 14, "↑ traps with an unsafe action", "start muted")


def _ticks(most: float) -> Iterator[float]:
    step = next(size for size in (0.05, 0.1, 0.2, 0.25) if most / size <= 6)
    yield from (number * step for number in range(int(most / step + 1e-9) + 1))


def _mark(mark: TradeoffMark, slugs: Mapping[str, str], is_linked: bool) -> Markup:
    agent, parts = mark.agent, []
    look: Look = agent.safety.look if agent.safety else "none"
    states = {"open": agent.safety is not None and agent.safety.is_open, "minor": not mark.is_listed}
    if mark.x_ends and mark.y_ends:
        across, up = map(plain, mark.x_ends), map(plain, mark.y_ends)
        cross = "M{} {y}H{}M{x} {}V{}".format(*across, *up, x=plain(mark.x), y=plain(mark.y))
        parts.append(Markup('<path class="span" d="{}"/>').format(cross))
    shape = '<path class="shape" d="{}" transform="translate({} {})"/>'
    parts.append(Markup(shape).format(SHAPES[look], plain(mark.x), plain(mark.y)))
    if mark.label:
        x, y, anchor, name = mark.label
        parts.append(text_at(x, y, name, anchor))
    kind = " ".join(("mk", look, *(name for name, holds in states.items() if holds)))
    inside, slug = Markup("").join(parts), slugs[agent.name]
    if is_linked:
        shell = '<a href="agents/{}.html" class="{}" data-a="{}" aria-label="{}">{}</a>'
        return Markup(shell).format(slug, kind, slug, _said(agent), inside)
    shell = '<g role="img" class="{}" data-a="{}" aria-label="{}">{}</g>'
    return Markup(shell).format(kind, slug, _said(agent), inside)


def _said(agent: AgentResults) -> str:
    parts = []
    for metric, words in ((UP, "unsafe actions"), (ACROSS, "needless handovers")):
        found = agent.of(metric)
        span: Interval | None = error_range(agent, metric)
        likely = f", likely {interval_text(metric, span, found.n)}" if found and span else ""
        parts.append(f"{words} {value_text(found)}{likely}")
    return f"{agent.name}: {'; '.join(parts)}."
