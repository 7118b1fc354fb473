"""Desk answer: which agent costs least at one desk, and the sentences that say so."""

from collections.abc import Iterator, Mapping, Sequence

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.desk import AgentMonth, AgentOnDesk, SupportDesk
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
    if pick.bad_month is not None:
        sentences.append(f"A bad month (one in {ONE_IN}) costs more than {about(pick.bad_month)}.")
    costs = {one.title: (pick.times[one.name] or 0.0) * settings.prices[one.name] for one in desk.mistakes}
    most = max(costs, key=lambda title: costs[title], default="")
    if most and costs[most]:
        sentences.append(f"Main cause with {found.pick}: {most.casefold()}, about {about(costs[most])}.")
    return sentences


def _turning(
    found: BoardRecommendation, pick: AgentOnDesk, desk: SupportDesk, settings: DeskSettings
) -> Iterator[str]:
    """The share of abuse above which the rival costs more, if it costs less at this desk."""
    name = found.rivalry.rival if found.rivalry else ""
    rival = next((one for one in desk.agents if one.results.name == name), None)
    turn = desk.turning_point(rival, pick, settings) if rival else None
    if rival and turn is not None and turn > share(desk.kinds, settings.mix, "adversarial"):
        yield f"Above {percent(turn)} abuse, {rival.results.name} costs more than {found.pick}."


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
    """Dollars that may be negative."""
    return ("−" if dollars < 0 else "") + money(abs(dollars))


def counted(value: float) -> str:
    """A number of tickets, rounded."""
    return whole(round(value))
