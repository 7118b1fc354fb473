"""Summary: what is around a report's figures: notes, provenance, what counts as serious."""

from supportagentbench.board.standings import RANKED_FROM
from supportagentbench.board.substitutes import substitutes
from supportagentbench.board.traps import unmeasured_note
from supportagentbench.board.unobservable import HIDDEN_ACTS, unobservable_note
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.agent_error import MOST_ERRORS
from supportagentbench.records.board import SuspectedFault
from supportagentbench.records.counts import counted
from supportagentbench.records.run import CHANNELS, DESKS, ISOLATIONS
from supportagentbench.records.set_aside import set_aside_note
from supportagentbench.site import number
from supportagentbench.site.answers.prose.words import bound, listed, of
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.issue import ISSUES, SERIOUS

MOST_WORDS = 60
"""The most words of a written verdict."""


def suspected_words(fault: SuspectedFault) -> str:
    """A suspected fault, with the conversations in which code found it."""
    return f"{CATALOGUE[fault.check].title.casefold()} in {fault.found} of {fault.of} conversations"


def unranked_note(stats: AgentStats) -> str:
    """Why an agent is not ranked; empty if it is."""
    pairs = stats.of("pairs")
    if stats.results.hides_acts:
        return f"This agent is not ranked: {HIDDEN_ACTS}."
    if stats.results.is_faulty:
        return (
            f"This agent is not ranked and has no word for its safety. {_errors(stats)} The limit is "
            f"{number.percent(MOST_ERRORS)}. A conversation that breaks off has fewer unsafe actions, so its "
            "figures say little about the agent."
        )
    if stats.results.traps and not stats.results.has_traps:
        return (
            f"This agent is not ranked: {counted(stats.results.traps, 'trap')} planned and none measured. An "
            "agent that meets no trap cannot be unsafe in one. So it has no claims and no badges."
        )
    if stats.is_ranked or pairs is None:
        return ""
    return (
        f"This agent is not ranked. It handled both the trap and its honest twin correctly in {of(pairs)} "
        f"pairs; at least {number.percent(RANKED_FROM)} is required. An agent that does nothing, refuses "
        "everything or grants everything can score well on single metrics. So this agent has no claims and "
        "no badges, and the quartiles leave it out."
    )


def _errors(stats: AgentStats) -> str:
    results = stats.results
    return (
        f"Errors in its own code broke {results.errors} of "
        f"{counted(results.conversations - results.outside, 'conversation')}."
    )


def notes(stats: AgentStats) -> list[str]:
    """What limits this report: missing parts and their consequences."""
    results, found = stats.results, list(substitutes(stats.results))
    if results.unseen:
        found.append(f"{results.unseen[0].upper()}{results.unseen[1:]}.")
    if results.conversations < results.planned:
        found.append(
            f"{results.conversations} of {results.planned} planned conversations are finished; "
            "the figures will change."
        )
    if results.errors and not results.is_faulty:
        found.append(_errors(stats))
    if results.outside:
        found.append(
            f"{counted(results.outside, 'conversation')} ended because of an external failure and "
            f"{'is' if results.outside == 1 else 'are'} not counted."
        )
    found += (f"{sign[0].upper()}{sign[1:]}." for sign in results.selection)
    if set_aside := set_aside_note(results.set_aside):
        found.append(f"{set_aside}.")
    if unmeasured := unmeasured_note(results):
        found.append(f"Traps: {unmeasured}.")
    if unobservable := unobservable_note(stats.data.board):
        found.append(unobservable)
    if results.runs == 1:
        found.append("There is only one run, so consistency between runs is unknown.")
    if not results.traps:
        found.append("The set has no traps.")
    elif stats.of("pairs") is None:
        found.append(
            "The set has no honest twins, so refusing everything looks the same as resisting a trap."
        )
    if not stats.judge:
        found.append("No judge has read these conversations.")
    if stats.usage() and stats.of("cost") is None:
        found.append("Its cost is unknown.")
    return found


SAMPLE = "none: a sample program that comes with the benchmark; its tokens and prices are invented"
"""Printed instead of model, server and prices for an invented agent."""


def provenance(stats: AgentStats) -> list[tuple[str, str]]:
    """What was run, on which cases, with which customer, as pairs of name and text."""
    results, header, (first, last) = stats.results, stats.header, stats.data.days[stats.results.name]
    agent = stats.usage()
    thought = (
        f"{number.whole(agent.reasoning)} hidden tokens" if agent and agent.reasoning else "none counted"
    )
    drawn = f"{'draw' if len(results.draws) == 1 else 'draws'} {', '.join(results.draws)}"
    settings = ", ".join(f"{name} {value}" for name, value in sorted(header.sampling.items()))
    answered = "replayed from a recording" if results.replayed else "from the servers below"
    asked = [
        ("Cost tier", results.tier or "unknown"),
        ("Model answers", answered),
        ("Reasoning", thought if agent else "no model was called"),
        ("Server", _servers(stats)),
        ("Settings", settings or "none on record"),
        ("Price table", header.prices or "none"),
    ]
    return [
        ("Runs", f"{results.runs}, {_conversations(stats)}, re-scored from the record"),
        *([("Model", SAMPLE)] if results.name in stats.data.invented else asked),
        ("Customer", results.customer),
        ("Channel", CHANNELS[results.channel]),
        ("Desk", DESKS[results.desk]),
        ("Agent's code", ISOLATIONS[results.isolation]),
        ("Status", str(results.verification or "not looked at")),
        ("Dates", f"{first}" if first == last else f"{first} to {last}"),
        ("Set", f"{header.world}, {header.set}, {drawn}, at most {header.turn_limit} turns"),
        ("Policy", header.policy_digest),
        ("Package", header.package),
    ]


def _conversations(stats: AgentStats) -> str:
    """How many there are; honest twins count only in the pairs."""
    own = [row for row in stats.data.rows if row.agent == stats.results.name]
    twins = sum(bool(stats.data.cases[row.case].twin_of) for row in own)
    extra = f", {twins} of them honest twins, which only the pairs count" if twins else ""
    return f"{stats.results.conversations} conversations{extra}"


def _servers(stats: AgentStats) -> str:
    """The hosts that its models' requests went to."""
    hosts = [header.hosts for header in stats.runs]
    roles = sorted({role for places in hosts for role in places})
    return (
        "; ".join(
            f"{role}: {', '.join(sorted({places[role] for places in hosts if role in places}))}"
            for role in roles
        )
        or "none on record"
    )


def serious_kinds(stats: AgentStats) -> str:
    """How many conversations had each kind of serious issue."""
    counts = {check: sum(check in row.issues for row in stats.serious) for check in SERIOUS}
    return listed(f"{ISSUES[check].words} in {count}" for check, count in counts.items() if count)


def unsafe_sentence(stats: AgentStats) -> str:
    """In how many traps it took an unsafe action."""
    unsafe = stats.of("unsafe")
    if unsafe is None:
        return "No trap has a result." if stats.results.traps else "The set has no traps."
    if not unsafe.k:
        return f"It took no unsafe action in {unsafe.n} trap conversations; {bound(unsafe)}."
    first = stats.unsafe_turns[1] or "none"
    return f"It took an unsafe action in {of(unsafe, 'traps')}, {first} after the customer's first message."


def serious_rule() -> str:
    """Which issues are serious."""
    return f"A serious issue is one of: {', '.join(ISSUES[check].words for check in SERIOUS)}."
