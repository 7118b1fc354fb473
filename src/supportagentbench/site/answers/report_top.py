"""Report top: everything of a report above the sections as text, based on what the record shows."""

from collections.abc import Iterator
from typing import NamedTuple

from supportagentbench.board.limits import most_errors
from supportagentbench.board.recommendation_words import (
    clause,
    did,
    limits_words,
    telling,
)
from supportagentbench.checks.catalogue import UNSAFE
from supportagentbench.records.board import AgentResults
from supportagentbench.records.counts import counted
from supportagentbench.site.answers.board_answer import AgentTake, take_of
from supportagentbench.site.answers.bottom_line import BottomLine, bottom_line
from supportagentbench.site.answers.case_type_plot import CaseTypePlot, case_type_plot
from supportagentbench.site.answers.causes import GRANTING, causes, count_words
from supportagentbench.site.answers.character import WORTH_NAMING, title
from supportagentbench.site.answers.diagnosis import CHECK, diagnosis
from supportagentbench.site.answers.exhibit import Exhibit, exhibit_of
from supportagentbench.site.answers.figure_cards import CARDS, FigureCard, figure_cards
from supportagentbench.site.answers.giving_in import GivingIn, desk_words, giving_in, money_words
from supportagentbench.site.answers.guard_table import GuardTable, guard_table
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.answers.prose.traits import Traits, traits
from supportagentbench.site.answers.prose.words import listed
from supportagentbench.site.answers.trap_grid import TrapGrid, trap_grid
from supportagentbench.site.answers.trouble_kind import KINDS
from supportagentbench.site.answers.troubles import OwnPlace, Trouble, troubles
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.site_data import IssueEvidence
from supportagentbench.site.naming import where
from supportagentbench.site.number import percent

WAIVED = "waived_proof"

TROUBLES = 3
"""How many habits are shown with a conversation; the others get one line."""


class ToldTrouble(NamedTuple):
    """One thing that goes wrong, ready to print."""

    heading: str
    counted: str
    causes: tuple[str, ...]
    exhibit: Exhibit | None
    found: int
    """Conversations in which it was found."""
    link: str


class ReportTop(NamedTuple):
    """What a reader sees first."""

    title: str
    meta: str
    """Size and date, in one line."""
    well: str
    """What it did with routine tickets and those that need a person, in counts."""
    but: str
    """What speaks against it, or what it fell for all the same, at the limits in force."""
    verdict: AgentTake
    instead: AgentResults | None
    """The agent to use in its place; None: it is that agent, or there is none."""
    rule: str
    """What an agent has to keep to be used."""
    same: str
    """What the limits are judged on, and what they allow there; empty: no limit is kept."""
    cards: list[FigureCard]
    wrong: str
    """The heading above what goes wrong."""
    troubles: list[ToldTrouble]
    others: list[str]
    """Further habits, one line each."""
    giving_in: GivingIn | None
    money: str
    desk: str
    """The desk in force, in a sentence; empty: none is priced."""
    traps: TrapGrid | None
    case_types: CaseTypePlot | None
    traits: Traits
    guards: GuardTable
    bottom: BottomLine


def report_top(stats: AgentStats) -> ReportTop:
    """The upper part of an agent's report."""
    found = [_diagnosed(one, stats) for one in troubles(stats)]
    worst, guards = sorted(found, key=_harm), guard_table(stats)
    sides = [*_facets(worst, stats)] if worst else []
    shown = _shown(worst, sides)
    return ReportTop(
        title=title(stats, found),
        meta=meta(stats),
        well=_well(stats),
        but=_but(stats, worst, guards),
        verdict=take_of(stats.recommendation, stats.slug),
        instead=_instead(stats),
        rule=limits_words(stats.data.recommendation),
        same=_same(stats),
        cards=figure_cards(stats),
        wrong=_wrong(worst, stats),
        troubles=list(_told(shown, sides, stats, found)),
        others=[f"{one.kind.heading}: {count_words(one, stats, found)}" for one in worst if one not in shown],
        giving_in=giving_in(stats),
        money=money_words(stats),
        desk=desk_words(stats),
        traps=trap_grid(stats),
        case_types=case_type_plot(stats),
        traits=traits(stats, [*found, *sides]),
        guards=guards,
        bottom=bottom_line(stats, found, guards),
    )


def _diagnosed(trouble: Trouble, stats: AgentStats) -> Trouble:
    """A habit that is named after the number that contradicts the policy, if it is about one."""
    told = diagnosis(stats.data, stats.results.name) if trouble.name == CHECK else ""
    return trouble._replace(kind=trouble.kind._replace(heading=f"It {told}")) if told else trouble


def _harm(trouble: Trouble) -> tuple[bool, bool]:
    """People in danger come first, then what leaves the shop; otherwise the order stays."""
    gives = any(moment.check in UNSAFE and not moment.is_to_check for moment in trouble.moments)
    gives &= trouble.found >= WORTH_NAMING * trouble.chances
    return trouble.name != "danger", not gives


def _same(stats: AgentStats) -> str:
    """The bounds that decide, for figures whose likely range for new tickets seems to break a limit."""
    limits, wide = stats.data.recommendation.limits, []
    for metric, most in limits.items():
        estimate, bound = stats.of(metric), most_errors(stats.results, metric)
        if estimate is None or estimate.new_cases_interval is None or bound > most:
            continue
        interval = estimate.new_cases_interval
        if (1 - interval.low if metric == "escalation" else interval.high) > most:
            wide.append(f"{CARDS[metric].lower()} at most {percent(bound, 1)}")
    if not wide:
        return ""
    return (
        f"Limits are judged on these same tickets, run again. There, likely: {', '.join(wide)}. The ranges "
        "above are for new tickets, and wider."
    )


def _wrong(found: list[Trouble], stats: AgentStats) -> str:
    if stats.results.hides_acts:
        return "What its words show; what it did cannot be observed"
    if not found:
        return "What goes wrong: nothing that the record shows"
    heading = found[0].kind.heading
    return f"What goes wrong: {heading[0].lower()}{heading[1:]}"


def _instead(stats: AgentStats) -> AgentResults | None:
    pick = stats.data.recommendation.pick
    return stats.data.recommendation.of(pick).agent if pick not in ("", stats.results.name) else None


def _well(stats: AgentStats) -> str:
    """Both counts in one sentence."""
    resolution, must = stats.of("resolution"), stats.of("escalation")
    parts = []
    if resolution:
        unsafe = sum(row.outcome.name == "unsafe" for row in stats.solved)
        broke = f" (in {unsafe} of them it broke a rule first)" if unsafe else ""
        parts.append(f"solved {resolution.k or 'none'} of {resolution.n} routine tickets{broke}")
    if must:
        count = f"all {must.n}" if must.k == must.n > 1 else f"{must.k or 'none'} of {must.n}"
        parts.append(f"passed on {count} that need a person")
    return f"It {' and '.join(parts)}." if parts else ""


def _but(stats: AgentStats, found: list[Trouble], guards: GuardTable) -> str:
    """The reasons of the verdict, told of the agent; of one that is to be used, what it withstood."""
    one, unsafe = stats.recommendation, stats.of("unsafe")
    kinds = {reason.kind for reason in one.reasons}
    if unsafe and unsafe.k and "guarded" in kinds and kinds <= {"guarded", "open"}:
        pressed = ": it says no, the customer insists, and it gives in" if _gives_in(found) else ""
        checks = f"{in_words(guards.on_tools).capitalize()} {'check' if guards.on_tools == 1 else 'checks'}"
        averted = stats.results.grounds.averted
        return (
            f"But {unsafe.k} of {counted(unsafe.n, 'trap')} worked{pressed}. {checks} in front of its tools "
            f"would have stopped {'all' if averted == unsafe.k else averted} of them."
        )
    if one.reasons:
        clauses = [clause(reason) for reason in telling(one)]
        return f"{'It' if one.decision == 'cannot tell' else 'But it'} {'; it '.join(clauses)}."
    kept = [reason for reason in one.limits if reason.metric != "escalation"]
    return f"It {listed(did(reason) for reason in kept)}." if kept else ""


def _gives_in(found: list[Trouble]) -> bool:
    return bool(found) and found[0].name == "gives in"


def _facets(found: list[Trouble], stats: AgentStats) -> Iterator[Trouble]:
    """Sides of the one habit that most of what goes wrong is due to."""
    evidence = stats.data.evidence.get(stats.results.name, IssueEvidence())
    places = {(moment.case, moment.run) for one in found for moment in one.moments}
    waived = {
        (one.case, one.run): one
        for one in evidence.moments
        if one.check == WAIVED and (one.case, one.run) in places
    }
    if waived and all(one.name != "waives" for one in found):
        link = behind(WAIVED, stats.slug)
        yield found[0]._replace(kind=KINDS["waives"], name="waives", moments=[*waived.values()], link=link)
    main, routine = found[0], stats.in_bucket("resolvable")
    honest = [one for one in main.moments if stats.data.cases[one.case].bucket == "resolvable"]
    if honest and len(honest) < main.found and main.name in GRANTING:
        yield main._replace(
            kind=main.kind._replace(
                heading="It gives in to honest people, too", trait="gives in to honest people, too"
            ),
            moments=honest,
            chances=len(routine),
            noun="routine tickets",
            link=where(agent=stats.slug, habit=main.name, set="core", bucket="resolvable"),
        )


def _shown(found: list[Trouble], sides: list[Trouble]) -> list[Trouble]:
    """What is shown with a conversation: habits, sides of the main one, last what hardly ever happened."""
    often = [one for one in found if one.found >= WORTH_NAMING * one.chances or one.name == "danger"]
    seldom = [one for one in found if one not in often]
    return [*often[:TROUBLES], *sides, *seldom][:TROUBLES]


def _told(
    shown: list[Trouble], sides: list[Trouble], stats: AgentStats, found: list[Trouble]
) -> Iterator[ToldTrouble]:
    used: set[OwnPlace] = set()
    for trouble in shown:
        exhibit = exhibit_of(trouble, stats, used)
        used |= {exhibit.place} if exhibit else set()
        yield ToldTrouble(
            heading=trouble.kind.heading,
            counted=_side_words(trouble, stats) if trouble in sides else count_words(trouble, stats, found),
            causes=() if trouble in sides else tuple(causes(trouble, stats)),
            exhibit=exhibit,
            found=trouble.found,
            link=trouble.link,
        )


def _side_words(trouble: Trouble, stats: AgentStats) -> str:
    """How often; of routine tickets, how many count as solved all the same."""
    said = f"{trouble.found} of {trouble.chances} {trouble.noun}."
    if trouble.name == "waives":
        return said
    solved = {(row.case, row.run) for row in stats.solved}
    kept = sum((one.case, one.run) in solved for one in trouble.moments)
    honest = f"{said} Ordinary customers, not scammers."
    return f"{honest} {kept} of the {trouble.found} count as solved all the same." if kept else honest


def meta(stats: AgentStats) -> str:
    """Size and date in one line."""
    results, (first, last) = stats.results, stats.data.days[stats.results.name]
    cases = len({row.case for row in stats.rows})
    day = _day(first) if first == last else f"{_day(first)} to {_day(last)}"
    return f"{counted(cases, 'ticket')} × {counted(results.runs, 'run')} · {day}"


def _day(day: object) -> str:
    return f"{day:%-d %B %Y}"
