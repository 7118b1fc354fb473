"""Conversation fact: what one conversation of a ranked agent shows; findings are tested on all of them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from supportagentbench.board.clusters import clusters_of
from supportagentbench.board.mistakes import concerns_danger, endangers, is_so
from supportagentbench.board.pairs import is_decided, pairs_of
from supportagentbench.records.outcome import Handling
from supportagentbench.records.verdict import Verdict
from supportagentbench.site.data.counted import Place
from supportagentbench.site.data.index import ranked_agents
from supportagentbench.site.data.moment import IssueMoment
from supportagentbench.site.data.site_data import IssueEvidence, SiteData


class UnsafeMoment(NamedTuple):
    """How an unsafe action in a trap happened."""

    turn: int
    """The customer's message after which it was carried out."""
    decided: int
    """The customer's message after which it was first offered."""
    had_refused: bool
    """Whether the agent had said no before it offered it."""
    knew: bool
    """Whether it had looked up the facts that rule it out."""


class ConversationFact(NamedTuple):
    """One conversation on a headline case."""

    place: Place
    cluster: str
    """The cases it is likely to fail together with: its case type, or the rule that decides it."""
    is_trap: bool
    handling: Handling
    words: float | None = None
    """Per reply."""
    unsafe: UnsafeMoment | None = None
    """In a trap with an unsafe action."""
    never_looked: bool = False
    """A trap without an unsafe action, but without a look at what decides it."""
    danger: bool = False
    """Whether someone is in danger."""
    missed_danger: bool = False
    """Whether someone is, and no human was called."""
    claimed: bool = False
    """Whether it reports a change that it did not make."""
    has_looked: bool = True
    """Whether the agent looked anything up."""

    @property
    def agent(self) -> str:
        return self.place[1]

    @property
    def unit(self) -> tuple[str, str]:
        """The agent and the case: its runs are similar."""
        return self.place[:2]


class PairFact(NamedTuple):
    """A trap and its honest twin, by one agent in one run; their place is the trap's."""

    place: Place
    cluster: str
    let_through: bool
    """The trap ended with an unsafe action, and the honest customer was served."""
    turned_away: bool
    """The trap was resisted, and the honest customer was not served."""
    twin: Place
    """The conversation with the honest customer."""


class BoardFacts(NamedTuple):
    """All conversations that findings are tested on."""

    conversations: tuple[ConversationFact, ...]
    pairs: tuple[PairFact, ...]
    costs: dict[str, float]
    """By agent, dollars per 1,000 conversations; without those whose cost is unknown."""
    slugs: dict[str, str]
    """The ranked agents in the board's order, with their names in links."""
    runs_differ: bool = False
    """Whether the runs of any agent differ as a whole by more than chance."""
    titles: Mapping[str, str] = {}
    """By case, what people call it."""


def facts_of(data: SiteData) -> BoardFacts:
    """What the conversations of the ranked agents show."""
    ranked = {agent.name: agent for agent in ranked_agents(data.board)}
    runs = [run for run in data.runs if run.header.agent in ranked]
    verdicts = [one for run in runs for one in run.verdicts]
    clusters = {bucket: _clusters([one for one in verdicts if one.bucket == bucket]) for bucket in _BUCKETS}
    costs = {
        name: cost.value
        for name, agent in ranked.items()
        if name not in data.invented and (cost := agent.of("cost"))
    }
    return BoardFacts(
        tuple(_facts(data, set(ranked), clusters)),
        tuple(
            PairFact(
                (trap.case, run.header.agent, trap.run),
                clusters[trap.bucket][trap.case],
                *_side(trap, twin),
                (twin.case, run.header.agent, twin.run),
            )
            for run in runs
            for trap, twin in pairs_of(run.verdicts)
            if trap.bucket == "adversarial" and is_decided(trap, twin)
        ),
        costs,
        {name: data.slugs[name] for name in ranked},
        any(claim.kind == "unstable" and claim.holds for claim in data.board.claims),
        _titles(data),
    )


def _titles(data: SiteData) -> dict[str, str]:
    """A case type, with its number only where it has several cases."""
    often = Counter(one.family for one in data.cases.values() if not one.twin_of)
    return {case: one.title if often[one.family] > 1 else one.case_type for case, one in data.cases.items()}


_BUCKETS = ("resolvable", "must_escalate", "adversarial")


def _clusters(verdicts: list[Verdict]) -> dict[str, str]:
    """By case."""
    cases = {one.case: one for one in verdicts}
    found = clusters_of([one.family for one in cases.values()], [one.decider for one in cases.values()])
    return dict(zip(cases, found, strict=True))


def _side(trap: Verdict, twin: Verdict) -> tuple[bool, bool]:
    served, unsafe = is_so(twin, "resolved"), trap.outcome.unsafe is True
    return unsafe and served, is_so(trap, "held") and not served


def _facts(
    data: SiteData, agents: set[str], clusters: dict[str, dict[str, str]]
) -> Iterator[ConversationFact]:
    turns = {(row.case, row.agent, row.run): row.unsafe_turn for row in data.rows}
    for run in data.runs:
        agent = run.header.agent
        evidence = data.evidence.get(agent, IssueEvidence())
        looked = {(one.case, one.run): one.has_looked for one in evidence.habits}
        moments = {(one.case, one.run, one.check): one for one in reversed(evidence.moments)}
        for verdict in run.verdicts if agent in agents else ():
            if verdict.twin_of or not verdict.counts:
                continue
            place = verdict.case, agent, verdict.run
            moment = moments.get((verdict.case, verdict.run, verdict.outcome.check))
            is_trap = verdict.bucket == "adversarial"
            yield ConversationFact(
                place,
                clusters[verdict.bucket][verdict.case],
                is_trap,
                verdict.outcome.handling,
                verdict.words / verdict.messages if verdict.words and verdict.messages else None,
                _unsafe(moment, turns[place]) if is_trap and verdict.outcome.unsafe else None,
                verdict.outcome.kind == "ignored",
                concerns_danger(verdict, data.vocabulary),
                endangers(verdict, data.vocabulary),
                is_so(verdict, "phantom_action"),
                looked.get((verdict.case, verdict.run), True),
            )


def _unsafe(moment: IssueMoment | None, turn: int | None) -> UnsafeMoment | None:
    if moment is None or turn is None:
        return None
    return UnsafeMoment(turn, moment.message, moment.refusals > 0, moment.knew)
