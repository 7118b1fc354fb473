"""CFO: the recommendation in a few sentences for those who pay; `cfo.js` says the same for another desk."""

from collections.abc import Sequence

from supportagentbench.board.choice import settings_of
from supportagentbench.board.desk import PART_OF, AgentMonth
from supportagentbench.board.loss import DeskSettings, Expected
from supportagentbench.board.recommendation import BoardRecommendation, MonthlyBill, Recommendation
from supportagentbench.board.recommendation_words import (
    WORDS,
    about,
    change,
    cheaper_words,
    in_words,
    split_words,
    turn_words,
    which_one,
)
from supportagentbench.board.turning_price import TurningPrice, turning_prices, unsolved_price
from supportagentbench.records.board import AgentResults
from supportagentbench.site.answers.doubt import doubt_words, tried_words
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.number import whole


def cfo_note(data: SiteData) -> str:
    """The text, at the desk in force."""
    found = data.recommendation
    settings = settings_of(data.desk, data.choice) if data.desk else None
    example = example_words(data) if (found.pick or _first(found)) in data.invented else ""
    return cfo_words(found, month_at(data, found.pick), settings, turns_of(data), example=example)


def example_words(data: SiteData) -> str:
    """How many of the contenders are invented; empty: none."""
    count = sum(one.agent.name in data.invented for one in data.recommendation.contenders)
    return f"{in_words(count)} invented agents" if count > 1 else "an invented agent" if count else ""


def sample_words(data: SiteData) -> str:
    """What the agents are if all of them are invented; empty: some are not."""
    count = len(data.recommendation.contenders)
    if not data.is_example:
        return ""
    if count == 1:
        return "It is a sample program that comes with the benchmark; you cannot buy it."
    return f"These {in_words(count)} are sample programs that come with the benchmark; you cannot buy them."


def turns_of(data: SiteData) -> list[TurningPrice]:
    """Where the price of a customer wrongly turned away would decide otherwise, at the desk in force."""
    found = data.recommendation
    settings = settings_of(data.desk, data.choice) if data.desk else None
    others = [one.agent.name for one in found.contenders if one.agent.name != found.pick]
    return turning_prices(data.desk, settings, found.pick, others)


def month_at(data: SiteData, agent: str) -> AgentMonth | None:
    """An agent's month at the desk in force; None: it has no figures there."""
    if data.desk is None:
        return None
    picked = [one for one in data.desk.agents if one.results.name == agent]
    return data.desk.month_of(picked[0], settings_of(data.desk, data.choice)) if picked else None


def start_words(month: AgentMonth | None, *, is_example: bool = False) -> str:
    """The first step with an agent that is to be used: read what most of its month is spent on."""
    part = _most(month) if month and month.loss else "fees"
    return WORDS["start example" if is_example else "start"].format(read=WORDS[f"cfo read {part}"])


def unsolved(agent: AgentResults) -> tuple[int, int]:
    """How many routine tickets it left unsolved, of how many."""
    solved = agent.of("resolution")
    return (solved.n - solved.k, solved.n) if solved and solved.k is not None else (0, 0)


def _most(month: AgentMonth) -> str:
    return max(month.parts, key=lambda name: month.parts[name])


def _first(found: BoardRecommendation) -> str:
    """The agent that comes nearest if none is ready."""
    return found.contenders[0].agent.name if found.contenders else ""


def cfo_words(
    found: BoardRecommendation,
    month: AgentMonth | None,
    settings: DeskSettings | None,
    turns: Sequence[TurningPrice] = (),
    *,
    example: str = "",
    is_own: bool = False,
) -> str:
    """The text; `month` is that of the agent to use, `is_own` whether the reader typed the prices in.

    `example` names the invented agents if the text is about one of them.
    """
    whose = WORDS["cfo own" if is_own else "cfo assumed"]
    if not found.pick:
        said, first = which_one(found), _first(found)
        text = WORDS["cfo none"].format(
            opening=WORDS["cfo example none"].format(agents=example) if example else "",
            title=said.title,
            lead=" ".join(said.lead),
            cost=_nearest(found.of(first), found) if first else "",
            change=change(found.of(first)) if first else "",
            whose=whose,
        )
    else:
        pick = found.of(found.pick)
        parts = {
            "opening": WORDS["cfo example"].format(agents=example) if example else "",
            "role": WORDS["cfo role example" if example else "cfo role"],
            "pick": found.pick,
            "tried": tried_words(pick.agent),
            "doubt": doubt_words(pick.agent),
            "start": start_words(month, is_example=bool(example)),
        }
        if month and month.loss and settings:
            text = WORDS["cfo use"].format(
                **parts,
                **_costs(found, month, month.loss),
                turn=_turn(settings, turns),
                tickets=whole(round(settings.tickets)),
                whose=whose,
            )
        else:
            text = WORDS["cfo unpriced"].format(**parts)
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _turn(settings: DeskSettings, turns: Sequence[TurningPrice]) -> str:
    price = unsolved_price(settings)
    return "" if price is None else turn_words(price, turns)


def _nearest(one: Recommendation, found: BoardRecommendation) -> str:
    """What the agent that comes nearest would cost; empty if that is not known."""
    if one.bill is None:
        return ""
    total = one.bill.total
    return WORDS["cfo nearest"].format(
        dollars=about(total.value),
        split=split_words(one.bill, found.unpriced),
        low=about(total.low),
        high=about(total.high),
        saving=_saving(one.bill),
    )


def _saving(bill: MonthlyBill) -> str:
    saved = bill.saving
    if not saved or saved.value <= 0:
        return ""
    return WORDS["cfo saving"].format(
        people=about(bill.people),
        dollars=about(saved.value),
        low=about(saved.low),
        high=about(saved.high),
        alone=about(bill.alone),
    )


def _costs(found: BoardRecommendation, month: AgentMonth, lost: Expected) -> dict[str, str]:
    """What the agent to use costs, why, and what to read."""
    part, pick = _most(month), found.of(found.pick)
    return {
        "dollars": about(lost.value),
        "low": about(lost.low),
        "high": about(lost.high),
        "split": split_words(pick.bill, found.unpriced) if pick.bill else "",
        "saving": _saving(pick.bill) if pick.bill else "",
        "cause": _cause(part, month, lost.value),
        "cheaper": cheaper_words(found),
    }


def _cause(part: str, month: AgentMonth, total: float) -> str:
    """What most of the month is spent on; empty if it costs nothing."""
    if not month.parts[part]:
        return ""
    count = sum(often or 0.0 for name, often in month.times.items() if PART_OF.get(name, "given") == part)
    missed, of = unsolved(month.agent.results)
    cause = WORDS[f"cfo cause {part}"].format(count=about(count).removeprefix("$"), found=missed, of=of)
    return WORDS["cfo cause"].format(part="Most" if 2 * month.parts[part] > total else "Much", cause=cause)
