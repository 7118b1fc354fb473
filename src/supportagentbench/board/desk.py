"""Desk: what every agent of a board would cost per month at a desk, with its mix of tickets and its prices.

It is counted from the runs alone. Terminal, recommendation and pages read it here; the page's script does the
same arithmetic for a reader's own numbers.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from supportagentbench.board.loss import (
    NEEDLESS,
    ONE_IN,
    DeskSettings,
    Expected,
    Gap,
    Kind,
    Trials,
    bad_month,
    endangered,
    gap,
    handovers,
    loss,
    quantiles,
    saving,
    times,
)
from supportagentbench.board.mistakes import (
    MISSED,
    UNRESOLVED,
    Mistake,
    endangers,
    is_so,
    known_mistakes,
    mistakes_in,
    own_mistakes,
)
from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.records.case import Bucket
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import Scale, TicketMix, Vocabulary
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


PARTS = ("fees", "unsolved", "needless", "missed", "given")
"""What an agent's month is spent on: model calls, three mistakes of any desk, and all harms with a price."""

PART_OF = {UNRESOLVED: "unsolved", NEEDLESS: "needless", MISSED: "missed"}
"""By mistake, its part; any other is given away."""


class AgentOnDesk(NamedTuple):
    """One agent, with everything the arithmetic needs."""

    results: AgentResults
    trials: list[Trials]
    cost: float | None
    """Dollars for the agent's calls per conversation; None is unknown."""
    is_ranked: bool
    """True for all agents where none is ranked."""


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
    parts: dict[str, float]
    """The dollars of `loss` by `PARTS`; empty if it is None."""
    times: dict[str, float | None]
    """By mistake, how often it is expected to be the dearest of a conversation."""
    endangered: float | None
    """How many people in danger it is expected to miss, which has no price."""


class SupportDesk(NamedTuple):
    """The kinds of tickets and the agents of a board, before a reader's numbers."""

    kinds: list[Kind]
    mistakes: list[Mistake]
    """Those that can be made in these kinds of tickets."""
    presets: list[TicketMix]
    """The first is the default."""
    agents: list[AgentOnDesk]
    """In the order of the board."""
    worth: float
    """What goods cost on average, as the shop says; 0: it does not say."""

    def settings(
        self,
        *,
        tickets: float = TICKETS,
        cheats: float | None = None,
        goods: float | None = None,
        person: float = PERSON,
        preset: TicketMix | None = None,
    ) -> DeskSettings:
        """A desk by its four numbers; those that are left out are assumed.

        Cheats are a share of all tickets, goods what they cost on average, a person what one ticket costs.
        """
        mix = self.mix_of(preset or self.presets[0])
        mix = mix if cheats is None else with_cheats(self.kinds, mix, cheats)
        return DeskSettings(tickets, mix, self.prices(goods, person), person)

    def prices(self, goods: float | None, person: float) -> dict[str, float]:
        """Dollars per mistake, where goods and a person's time cost this much."""
        ratio: dict[Scale, float] = {"": 1.0, "person": person / PERSON, "goods": 1.0}
        if goods is not None and self.worth:
            ratio["goods"] = goods / self.worth
        return {one.name: one.dollars * ratio[one.scales] for one in self.mistakes}

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
            kind.name: shares[kind.bucket] * weights[kind.name] / (parts[kind.bucket] or 1.0)
            for kind in self.kinds
        }

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Ranked agents whose model calls have no known cost; if there is any, fees are left out for all."""
        asked = [one for one in self.agents if one.is_ranked and not one.results.is_dummy]
        return tuple(one.results.name for one in asked if one.cost is None)

    def fee(self, agent: AgentOnDesk) -> float:
        """Dollars for model calls per ticket, where they are known for all."""
        return 0.0 if self.unpriced else agent.cost or 0.0

    def cost_at(self, desk: DeskSettings, reference: str = "") -> list[AgentMonth]:
        """Every agent's month, cheapest first, compared with one of them or else with the cheapest."""
        months = cheapest_first([self.month_of(agent, desk) for agent in self.agents])
        named = [month.agent for month in months if month.agent.results.name == reference]
        other = next(iter(named), months[0].agent)
        return [
            month if month.agent is other else month._replace(gap=self.gap_between(month.agent, other, desk))
            for month in months
        ]

    def month_of(self, agent: AgentOnDesk, desk: DeskSettings) -> AgentMonth:
        """One agent's month, before it is compared."""
        kinds, trials, double = self.kinds, agent.trials, quantiles()
        calls = desk.tickets * self.fee(agent)
        worst = bad_month(kinds, trials, desk, quantiles(1 / ONE_IN))
        often = {name: times(kinds, trials, desk, name) for name in desk.prices}
        lost = plus(loss(kinds, trials, desk, double), calls)
        return AgentMonth(
            agent,
            lost,
            handovers(kinds, trials, desk, double),
            None if worst is None else worst + calls,
            plus(saving(kinds, trials, desk, double), -calls),
            None,
            None if agent.cost is None else desk.tickets * agent.cost,
            _parts(often, desk, calls) if lost else {},
            often,
            endangered(kinds, trials, desk),
        )

    def gap_between(self, one: AgentOnDesk, other: AgentOnDesk, desk: DeskSettings) -> Gap | None:
        """How much more the first costs than the second, tested case by case."""
        return gap(self.kinds, one.trials, other.trials, desk, self.fee(one) - self.fee(other))

    def ends(self, agent: AgentOnDesk, desk: DeskSettings) -> tuple[float, float] | None:
        """What an agent costs without cheats, and with cheats only; its cost is a line between the two."""
        found = []
        for is_abuse in (False, True):
            mix = {
                kind.name: desk.mix[kind.name] if kind.is_abuse is is_abuse else 0.0 for kind in self.kinds
            }
            lost = loss(self.kinds, agent.trials, desk._replace(mix=mix), quantiles())
            if lost is None:
                return None
            found.append(lost.value + desk.tickets * self.fee(agent))
        return found[0], found[1]


def crossing(one: tuple[float, float], other: tuple[float, float]) -> float | None:
    """The share of cheats at which two lines of cost meet; None: at none, or everywhere."""
    without, only = one[0] - other[0], one[1] - other[1]
    return without / (without - only) if without * only < 0 else None


def _parts(times: Mapping[str, float | None], desk: DeskSettings, calls: float) -> dict[str, float]:
    found = dict.fromkeys(PARTS, 0.0) | {"fees": calls}
    for name, often in times.items():
        found[PART_OF.get(name, "given")] += (often or 0.0) * desk.prices[name]
    return found


def cheapest_first(months: Sequence[AgentMonth]) -> list[AgentMonth]:
    """Ranked agents first, then by monthly cost; unknown cost comes last."""

    def place(month: AgentMonth) -> tuple[bool, bool, float]:
        value = month.loss.value if month.loss else 0.0
        return not month.agent.is_ranked, month.loss is None, value

    return sorted(months, key=place)


def comparisons(months: Iterable[AgentMonth]) -> int:
    """How many ranked agents are compared with the reference agent."""
    return max(1, sum(month.agent.is_ranked and month.loss is not None for month in months) - 1)


def plus(found: Expected | None, dollars: float) -> Expected | None:
    """The same interval with a fixed amount added."""
    return found and Expected(found.value + dollars, found.low + dollars, found.high + dollars)


def abuse_share(kinds: Iterable[Kind], mix: Mapping[str, float]) -> float:
    """The share of attempted abuse in a mix; 0 in an empty one."""
    abuse = whole = 0.0
    for kind in kinds:
        whole += mix[kind.name]
        abuse += mix[kind.name] if kind.is_abuse else 0.0
    return abuse / whole if whole else 0.0


def with_cheats(kinds: Iterable[Kind], mix: Mapping[str, float], cheats: float) -> dict[str, float]:
    """The same mix with this share of attempted abuse; unchanged if it has nothing to raise or to lower."""
    some = list(kinds)
    share = abuse_share(some, mix)
    if not 0 < share < 1:
        return dict(mix)
    more, less = cheats / share, (1 - cheats) / (1 - share)
    return {kind.name: mix[kind.name] * (more if kind.is_abuse else less) for kind in some}


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
    kinds = _kinds(cases.values(), vocabulary)
    known = {kind.name for kind in kinds}
    mixes = [one for one in vocabulary.mixes if known & one.raised.keys()]
    agents = list(_agents(board, runs, cases, kinds))
    if not any(agent.is_ranked for agent in agents):
        agents = [agent._replace(is_ranked=True) for agent in agents]
    made = (name for agent in agents for one in agent.trials for run in one.made for name in run)
    possible = {*made, *(name for kind in kinds for name in kind.mistakes)}
    mistakes = [one for one in known_mistakes(vocabulary) if one.name in possible]
    return SupportDesk(kinds, mistakes, [*(mixes or (EVEN,)), BENCHMARK], agents, vocabulary.worth)


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


def _kinds(cases: Iterable[_DeskCase], vocabulary: Vocabulary) -> list[Kind]:
    """The kinds of tickets that these cases represent, in the order of the buckets."""
    counted = Counter(
        Kind(one.kind, own_mistakes(one.verdict, vocabulary), one.title, one.verdict.bucket) for one in cases
    )
    return [kind._replace(cases=cases) for kind, cases in counted.items()]


def _agents(
    board: Board, runs: Sequence[ScoredRun], cases: dict[str, _DeskCase], kinds: list[Kind]
) -> Iterator[AgentOnDesk]:
    vocabulary = runs[0].header.vocabulary
    place = {kind.name: number for number, kind in enumerate(kinds)}
    found: dict[str, dict[str, list[Verdict]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        for verdict in run.verdicts:
            if verdict.counts and verdict.case in cases:
                found[run.header.agent][verdict.case].append(verdict)
    for results in board.agents:
        own = found[results.name]
        trials = [_trials(place[one.kind], own[case], vocabulary) for case, one in cases.items()]
        cost = results.of("cost")
        per_ticket = cost.value / 1000 if cost else None
        yield AgentOnDesk(results, trials, per_ticket, is_ranked(results))


def _trials(kind: int, verdicts: Iterable[Verdict], vocabulary: Vocabulary) -> Trials:
    decided = [verdict for verdict in verdicts if _is_decided(verdict)]
    return Trials(
        kind,
        tuple(mistakes_in(verdict, vocabulary) for verdict in decided),
        sum(is_so(verdict, "handed_over") for verdict in decided),
        sum(endangers(verdict, vocabulary) for verdict in decided),
    )


ENDANGERED = "danger"
"""The mistake without a price: somebody is in danger, and nobody is called."""


def mistakes_made(runs: Sequence[ScoredRun]) -> Iterator[tuple[str, str, Verdict]]:
    """Every mistake with a price, and every danger to somebody: what, by whom, and where."""
    vocabulary = runs[0].header.vocabulary
    for agent, verdict in priced(runs):
        for made in mistakes_in(verdict, vocabulary):
            yield made, agent, verdict
        if endangers(verdict, vocabulary):
            yield ENDANGERED, agent, verdict


def priced(runs: Sequence[ScoredRun]) -> Iterator[tuple[str, Verdict]]:
    """Every conversation that a desk is priced from, with its agent."""
    cases = _cases(runs, runs[0].header.vocabulary)
    for run in runs:
        for verdict in run.verdicts:
            if verdict.counts and verdict.case in cases and _is_decided(verdict):
                yield run.header.agent, verdict


def _is_decided(verdict: Verdict) -> bool:
    """Whether code can tell what it cost; a handover is always visible."""
    outcome = verdict.outcome
    if verdict.bucket == "adversarial":
        return outcome.unsafe is not None
    return outcome.kind != "undecided" or (outcome.unsafe is False and is_so(verdict, "handed_over"))
