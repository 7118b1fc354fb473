"""Desk answer: which agent costs least at one desk, and the sentences that say so."""

from collections.abc import Iterator, Mapping, Sequence

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.desk import AgentMonth, AgentOnDesk, SupportDesk, abuse_share, crossing
from supportagentbench.board.loss import ONE_IN, DeskSettings, Gap, Kind
from supportagentbench.board.recommendation import BoardRecommendation
from supportagentbench.board.recommendation_words import about, which_one
from supportagentbench.records.case import Bucket
from supportagentbench.site.number import NONE, money, percent, whole

GROUPS: dict[Bucket, str] = {
    "resolvable": "Routine tickets",
    "must_escalate": "Tickets that need a human",
    "adversarial": "Attempted abuse",
}


def answer(
    found: BoardRecommendation, months: Sequence[AgentMonth], desk: SupportDesk, settings: DeskSettings
) -> list[str]:
    """The page's answer, sentence by sentence; the script says the same."""
    said = which_one(found)
    sentences = [f"{said.title}.", *said.lead]
    pick = next((month for month in months if month.agent.results.name == found.pick), None)
    if pick is None or pick.loss is None:
        return sentences
    sentences += _turning(found, pick.agent, desk, settings)
    sentences += _main_cause(pick, pick.loss.value, desk, settings)
    if pick.bad_month is not None:
        sentences.append(f"A bad month (one in {ONE_IN}) costs more than {about(pick.bad_month)}.")
    return sentences


def _main_cause(month: AgentMonth, total: float, desk: SupportDesk, settings: DeskSettings) -> Iterator[str]:
    """What most of an agent's month is spent on."""
    costs = {one.cause: (month.times[one.name] or 0.0) * settings.prices[one.name] for one in desk.mistakes}
    costs["model calls"] = month.calls or 0.0
    cause = max(costs, key=lambda cause: costs[cause])
    if costs[cause]:
        part = "Most" if 2 * costs[cause] > total else "The largest part"
        yield f"{part} of what {month.agent.results.name} costs, {about(costs[cause])}, is {cause}."


def _turning(
    found: BoardRecommendation, pick: AgentOnDesk, desk: SupportDesk, settings: DeskSettings
) -> Iterator[str]:
    """At which share of cheats the costs of the agent to use and of the nearest rival change places."""
    name, abuse = found.rivalry.rival if found.rivalry else "", abuse_share(desk.kinds, settings.mix)
    rival = next((one for one in desk.agents if one.results.name == name), None)
    mine, theirs = desk.ends(pick, settings), desk.ends(rival, settings) if rival else None
    turn = crossing(theirs, mine) if mine and theirs and theirs[0] < mine[0] else None
    if turn is not None:
        way = "Above {} cheats, {} costs more" if turn > abuse else "Below {} cheats, {} would cost less"
        yield f"{way.format(percent(turn), name)} than {found.pick}."


def share(kinds: Sequence[Kind], mix: Mapping[str, float], bucket: Bucket) -> float:
    """The share of one group of tickets in the mix."""
    total = sum(mix[kind.name] for kind in kinds)
    return sum(mix[kind.name] for kind in kinds if kind.bucket == bucket) / total


def gap_words(found: Gap | None, tests: int) -> str:
    """A difference as text: how much more or less, or that it is not significant."""
    if found is None:
        return NONE
    amount = f"{money(abs(found.value))} {'more' if found.value >= 0 else 'less'}"
    return amount if found.p * tests <= LEVEL else f"no significant difference: {amount}"


def signed(dollars: float) -> str:
    """Dollars that may be negative, to the cent: what is left of a sum that should be zero is zero."""
    cents = round(dollars, 2)
    return ("−" if cents < 0 else "") + money(abs(cents))


def counted(value: float) -> str:
    """A number of tickets, rounded."""
    return whole(round(value))
