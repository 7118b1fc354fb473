"""Choice: reads the limits and the desk that somebody sets, and recommends by them."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec.structs import replace

from supportagentbench.board.desk import SupportDesk
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.loss import DeskSettings
from supportagentbench.board.recommendation import NO_DESK, BoardRecommendation, bills_at, recommend
from supportagentbench.records.board import Board
from supportagentbench.records.choice import Choice
from supportagentbench.records.problem import Problem
from supportagentbench.records.vocabulary import OWN_MIX, TicketMix
from supportagentbench.storage.record_file import read_record

NUMBERS = ("tickets", "cheats", "goods", "person")
"""The four numbers of a desk: per month, in percent, and in dollars; prices by mistake come on top."""

MIX_FILE = ".json"
"""How the name of a file ends that holds a mix of tickets."""

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
    presets = [*desk.presets, *choice.mixes]
    mix, names = choice.desk.get("mix", presets[0].name), [preset.name for preset in presets]
    if mix not in names:
        raise Problem(
            f"there is no mix {mix!r}; the mixes are {', '.join(names)}, or a file of `sab tickets mix`."
        )
    return sorted(presets, key=lambda preset: preset.name != mix)


def settings_of(desk: SupportDesk, choice: Choice) -> DeskSettings:
    """The desk with what is set; the rest is as usual."""
    given = {name: _number(name, value) for name, value in choice.desk.items() if name != "mix"}
    numbers = {name: given.pop(name) for name in NUMBERS if name in given}
    if numbers.get("tickets") == 0 or numbers.get("cheats", 0.0) > 100:
        raise Problem("a desk has at least one ticket per month, and at most 100 percent of cheats.")
    if "cheats" in numbers:
        numbers["cheats"] /= 100
    found = desk.settings(preset=presets_of(desk, choice)[0], **numbers)
    for name in given:
        if name not in found.prices:
            raise Problem(f"a desk has no {name!r}; set {', '.join(('mix', *NUMBERS, *found.prices))}.")
    return found._replace(prices={**found.prices, **given})


def worth_of(desk: SupportDesk, choice: Choice) -> float:
    """What goods cost on average at this desk; 0: the shop does not say."""
    return _number("goods", choice.desk.get("goods", desk.worth)) if desk.worth else 0.0


def _number(name: str, value: float | str) -> float:
    if isinstance(value, str) or not 0 <= value <= MOST:
        raise Problem(f"{name} of the desk is {value!r}; write a number from 0 to {MOST:,}.")
    return value


def choice_with(file: Choice, limits: Iterable[str], desk: Iterable[str]) -> Choice:
    """What a file sets, with options such as `unsafe=12` and `tickets=5000` in its place."""
    given = {name: _percent(name, text) for name, text in _pairs(limits, "unsafe=12").items()}
    made = Choice({**file.limits, **given}, {**file.desk, **_values(_pairs(desk, "tickets=5000"))})
    limits_of_choice(made)
    return _with_its_file(made)


def _with_its_file(choice: Choice) -> Choice:
    """The choice with the mix of the file that it names, if it names one."""
    named = choice.desk.get("mix")
    if not isinstance(named, str) or not named.endswith(MIX_FILE):
        return choice
    mix = read_record(Path(named), TicketMix, "write it again with `sab tickets mix`", follow=True)
    return replace(choice, desk=choice.desk | {"mix": OWN_MIX}, mixes=(replace(mix, name=OWN_MIX),))


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
