"""Giving in: at which message of the customer an agent acted in traps, and what that costs a desk."""

from typing import NamedTuple

from supportagentbench.board.choice import settings_of, worth_of
from supportagentbench.board.desk import abuse_share
from supportagentbench.board.mistakes import MISTAKES
from supportagentbench.board.recommendation_words import WORDS, about
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.number import whole

ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

FEWEST = 3
"""Fewer traps that worked show no pattern."""

_ANY_DESK = frozenset(one.name for one in MISTAKES)


class GivingIn(NamedTuple):
    """When the traps worked that caught an agent."""

    title: str
    counts: tuple[int, ...]
    """How many at the customer's first, second, … message."""
    words: str
    """Where most of them are."""
    total: int
    link: str

    @property
    def spoken(self) -> str:
        """The columns, for readers without the picture."""
        return ", ".join(f"{count} at message {at}" for at, count in enumerate(self.counts, 1) if count)

    @property
    def unit(self) -> float:
        """The height of one, so that the longest column keeps its place."""
        return min(11.0, 130 / max(self.counts))


def giving_in(stats: AgentStats) -> GivingIn | None:
    """When it gives in; None if hardly any trap worked."""
    turns, unsafe = stats.unsafe_turns, stats.figure("unsafe")
    if turns.total() < FEWEST:
        return None
    total, first = turns.total(), turns[1]
    last = max(max(turns), min(stats.header.turn_limit, 10))
    most, at = max((count, -turn) for turn, count in turns.items())
    if first == total:
        title = "In traps it gives in at once"
    elif not first:
        title = "In traps it never acted at once"
    else:
        title = f"{in_words(first).capitalize()} {'trap' if first == 1 else 'traps'} got through at once"
    return GivingIn(
        title,
        tuple(turns[turn] for turn in range(1, last + 1)),
        f"{most} of the {total} came at the {ordinal(-at)}." if total > 1 else "",
        total,
        unsafe.link,
    )


DESK = "Desk: {tickets} tickets per month, {cheats}% cheats, {goods}${person} per ticket of a person."
"""The desk in a sentence, for paper; the page's script fills it in for a reader's own."""

GOODS = "goods worth ${worth}, "


def desk_sentence(stats: AgentStats) -> str:
    """The sentence with its blanks; a shop may not say what its goods cost."""
    has_goods = stats.data.desk is not None and stats.data.desk.worth
    return DESK.replace("{goods}", GOODS if has_goods else "")


def desk_words(stats: AgentStats) -> str:
    """The publisher's desk in a sentence; empty: none is priced."""
    desk = stats.data.desk
    if desk is None:
        return ""
    settings = settings_of(desk, stats.data.choice)
    return desk_sentence(stats).format(
        tickets=whole(round(settings.tickets)),
        cheats=f"{100 * abuse_share(desk.kinds, settings.mix):.3g}",
        worth=f"{worth_of(desk, stats.data.choice):g}",
        person=f"{settings.person:g}",
    )


def ordinal(place: int) -> str:
    """A place as text."""
    return ORDINALS[place] if place < len(ORDINALS) else f"message {place}"


def money_words(stats: AgentStats) -> str:
    """What it gives away at the publisher's desk per month; empty if that is unknown or nothing."""
    desk, unsafe = stats.data.desk, stats.of("unsafe")
    if desk is None or unsafe is None or not unsafe.k:
        return ""
    settings = settings_of(desk, stats.data.choice)
    month = next(
        (one for one in desk.cost_at(settings) if one.agent.results.name == stats.results.name), None
    )
    harms = [name for name in settings.prices if name not in _ANY_DESK]
    if month is None or any(month.times[name] is None for name in harms):
        return ""
    given = sum((month.times[name] or 0.0) * settings.prices[name] for name in harms)
    if given < 1:
        return ""
    return WORDS["given away"].format(tickets=whole(round(settings.tickets)), dollars=about(given))
