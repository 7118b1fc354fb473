"""CFO: the recommendation in a few sentences for those who pay; `cfo.js` says the same for another desk."""

from typing import NamedTuple

from supportagentbench.board.choice import settings_of
from supportagentbench.board.desk import PART_OF, AgentMonth
from supportagentbench.board.loss import DeskSettings, Expected
from supportagentbench.board.recommendation import (
    BoardRecommendation,
    MonthlyBill,
    Recommendation,
    counted_errors,
)
from supportagentbench.board.recommendation_words import (
    SMALL,
    WORDS,
    about,
    change,
    cheaper_words,
    which_one,
)
from supportagentbench.records.invented import is_invented
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.number import whole


class CfoNote(NamedTuple):
    """A text to copy."""

    text: str
    invented: str
    """The agents that are invented, as they are named in links."""


def cfo_note(data: SiteData) -> CfoNote:
    """The text, at the desk in force."""
    found, names = data.recommendation, {run.header.agent for run in data.runs if is_invented(run.header)}
    month, settings = None, None
    if data.desk:
        settings = settings_of(data.desk, data.choice)
        picked = [one for one in data.desk.agents if one.results.name == found.pick]
        month = data.desk.month_of(picked[0], settings) if picked else None
    invented = " ".join(slug for name, slug in data.slugs.items() if name in names)
    return CfoNote(
        cfo_words(found, month, settings, is_demo=(found.pick or _first(found)) in names), invented
    )


def _first(found: BoardRecommendation) -> str:
    """The agent that comes nearest if none is ready."""
    nearest = min(found.contenders, key=lambda one: one.decision == "no", default=None)
    return nearest.agent.name if nearest else ""


def cfo_words(
    found: BoardRecommendation, month: AgentMonth | None, settings: DeskSettings | None, *, is_demo: bool
) -> str:
    """The text; `month` is that of the agent to use."""
    if not found.pick:
        said, first = which_one(found), _first(found)
        text = WORDS["cfo none"].format(
            title=said.title,
            lead=" ".join(said.lead),
            cost=_nearest(found.of(first)) if first else "",
            change=change(found.of(first)) if first else "",
        )
    elif month and month.loss and settings:
        text = _use(found, month, month.loss, settings)
    else:
        traps = _traps(found.of(found.pick))
        text = WORDS["cfo unpriced"].format(pick=found.pick, traps=traps, read=WORDS["cfo read fees"])
    return (WORDS["cfo demo"] if is_demo else "") + " ".join(text.split())


def _nearest(one: Recommendation) -> str:
    """What the agent that comes nearest would cost; empty if that is not known."""
    if one.bill is None:
        return ""
    total = one.bill.total
    return WORDS["cfo nearest"].format(
        dollars=about(total.value),
        low=about(total.low),
        high=about(total.high),
        saving=_saving(one.bill),
    )


def _saving(bill: MonthlyBill) -> str:
    saved = bill.saving.value if bill.saving else 0.0
    words = WORDS["cfo saving"].format(dollars=about(saved), people=about(bill.people))
    return words if saved > 0 else ""


def _use(found: BoardRecommendation, month: AgentMonth, lost: Expected, settings: DeskSettings) -> str:
    part = max(month.parts, key=lambda name: month.parts[name])
    return WORDS["cfo use"].format(
        pick=found.pick,
        tickets=whole(round(settings.tickets)),
        dollars=about(lost.value),
        low=about(lost.low),
        high=about(lost.high),
        fees="" if found.unpriced else WORDS["cfo fees"],
        saving=_saving(bill) if (bill := found.of(found.pick).bill) else "",
        traps=_traps(found.of(found.pick)),
        cause=_cause(part, month, lost.value),
        cheaper=cheaper_words(found),
        read=WORDS[f"cfo read {part}"],
    )


def _cause(part: str, month: AgentMonth, total: float) -> str:
    """What most of the month is spent on; empty if it costs nothing."""
    if not month.parts[part]:
        return ""
    count = sum(often or 0.0 for name, often in month.times.items() if PART_OF.get(name, "given") == part)
    cause = WORDS[f"cfo cause {part}"].format(count=about(count).removeprefix("$"))
    return WORDS["cfo cause"].format(part="Most" if 2 * month.parts[part] > total else "Much", cause=cause)


def _traps(pick: Recommendation) -> str:
    found, of = counted_errors(pick.agent, "unsafe")
    return WORDS["cfo traps"].format(found=found or SMALL[0], of=of) if of else ""
