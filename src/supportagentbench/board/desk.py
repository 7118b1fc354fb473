"""Desk: what every agent of a board would cost per month at a desk, with its mix of tickets and its prices.

It is counted from the runs alone. Terminal, recommendation and pages read it here; the page's script does the
same arithmetic for a reader's own numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.limits import broken_limits
from supportagentbench.board.loss import (
    NEEDLESS,
    ONE_IN,
    DeskSettings,
    Expected,
    Gap,
    Kind,
    Trials,
    bad_month,
    gap,
    handovers,
    loss,
    quantiles,
    saving,
    times,
)
from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.records.case import Bucket
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import TicketMix, Vocabulary
from supportagentbench.results.load import ScoredRun

TICKETS = 10_000
"""The default number of tickets per month."""

PERSON = 6.0
"""The default dollars per ticket that a person handles."""

SHARES: dict[Bucket, float] = {"resolvable": 95, "must_escalate": 4, "adversarial": 1}
"""The assumed percentage of each group of tickets at a desk, unless a mix says otherwise."""

BENCHMARK = TicketMix("benchmark", "As in the benchmark")

EVEN = TicketMix("even", "All case types equally")
"""For a shop without a mix."""


class Mistake(NamedTuple):
    """A mistake that costs money, and its default price."""

    name: str
    title: str
    about: str
    dollars: float


MISTAKES = (
    Mistake(NEEDLESS, "Needless handover", "A routine ticket is handed over to a human.", 6),
    Mistake("unresolved", "Unresolved ticket", "A routine ticket is neither settled nor handed over.", 12),
    Mistake("missed", "Missed escalation", "A ticket that needs a human is not handed over.", 60),
)
"""The mistakes that can be made at any desk; the harms of forbidden actions come from the runs."""


class AgentOnDesk(NamedTuple):
    """One agent, with everything the arithmetic needs."""

    results: AgentResults
    trials: list[Trials]
    cost: float | None
    """Dollars for the agent's calls per conversation; None is unknown."""
    is_ranked: bool
    """True for all agents where none is ranked."""
    breaks: tuple[str, ...]
    """The metrics on which it breaks the board's limits."""


class AgentMonth(NamedTuple):
    """What one agent costs at one desk, per month."""

    agent: AgentOnDesk
    loss: Expected | None
    """Mistakes and model calls; None if it has not tried every kind of ticket in the mix."""
    handovers: Expected | None
    bad_month: float | None
    saving: Expected | None
    gap: Gap | None
    """Compared with the reference agent; None for that agent itself."""
    calls: float | None
    """Dollars for model calls; None is unknown."""
    times: dict[str, float | None]
    """By mistake, how often it is expected."""


class SupportDesk(NamedTuple):
    """The kinds of tickets and the agents of a board, before a reader's numbers."""

    kinds: list[Kind]
    mistakes: list[Mistake]
    """Those that can be made in these kinds of tickets."""
    presets: list[TicketMix]
    """The first is the default."""
    agents: list[AgentOnDesk]
    """In the order of the board."""

    def settings(self, preset: TicketMix | None = None) -> DeskSettings:
        """The desk with the default prices, and this mix or the default one."""
        prices = {mistake.name: mistake.dollars for mistake in self.mistakes}
        return DeskSettings(TICKETS, self.mix_of(preset or self.presets[0]), prices, PERSON)

    def mix_of(self, preset: TicketMix) -> dict[str, float]:
        """The share of every kind of ticket, in percent."""
        if preset is BENCHMARK:
            return {kind.name: float(kind.cases) for kind in self.kinds}
        shares = SHARES | preset.shares
        weights = {kind.name: max(0.0, preset.raised.get(kind.name, 1.0)) for kind in self.kinds}
        parts: defaultdict[str, float] = defaultdict(float)
        for kind in self.kinds:
            parts[kind.bucket] += weights[kind.name]
        return {
            kind.name: round(shares[kind.bucket] * weights[kind.name] / (parts[kind.bucket] or 1.0), 2)
            for kind in self.kinds
        }

    def cost_at(self, desk: DeskSettings) -> list[AgentMonth]:
        """Every agent's month, cheapest first, compared with the cheapest ranked one within the limits."""
        months = [self._month(agent, desk) for agent in self.agents]
        reference = cheapest_first(months, within_first=True)[0].agent
        compared = [
            month
            if month.agent is reference
            else month._replace(gap=self._gap_between(month.agent, reference, desk))
            for month in months
        ]
        return cheapest_first(compared)

    def _month(self, agent: AgentOnDesk, desk: DeskSettings) -> AgentMonth:
        kinds, trials, double = self.kinds, agent.trials, quantiles()
        calls = desk.tickets * (agent.cost or 0.0)
        worst = bad_month(kinds, trials, desk, quantiles(1 / ONE_IN))
        return AgentMonth(
            agent,
            plus(loss(kinds, trials, desk, double), calls),
            handovers(kinds, trials, desk, double),
            None if worst is None else worst + calls,
            plus(saving(kinds, trials, desk, double), -calls),
            None,
            None if agent.cost is None else calls,
            {name: times(kinds, trials, desk, name) for name in desk.prices},
        )

    def _gap_between(self, one: AgentOnDesk, other: AgentOnDesk, desk: DeskSettings) -> Gap | None:
        return gap(self.kinds, one.trials, other.trials, desk, (one.cost or 0.0) - (other.cost or 0.0))

    def turning_point(self, one: AgentOnDesk, other: AgentOnDesk, desk: DeskSettings) -> float | None:
        """The share of abuse above which the first costs more, with the rest of the mix unchanged."""
        gaps = []
        for is_abuse in (False, True):
            part = desk._replace(
                mix={
                    kind.name: desk.mix[kind.name] if kind.is_abuse is is_abuse else 0.0
                    for kind in self.kinds
                }
            )
            first, second = (loss(self.kinds, agent.trials, part, quantiles()) for agent in (one, other))
            if first is None or second is None:
                return None
            gaps.append(first.value - second.value + desk.tickets * ((one.cost or 0.0) - (other.cost or 0.0)))
        without, only = gaps
        return without / (without - only) if without < 0 < only else None


def cheapest_first(months: Sequence[AgentMonth], *, within_first: bool = False) -> list[AgentMonth]:
    """Ranked agents first, then by monthly cost; unknown cost comes last."""

    def place(month: AgentMonth) -> tuple[bool, bool, bool, float]:
        is_late = within_first and bool(month.agent.breaks)
        value = month.loss.value if month.loss else 0.0
        return not month.agent.is_ranked, month.loss is None, is_late, value

    return sorted(months, key=place)


def comparisons(months: Iterable[AgentMonth]) -> int:
    """How many ranked agents are compared with the reference agent."""
    return max(1, sum(month.agent.is_ranked and month.loss is not None for month in months) - 1)


def leading(months: Sequence[AgentMonth]) -> list[AgentMonth]:
    """The cheapest agent within the limits, and others within them without a significant difference.

    If every agent breaks a limit, the same over all agents.
    """
    ranked = [month for month in cheapest_first(months) if month.agent.is_ranked and month.loss]
    some = [month for month in ranked if not month.agent.breaks] or ranked
    return [month for month in some if month.gap is None or month.gap.p * comparisons(months) > LEVEL]


def plus(found: Expected | None, dollars: float) -> Expected | None:
    """The same interval with a fixed amount added."""
    return found and Expected(found.value + dollars, found.low + dollars, found.high + dollars)


class _DeskCase(NamedTuple):
    """A case, with the kind of ticket it stands for."""

    kind: str
    title: str
    verdict: Verdict


def desk_of(board: Board, runs: Sequence[ScoredRun]) -> SupportDesk | None:
    """The desk that these runs tell about; None if no case has anything with a price."""
    vocabulary = runs[0].header.vocabulary
    cases = _cases(runs, vocabulary)
    if not cases:
        return None
    kinds = _kinds(cases.values())
    known = {kind.name for kind in kinds}
    mixes = [one for one in vocabulary.mixes if known & one.raised.keys()]
    agents = list(_agents(board, runs, cases, kinds))
    if not any(agent.is_ranked for agent in agents):
        agents = [agent._replace(is_ranked=True) for agent in agents]
    possible = {name for kind in kinds for name in kind.mistakes}
    mistakes = [one for one in mistakes_of(vocabulary) if one.name in possible]
    return SupportDesk(kinds, mistakes, [*(mixes or (EVEN,)), BENCHMARK], agents)


def mistakes_of(vocabulary: Vocabulary) -> list[Mistake]:
    """Every mistake with a price: those of any desk, then the harms of this shop."""
    return [*MISTAKES, *(Mistake(one.name, one.title, one.about, one.dollars) for one in vocabulary.harms)]


def _cases(runs: Iterable[ScoredRun], vocabulary: Vocabulary) -> dict[str, _DeskCase]:
    """Every headline case, by bucket, type and number; a trap without a named harm has no price."""
    found: dict[str, _DeskCase] = {}
    for verdict in (verdict for run in runs for verdict in run.verdicts):
        if verdict.twin_of or verdict.case in found:
            continue
        harm = vocabulary.at_stake(verdict.family)
        if verdict.bucket != "adversarial":
            found[verdict.case] = _DeskCase(verdict.family, vocabulary.case_type(verdict.family), verdict)
        elif harm:
            found[verdict.case] = _DeskCase(harm.name, harm.title, verdict)
    return dict(sorted(found.items(), key=lambda item: _case_order(item[1].verdict)))


def _case_order(verdict: Verdict) -> tuple[int, str, int, str]:
    return [*SHARES].index(verdict.bucket), verdict.family, len(verdict.case), verdict.case


def _kinds(cases: Iterable[_DeskCase]) -> list[Kind]:
    """The kinds of tickets that these cases represent, in the order of the buckets."""
    some = list(cases)
    counted = Counter((one.verdict.bucket, one.kind, one.title) for one in some)
    mistakes: dict[Bucket, tuple[str, ...]] = {
        "resolvable": (NEEDLESS, "unresolved"),
        "must_escalate": ("missed",),
    }
    return [
        Kind(name, mistakes.get(bucket, (name,)), title, bucket, cases)
        for (bucket, name, title), cases in counted.items()
    ]


def _agents(
    board: Board, runs: Sequence[ScoredRun], cases: dict[str, _DeskCase], kinds: list[Kind]
) -> Iterator[AgentOnDesk]:
    place = {kind.name: number for number, kind in enumerate(kinds)}
    found: dict[str, dict[str, list[Verdict]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        for verdict in run.verdicts:
            if verdict.counts:
                found[run.header.agent][verdict.case].append(verdict)
    for results in board.agents:
        trials = [
            _trials(place[one.kind], kinds[place[one.kind]], found[results.name][case])
            for case, one in cases.items()
        ]
        cost = results.of("cost")
        per_ticket = cost.value / 1000 if cost else None
        yield AgentOnDesk(results, trials, per_ticket, is_ranked(results), tuple(broken_limits(results)))


def _trials(number: int, kind: Kind, verdicts: list[Verdict]) -> Trials:
    verdicts = [verdict for verdict in verdicts if _is_decided(verdict)]
    made = [_mistake(verdict) for verdict in verdicts]
    hits = (len(made) - made.count(""),) if len(kind.mistakes) == 1 else map(made.count, kind.mistakes)
    handed = sum(_is(verdict, "handed_over") for verdict in verdicts)
    return Trials(number, len(verdicts), tuple(hits), handed)


def mistakes_made(runs: Sequence[ScoredRun]) -> Iterator[tuple[str, str, Verdict]]:
    """Every conversation with a mistake that has a price: the mistake, the agent and the verdict."""
    cases = _cases(runs, runs[0].header.vocabulary)
    for run in runs:
        for verdict in run.verdicts:
            if not (verdict.counts and verdict.case in cases and _is_decided(verdict)):
                continue
            if made := _mistake(verdict):
                yield (
                    cases[verdict.case].kind if verdict.bucket == "adversarial" else made,
                    run.header.agent,
                    verdict,
                )


def _is_decided(verdict: Verdict) -> bool:
    """Whether code can tell how it ended; a handover is always visible."""
    if verdict.bucket == "adversarial":
        return verdict.outcome.unsafe is not None
    resolved = verdict.of("resolved")
    return resolved is None or resolved.value is not None or _is(verdict, "handed_over")


def _mistake(verdict: Verdict) -> str:
    """The mistake made in a conversation; empty if there is none with a price."""
    match verdict.bucket:
        case "adversarial":
            return "unsafe" if verdict.outcome.unsafe else ""
        case "must_escalate":
            return "" if _is(verdict, "escalated") else "missed"
        case _:
            if _is(verdict, "over_escalated"):
                return NEEDLESS
            settled = _is(verdict, "resolved") or _is(verdict, "handed_over")
            return "" if settled else "unresolved"


def _is(verdict: Verdict, check: str) -> bool:
    found = verdict.of(check)
    return found is not None and found.counts_as is True
