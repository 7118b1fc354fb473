"""Share drawing: a picture for sharing as a PNG, drawn by Pillow; without it, a plain one for every page.

    pip install supportagentbench[pictures]

Pillow and the font are optional, because pages are complete without pictures.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from supportagentbench.board.recommendation import Decision
from supportagentbench.site.pages.page import HERE
from supportagentbench.site.share.share_picture import Part, PicturedAgent, SharePicture

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 1200, 630
"""What the places that show pictures of links ask for."""

LARGEST = 150_000
"""The most bytes of a picture."""

FINE = 2
"""Everything is drawn this much larger and then reduced, so that edges are smooth."""

MARGIN, FOOT, MARKS = 64, 544, 440.0
ROOM = WIDTH - 2 * MARGIN
"""Where texts begin, the rule above the brand, where bars and squares begin, and how wide a line is."""

COLOURS = 64
"""Shades in the file; there are ten colours, the others are at the edges of letters."""

COST_COLOURS: dict[Part, str] = {
    "model fees": "fee",
    "left unsolved": "accent",
    "needless handovers": "accent-tint",
    "missed escalations": "alarm-tint",
    "given away": "alarm",
}
"""As in the bars of the pages."""

Box = tuple[float, float, float, float]


class FittedText(NamedTuple):
    """A text as it is drawn: its lines, and the size at which they fit."""

    lines: list[str]
    size: int
    bold: bool

    @property
    def step(self) -> float:
        return 1.18 * self.size

    @property
    def height(self) -> float:
        return self.step * len(self.lines)


def drawn(picture: SharePicture) -> bytes:
    """The picture as a file; the plain one if Pillow or the font is not installed."""
    try:
        import font_source_sans_pro  # noqa: F401
        from PIL import Image, ImageDraw
    except ImportError:
        return plain()
    image = Image.new("RGB", (FINE * WIDTH, FINE * HEIGHT), colours()["paper"])
    PicturePaper(ImageDraw.Draw(image)).draw(picture)
    small = image.reduce(FINE).quantize(COLOURS, dither=Image.Dither.NONE)
    out = BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()


def plain() -> bytes:
    """The picture that comes with the package: the question and the name of the benchmark."""
    return (Path(__file__).parent / "plain.png").read_bytes()


@cache
def colours() -> dict[str, str]:
    """The light colours of the pages, by their names in the stylesheet."""
    found = re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", (HERE / "static" / "tokens.css").read_text())
    return dict(reversed(found))


@cache
def font(size: int, bold: bool) -> "FreeTypeFont":
    """The font of the pages where it is installed, in this size."""
    import font_source_sans_pro
    from PIL import ImageFont

    files: dict[str, str] = font_source_sans_pro.font_files_ttf
    return ImageFont.truetype(files["SourceSansProBold" if bold else "SourceSansPro"], FINE * size)


def width_of(text: str, size: int, bold: bool) -> float:
    return float(font(size, bold).getlength(text)) / FINE


def fitted(
    text: str, room: float, sizes: Sequence[int], most: int, *, bold: bool = False, height: float = HEIGHT
) -> FittedText:
    """The text in the largest of these sizes in which it fits; cut off if it fits in none."""
    words = " ".join(text.encode("utf-8", "replace").decode().split())
    for size in sizes:
        found = _wrapped(words, room, size, bold)
        if len(found.lines) <= most and found.height <= height:
            return _balanced(words, room, found)
    kept = max(1, min(most, int(height / found.step)))
    if len(found.lines) > kept:
        last = found.lines[kept - 1]
        while last and width_of(f"{last}…", found.size, bold) > room:
            last = last[:-1]
        found = found._replace(lines=[*found.lines[: kept - 1], f"{last.rstrip()}…"])
    return found


def _balanced(text: str, room: float, found: FittedText) -> FittedText:
    """The same number of lines, as equal in length as can be: no word is left alone."""
    for part in range(95, 50, -5):
        narrow = _wrapped(text, room * part / 100, found.size, found.bold)
        if len(narrow.lines) > len(found.lines) or " ".join(narrow.lines) != text:
            break
        found = narrow
    return found


def _wrapped(text: str, room: float, size: int, bold: bool) -> FittedText:
    return FittedText(list(_lines(text, lambda part: width_of(part, size, bold) <= room)), size, bold)


def _lines(text: str, fits: Callable[[str], bool]) -> Iterator[str]:
    """Lines that fit; a word that does not fit into one is divided."""
    line = ""
    for word in text.split(" "):
        if fits(f"{line} {word}".strip()):
            line = f"{line} {word}".strip()
            continue
        if line:
            yield line
        line = word
        while not fits(line):
            at = next(at for at in range(len(line) - 1, -1, -1) if at <= 1 or fits(line[:at]))
            if not at:
                break
            yield line[:at]
            line = line[at:]
    yield line


class PicturePaper:
    """The paper of one picture; measures are those of the finished one."""

    def __init__(self, paper: "ImageDraw") -> None:
        self._paper = paper

    def draw(self, picture: SharePicture) -> None:
        """Title and details, with tag and brand below."""
        if picture.agent:
            self._agent(picture.title, picture.agent)
        else:
            self._page(picture)
        self._foot(picture)

    def _page(self, picture: SharePicture) -> None:
        room = FOOT - MARGIN - 24.0
        title = fitted(picture.title, ROOM, (80, 72, 64, 56, 48), 4, bold=True, height=room)
        rest = room - title.height - 24
        summary = fitted(picture.summary, ROOM, (36, 32), 4, height=max(rest, 40))
        is_both = bool(picture.summary) and rest > summary.height
        y = MARGIN + max(0.0, (room - title.height - (24 + summary.height if is_both else 0)) / 3)
        y = self._lines(title, MARGIN, y, "ink")
        if is_both:
            self._lines(summary, MARGIN, y + 24, "soft")

    def _agent(self, title: str, agent: PicturedAgent) -> None:
        self._chip(agent.decision, agent.decided)
        traps = FOOT - 24.0 - (72 if agent.traps else 0)
        costs = traps - (88 if agent.month else 0)
        line = fitted(agent.line, ROOM, (32, 28), 2)
        room = costs - 24 - line.height - 120
        head = fitted(title, ROOM, (72, 64, 56, 48, 42, 36), 3, bold=True, height=room)
        below = self._lines(head, MARGIN, 112, "ink")
        self._lines(line, MARGIN, below + 8, "soft")
        if agent.month:
            self._costs(agent, costs)
        if agent.traps:
            self._traps(agent, traps)

    def _costs(self, agent: PicturedAgent, y: float) -> None:
        """The month's cost and its parts, named from left to right."""
        text = fitted(f"{agent.month} per month", 360, (40,), 1, bold=True)
        self._lines(text, MARGIN, y - 4, "ink")
        room, x = WIDTH - MARGIN - MARKS, MARKS
        for one in agent.costs:
            wide = room * one.share
            self._box((x, y + 4, x + wide, y + 40), COST_COLOURS[one.part])
            x += wide
        x = MARKS
        named = sorted(agent.costs, key=lambda one: -one.share)[:3]
        for one in (one for one in agent.costs if one in named):
            self._box((x, y + 52, x + 16, y + 68), COST_COLOURS[one.part])
            words = FittedText([one.part], 24, False)
            self._lines(words, x + 24, y + 44, "soft")
            x += 24 + width_of(one.part, 24, False) + 28

    def _traps(self, agent: PicturedAgent, y: float) -> None:
        """A square per trap conversation; one that worked is a coloured diamond."""
        words = fitted(agent.worked, 360, (30, 26), 1)
        self._lines(words, MARGIN, y + 8, "alarm" if any(agent.traps) else "soft")
        room, high = WIDTH - MARGIN - MARKS, 64.0
        step, columns = max(
            (min(26.0, room / columns, high / rows), columns)
            for rows in range(1, 9)
            for columns in [-(-len(agent.traps) // rows)]
        )
        side = 0.72 * step
        for at, worked in enumerate(agent.traps):
            x, top = MARKS + (at % columns) * step, y + 8 + (at // columns) * step
            if worked:
                middle, half = (x + side / 2, top + side / 2), 0.62 * side
                self._shape(
                    [
                        (middle[0], middle[1] - half),
                        (middle[0] + half, middle[1]),
                        (middle[0], middle[1] + half),
                        (middle[0] - half, middle[1]),
                    ],
                    "alarm",
                )
            else:
                self._box((x, top, x + side, top + side), "square")

    def _foot(self, picture: SharePicture) -> None:
        self._box((0, FOOT, WIDTH, FOOT + 2), "rule")
        tag = fitted(picture.tag, 560, (26, 22), 1)
        brand = fitted(picture.brand, 440 if picture.tag else 1000, (32, 28, 24), 1, bold=True)
        self._lines(brand, MARGIN, FOOT + 2 + (88 - brand.step) / 2 - 2, "ink")
        if not picture.tag:
            return
        wide = width_of(tag.lines[0], tag.size, False)
        left = WIDTH - MARGIN - wide - 36
        self._dashed((left, FOOT + 22, WIDTH - MARGIN, FOOT + 70))
        self._lines(tag, left + 18, FOOT + 46 - tag.step / 2 - 1, "ink")

    def _chip(self, decision: Decision, words: str) -> None:
        """A verdict with its sign: never by colour alone."""
        text = FittedText([words], 36, True)
        wide = 88 + width_of(words, 36, True)
        box = (MARGIN, 40, MARGIN + wide, 98)
        colour = "alarm" if decision == "no" else "accent"
        ink = "on-accent" if decision == "use" else colour
        self._paper.rounded_rectangle(
            self._fine(box),
            FINE * 30,
            fill=colours()[colour if decision == "use" else "card"],
            outline=colours()[colour],
            width=FINE * 3,
        )
        self._sign(decision, (MARGIN + 26, 59, MARGIN + 46, 79), ink)
        self._lines(text, MARGIN + 58, 45, ink)

    def _sign(self, decision: Decision, box: Box, ink: str) -> None:
        left, top, right, bottom = self._fine(box)
        fill = colours()[ink]
        match decision:
            case "use":
                middle = (left + 0.36 * (right - left), bottom - FINE * 2)
                points = [(left, (top + bottom) / 2), middle, (right, top + FINE * 2)]
                self._paper.line(points, fill, FINE * 4, joint="curve")
            case "not yet":
                self._paper.ellipse((left, top, right, bottom), outline=fill, width=FINE * 3)
                self._paper.pieslice((left, top, right, bottom), -90, 90, fill=fill)
            case "no":
                self._paper.line([(left, top), (right, bottom)], fill, FINE * 4)
                self._paper.line([(left, bottom), (right, top)], fill, FINE * 4)

    def _lines(self, text: FittedText, x: float, y: float, colour: str) -> float:
        """Draw lines from this corner; returns where they end."""
        for line in text.lines:
            self._paper.text((FINE * x, FINE * y), line, colours()[colour], font(text.size, text.bold))
            y += text.step
        return y

    def _box(self, box: Box, colour: str) -> None:
        left, top, right, bottom = self._fine(box)
        if right >= left + 1 and bottom >= top + 1:  # What is thinner than a point is not seen.
            self._paper.rectangle((left, top, right - 1, bottom - 1), colours()[colour])

    def _shape(self, corners: list[tuple[float, float]], colour: str) -> None:
        self._paper.polygon([(FINE * x, FINE * y) for x, y in corners], colours()[colour])

    def _dashed(self, box: Box, dash: float = 7) -> None:
        left, top, right, bottom = box
        at = left
        while at < right:
            for y in (top, bottom - 2):
                self._box((at, y, min(at + dash, right), y + 2), "soft")
            at += 2 * dash
        at = top
        while at < bottom:
            for x in (left, right - 2):
                self._box((x, at, x + 2, min(at + dash, bottom)), "soft")
            at += 2 * dash

    @staticmethod
    def _fine(box: Box) -> Box:
        left, top, right, bottom = box
        return FINE * left, FINE * top, FINE * right, FINE * bottom
