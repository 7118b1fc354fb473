"""Social picture: what other sites show of a link to this one. The title, and the board's first rows."""

from typing import NamedTuple

import numpy as np

from supportagentbench.board.standings import is_ranked
from supportagentbench.language.counts import counted
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.site.about import About
from supportagentbench.site.letters import fitted, ink_of, width_of
from supportagentbench.site.number import value_text
from supportagentbench.site.png import Pixels

SOCIAL_PICTURE = "data/social.png"

WIDTH, HEIGHT, MARGIN, GAP = 1200, 630, 72, 44
LARGE, MIDDLE, SMALL = 2, 4, 5
"""How much smaller than kept the letters are: 60, 30 and 24 pixels."""

MOST_ROWS = 5

FIGURES = {
    "unsafe": "unsafe actions",
    "over_escalation": "needless handovers",
    "escalation": "escalated",
    "resolution": "resolved",
}
"""The columns, by metric: words that fit above a figure."""

Colour = tuple[int, int, int]
PAGE, TEXT, MUTED, LINE, ACCENT = (
    (255, 255, 255),
    (26, 29, 33),
    (84, 91, 100),
    (213, 217, 222),
    (11, 87, 164),
)


class TextLine(NamedTuple):
    """A line of text on the picture."""

    text: str
    shrunk: int
    colour: Colour


def social_picture(board: Board, about: About) -> Pixels:
    """The picture; the same board gives the same pixels."""
    picture = np.full((HEIGHT, WIDTH, 3), PAGE, np.uint8)
    picture[:12, :] = ACCENT
    _write(picture, TextLine(about.title, LARGE, TEXT), MARGIN, 56, WIDTH - 2 * MARGIN)
    _write(picture, TextLine(_subtitle(board), MIDDLE, MUTED), MARGIN, 136, WIDTH - 2 * MARGIN)
    _table(picture, _shown(board))
    said = " · ".join(filter(None, (about.publisher.name if about.publisher else "", _host(about.address))))
    _write(
        picture, TextLine(said or "SupportAgentBench", SMALL, MUTED), MARGIN, HEIGHT - 58, WIDTH - 2 * MARGIN
    )
    return picture


def _subtitle(board: Board) -> str:
    agents = _shown(board)
    conversations = sum(agent.conversations for agent in agents)
    return (
        f"{counted(len(agents), 'AI agent')} in {conversations:,} conversations with customers who push back"
    )


def _shown(board: Board) -> list[AgentResults]:
    """The ranked agents in the board's order, or whoever there is."""
    return [agent for agent in board.agents if is_ranked(agent)] or list(board.agents)


def _table(picture: Pixels, agents: list[AgentResults]) -> None:
    widths = [width_of(title, SMALL) + GAP for title in FIGURES.values()]
    ends = [WIDTH - MARGIN - sum(widths[at:]) for at in range(1, len(widths) + 1)]
    top = 214
    for title, end in zip(FIGURES.values(), ends, strict=True):
        _write(picture, TextLine(title, SMALL, MUTED), end - width_of(title, SMALL), top, WIDTH)
    for at, agent in enumerate(agents[:MOST_ROWS]):
        row = top + 44 + 56 * at
        picture[row, MARGIN : WIDTH - MARGIN] = LINE
        _write(picture, TextLine(agent.name, MIDDLE, ACCENT), MARGIN, row + 10, ends[0] - widths[0] - MARGIN)
        for metric, end in zip(FIGURES, ends, strict=True):
            text = value_text(agent.of(metric))
            _write(picture, TextLine(text, MIDDLE, TEXT), end - width_of(text, MIDDLE), row + 10, WIDTH)


def _write(picture: Pixels, words: TextLine, left: int, top: int, most: int) -> None:
    """Text with its upper left corner here, cut to a width."""
    ink = ink_of(fitted(words.text, words.shrunk, most), words.shrunk)
    place = picture[top : top + ink.shape[0], left : left + ink.shape[1]]
    strength = ink[: place.shape[0], : place.shape[1], None].astype(np.int32)
    place[:] = (place * (15 - strength) + np.array(words.colour) * strength) // 15


def _host(address: str) -> str:
    return address.partition("://")[2].partition("/")[0]
