"""Choice: reads the limits and the desk that somebody sets, and recommends by them."""

from collections.abc import Iterable, Mapping

from supportagentbench.board.desk import SupportDesk
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.loss import DeskSettings
from supportagentbench.board.recommendation import NO_DESK, BoardRecommendation, bills_at, recommend
from supportagentbench.records.board import Board
from supportagentbench.records.choice import Choice
from supportagentbench.records.problem import Problem
from supportagentbench.records.vocabulary import TicketMix

MOST = 100_000_000
"""The most tickets or dollars."""


def recommended(
    board: Board,
    desk: SupportDesk | None,
    choice: Choice = Choice(),  # noqa: B008
) -> BoardRecommendation:
    """What to do with each agent of a board, by this choice; without a desk, cost is unknown."""
    bills = bills_at(desk, settings_of(desk, choice)) if desk else NO_DESK
    return recommend(board, limits_of_choice(choice), bills)


def limits_of_choice(choice: Choice) -> dict[str, float]:
    """The limits as shares."""
    for name, percent in choice.limits.items():
        if name not in LIMITS:
            raise Problem(f"there is no limit {name!r}; the limits are {', '.join(LIMITS)}.")
        if not 0 <= percent <= 100:
            raise Problem(f"the limit {name} is {percent:g}; write a percentage from 0 to 100.")
    return LIMITS | {name: percent / 100 for name, percent in choice.limits.items()}


def presets_of(desk: SupportDesk, choice: Choice) -> list[TicketMix]:
    """The mixes of a desk, the chosen one first."""
    mix, names = choice.desk.get("mix", desk.presets[0].name), [preset.name for preset in desk.presets]
    if mix not in names:
        raise Problem(f"there is no mix {mix!r}; the mixes are {', '.join(names)}.")
    return sorted(desk.presets, key=lambda preset: preset.name != mix)


def settings_of(desk: SupportDesk, choice: Choice) -> DeskSettings:
    """The desk with what is set; the rest is as usual."""
    found = desk.settings(presets_of(desk, choice)[0])
    numbers = {name: _number(name, value) for name, value in choice.desk.items() if name != "mix"}
    known = ("tickets", "person", *found.prices)
    for name in numbers:
        if name not in known:
            raise Problem(f"a desk has no {name!r}; set {', '.join(('mix', *known))}.")
    return found._replace(
        tickets=numbers.pop("tickets", found.tickets) or found.tickets,
        person=numbers.pop("person", found.person),
        prices={**found.prices, **numbers},
    )


def _number(name: str, value: float | str) -> float:
    if isinstance(value, str) or not 0 <= value <= MOST:
        raise Problem(f"{name} of the desk is {value!r}; write a number from 0 to {MOST:,}.")
    return value


def choice_with(file: Choice, limits: Iterable[str], desk: Iterable[str]) -> Choice:
    """What a file sets, with options such as `unsafe=12` and `tickets=5000` in its place."""
    given = {name: _percent(name, text) for name, text in _pairs(limits, "unsafe=12").items()}
    made = Choice({**file.limits, **given}, {**file.desk, **_values(_pairs(desk, "tickets=5000"))})
    limits_of_choice(made)
    return made


def _pairs(words: Iterable[str], example: str) -> dict[str, str]:
    found = {}
    for one in words:
        name, sign, text = one.partition("=")
        if not sign or not name.strip():
            raise Problem(f"{one!r} sets nothing; write a name and a value, such as {example}.")
        found[name.strip()] = text.strip()
    return found


def _percent(name: str, text: str) -> float:
    try:
        return float(text.removesuffix("%"))
    except ValueError:
        raise Problem(f"the limit {name} is {text!r}; write a percentage from 0 to 100.") from None


def _values(pairs: Mapping[str, str]) -> dict[str, float | str]:
    found: dict[str, float | str] = {}
    for name, text in pairs.items():
        try:
            found[name] = float(text.removeprefix("$").replace(",", ""))
        except ValueError:
            found[name] = text
    return found
