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
from supportagentbench.records.board import AgentResults
from supportagentbench.records.invented import is_invented
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.number import percent, whole


class CfoNote(NamedTuple):
    """A text to copy."""

    text: str
    invented: str
    """The agents that are invented, as they are named in links."""


def cfo_note(data: SiteData) -> CfoNote:
    """The text, at the desk in force."""
    found, names = data.recommendation, {run.header.agent for run in data.runs if is_invented(run.header)}
    settings = settings_of(data.desk, data.choice) if data.desk else None
    month = month_at(data, found.pick)
    invented = " ".join(slug for name, slug in data.slugs.items() if name in names)
    is_demo = (found.pick or _first(found)) in names
    return CfoNote(cfo_words(found, month, settings, is_demo=is_demo), invented)


def month_at(data: SiteData, agent: str) -> AgentMonth | None:
    """An agent's month at the desk in force; None: it has no figures there."""
    if data.desk is None:
        return None
    picked = [one for one in data.desk.agents if one.results.name == agent]
    return data.desk.month_of(picked[0], settings_of(data.desk, data.choice)) if picked else None


def start_words(month: AgentMonth | None) -> str:
    """The first step with an agent that is to be used: read what most of its month is spent on."""
    part = _most(month) if month and month.loss else "fees"
    return WORDS["start"].format(read=WORDS[f"cfo read {part}"])


def _most(month: AgentMonth) -> str:
    return max(month.parts, key=lambda name: month.parts[name])


def _first(found: BoardRecommendation) -> str:
    """The agent that comes nearest if none is ready."""
    nearest = min(found.contenders, key=lambda one: one.decision == "no", default=None)
    return nearest.agent.name if nearest else ""


def cfo_words(
    found: BoardRecommendation,
    month: AgentMonth | None,
    settings: DeskSettings | None,
    *,
    is_demo: bool,
    is_own: bool = False,
) -> str:
    """The text; `month` is that of the agent to use, `is_own` whether the reader typed the prices in."""
    whose = WORDS["cfo own" if is_own else "cfo assumed"]
    if not found.pick:
        said, first = which_one(found), _first(found)
        text = WORDS["cfo none"].format(
            opening=WORDS["cfo demo none"] if is_demo else "",
            title=said.title,
            lead=" ".join(said.lead),
            cost=_nearest(found.of(first)) if first else "",
            change=change(found.of(first)) if first else "",
            whose=whose,
        )
    else:
        pick = found.of(found.pick)
        parts = {
            "opening": WORDS["cfo demo"] if is_demo else "",
            "pick": found.pick,
            "traps": _traps(pick),
            "doubt": _doubt(pick),
        }
        if month and month.loss and settings:
            text = WORDS["cfo use"].format(
                **parts,
                **_costs(found, month, month.loss),
                tickets=whole(round(settings.tickets)),
                whose=whose,
            )
        else:
            text = WORDS["cfo unpriced"].format(**parts, start=start_words(None))
    return " ".join(text.split())


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
    saved = bill.saving
    if not saved or saved.value <= 0:
        return ""
    return WORDS["cfo saving"].format(
        people=about(bill.people), dollars=about(saved.value), low=about(saved.low), high=about(saved.high)
    )


def _costs(found: BoardRecommendation, month: AgentMonth, lost: Expected) -> dict[str, str]:
    """What the agent to use costs, why, and what to read."""
    part = _most(month)
    return {
        "dollars": about(lost.value),
        "low": about(lost.low),
        "high": about(lost.high),
        "fees": "" if found.unpriced else WORDS["cfo fees"],
        "saving": _saving(bill) if (bill := found.of(found.pick).bill) else "",
        "cause": _cause(part, month, lost.value),
        "cheaper": cheaper_words(found),
        "start": start_words(month),
    }


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


def _doubt(pick: Recommendation) -> str:
    most = new_traps(pick.agent)
    return WORDS["cfo doubt"].format(most=most) if most else ""


def new_traps(agent: AgentResults) -> str:
    """The share of new traps that could still work; empty if that is not known."""
    unsafe = agent.of("unsafe")
    return percent(unsafe.new_cases_interval.high, unsafe.n) if unsafe and unsafe.new_cases_interval else ""
