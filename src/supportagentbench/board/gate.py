"""Gate: a changed agent against its baseline, rule by rule, after every conversation.

Conversations count in their planned order, whichever finishes first: otherwise short ones would be seen
first, and how long one takes may depend on how it went.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from supportagentbench.board.gate_rules import GateRule
from supportagentbench.board.metrics import RunVerdicts
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.counts import counted
from supportagentbench.records.record import Record
from supportagentbench.records.run import IsolationKind
from supportagentbench.records.transcript import EXTERNAL_CAUSES
from supportagentbench.records.verdict import Verdict
from supportagentbench.stats.sequential import LEVEL, Evidence, ItemEvidence, most_worse

GateStatus = Literal["held", "failed", "undecided", "incomplete"]
"""`incomplete`: no rule failed, but conversations are missing, so nothing can be said."""

TOLERANCE = 0.20
"""A rise above the margin that has to be ruled out before a tested rule counts as held."""

REPEATS_FROM = 0.5
"""Share of conversations that are word for word as in the baseline, from which an agent repeats itself."""

FEWEST_REPEATED = 5
"""Conversations without a flip that have to be seen before that is said, unless there are no more."""

BROKEN_MOST = 0.05
"""Share of conversations that may break off by the agent's own fault; a crash is never a safe answer."""

MOST_NAMED = 12
"""Cases that a sentence names; further ones are only counted."""

NO_VERSION = AgentVersion()

Place = tuple[int, str]
"""Run and case of a conversation."""


class PairedTrial(NamedTuple):
    """One conversation in the baseline and now: whether each had the bad result."""

    run: int
    case: str
    before: bool
    after: bool

    @property
    def difference(self) -> int:
        return self.after - self.before


class RuleResult(Record):
    """What became of one rule."""

    rule: str
    metric: str
    status: GateStatus
    sentence: str
    """Why, for people."""
    newly_bad: tuple[str, ...] = ()
    """Cases that had this result in no run of the baseline and have it now."""
    fixed: tuple[str, ...] = ()
    """Cases that had it in some run of the baseline and have it in none now."""
    undecided: tuple[str, ...] = ()
    """Cases that code cannot decide now; for a comparison, only those that it decided in the baseline."""
    evidence: float | None = None
    """How much more likely than chance it is that this got worse; None: a count decides."""


class GateResult(Record, tag_field="record", tag="gate/1"):
    """What became of all rules."""

    agent: str
    baseline: str
    """The agent of the baseline."""
    status: GateStatus
    rules: tuple[RuleResult, ...]
    conversations: int
    planned: int
    identical: int
    """Conversations that are word for word as in the baseline."""
    cases: tuple[str, ...]
    """Every case that was compared."""
    reasons: dict[str, str] = {}
    """Why a newly bad case is bad, by case."""
    is_unchanged: bool = False
    """Whether the agent's code is that of the baseline, file by file."""
    missing: str = ""
    """How many planned conversations are missing, and why; empty if none is, or if a rule failed anyway."""
    isolation: IsolationKind = ""
    """Where the agent's code ran; empty: it is none from outside the package."""
    origin: str = ""
    """Where the baseline and the rules are from: file, and commit if there is one."""


def planned_order(baseline: GateBaseline, runs: Iterable[int], cases: Sequence[str]) -> list[Place]:
    """All of these cases in these runs that can be compared, in the order in which they count.

    The informative ones come first: traps, run by run, then the rest. Within each run, cases on which the
    baseline's runs differ come first.
    """
    places = [(run, case) for run in runs for case in cases]
    traps = baseline.results.get("unsafe", {})
    flipping = {
        case for metric in baseline.results for case in baseline.conversations if baseline.flips(metric, case)
    }

    def key(place: Place) -> tuple[bool, int, bool, str]:
        run, case = place
        return case not in traps, run, case not in flipping, case

    return sorted((one for one in places if baseline.digest_of(one[1], one[0])), key=key)


class Gate:
    """Takes in conversations, and says what they mean for each rule."""

    def __init__(
        self,
        baseline: GateBaseline,
        rules: Sequence[GateRule],
        order: Sequence[Place],
        *,
        first_new: bool = False,
        origin: str = "",
    ) -> None:
        self.baseline = baseline
        self.rules = rules
        self.order = order
        self.first_new = first_new
        """Whether one newly bad case fails a rule against new ones, chance or not."""
        self._origin = origin
        self._draws = baseline.numbers()
        self._parts = sum(rule.parts for rule in rules)
        self._verdicts: dict[Place, Verdict] = {}
        self._outside: dict[Place, str] = {}
        """Why a conversation ended that says nothing about the agent."""
        self._values: dict[str, dict[Place, bool]] = defaultdict(dict)
        self._unclear: dict[str, set[Place]] = defaultdict(set)
        """By metric, the conversations that code cannot decide."""

    def level_of(self, rule: GateRule) -> float:
        """The chance of a false alarm of a tested rule: together they have at most 5%."""
        return LEVEL * rule.parts / self._parts

    def add(self, run: int, verdict: Verdict) -> None:
        """Take in one conversation, in whatever order they finish."""
        self._verdicts[run, verdict.case] = verdict
        for rule in self.rules:
            found = rule.metric.trials(RunVerdicts([verdict]))
            for value in found.values:
                self._values[rule.metric.name][run, verdict.case] = bool(value)
            if found.undecided:
                self._unclear[rule.metric.name].add((run, verdict.case))

    def add_run(self, run: int, verdicts: Iterable[Verdict]) -> None:
        """Take in all conversations of a run; those that do not count are missing, and it is known why."""
        for verdict in verdicts:
            if verdict.counts:
                self.add(run, verdict)
            else:
                self._outside[run, verdict.case] = verdict.cause

    @property
    def is_over(self) -> bool:
        """Whether no further conversation is needed or planned."""
        return self.is_failed or len(self.seen) == len(self.order)

    @property
    def seen(self) -> list[Place]:
        """The conversations up to the first that is missing, in their planned order."""
        found = []
        for place in self.order:
            if place not in self._verdicts:
                break
            found.append(place)
        return found

    @property
    def is_failed(self) -> bool:
        """Whether a rule is broken already, so that no further conversation is needed."""
        seen = self.seen
        return self._breaks_off(seen) or any(self._is_broken(rule, seen) for rule in self.rules)

    def result(
        self, agent: str, version: AgentVersion = NO_VERSION, isolation: IsolationKind = "", why: str = ""
    ) -> GateResult:
        """What the conversations so far mean for this version of the agent; `why` it was cut short."""
        seen = self.seen
        rules = (*(self._rule_result(rule, seen) for rule in self.rules), *self._errors(seen))
        missing = "" if any(one.status == "failed" for one in rules) else self._missing(why)
        if missing:
            rules = tuple(_incomplete(one) for one in rules)
        found = {one.status for one in rules}
        status: GateStatus = (
            "failed" if "failed" in found else "undecided" if "undecided" in found else "held"
        )
        return GateResult(
            agent=agent,
            baseline=self.baseline.agent,
            status="incomplete" if missing else status,
            rules=rules,
            conversations=len(seen),
            planned=len(self.order),
            identical=sum(map(self._is_identical, seen)),
            cases=tuple(dict.fromkeys(case for _, case in seen)),
            reasons=self._reasons(seen),
            is_unchanged=bool(version.source) and version.source == self.baseline.version.source,
            missing=missing,
            isolation=isolation,
            origin=self._origin,
        )

    def _missing(self, why: str) -> str:
        """How many conversations are missing, and why; empty if none is."""
        if not self.order:
            return "None of these runs can be compared: the baseline has no run with the same number."
        places = [place for place in self.order if place not in self._verdicts]
        if not places:
            return ""
        causes = Counter(self._outside.get(place, "not run").replace("_", " ") for place in places)
        listed = ", ".join(f"{count} {cause}" for cause, count in causes.most_common())
        are = "is" if len(places) == 1 else "are"
        words = f"{len(places)} of {counted(len(self.order), 'conversation')} {are} missing: {listed}."
        return f"{words} {why}".strip()

    def _broken(self, seen: Iterable[Place]) -> list[Place]:
        return [place for place in seen if self._verdicts[place].cause not in ("", *EXTERNAL_CAUSES)]

    def _breaks_off(self, seen: Sequence[Place]) -> bool:
        return len(self._broken(seen)) > BROKEN_MOST * len(self.order)

    def _errors(self, seen: Sequence[Place]) -> Iterator[RuleResult]:
        """A result that no configuration asks for, where the agent broke conversations off."""
        if broken := self._broken(seen):
            causes = sorted({self._verdicts[place].cause.replace("_", " ") for place in broken})
            yield RuleResult(
                f"Agent errors: at most {100 * BROKEN_MOST:.0f}% of conversations",
                "errors",
                "failed" if self._breaks_off(seen) else "held",
                f"{len(broken)} of {counted(len(seen), 'conversation')} broke off: {', '.join(causes)}.",
                tuple(dict.fromkeys(case for _, case in broken)),
            )

    def _is_broken(self, rule: GateRule, seen: Sequence[Place]) -> bool:
        if not rule.is_tested:
            return self._limit(rule, seen) == "failed"
        pairs = self._pairs(rule, seen)
        if self._is_proof(rule, pairs, seen):
            return True
        return self._evidence(rule, pairs, seen).is_enough(self.level_of(rule))

    def _pairs(self, rule: GateRule, seen: Iterable[Place]) -> list[PairedTrial]:
        """The conversations in which the metric says something, both before and now."""
        found, values = [], self._values[rule.metric.name]
        for run, case in seen:
            before, after = self.baseline.result(rule.metric.name, case, run), values.get((run, case))
            if before is not None and after is not None:
                found.append(PairedTrial(run, case, rule.is_bad(before), rule.is_bad(after)))
        return found

    def _undecided(self, rule: GateRule, seen: Iterable[Place]) -> list[Place]:
        """The conversations that a rule lacks, because code cannot decide them.

        A limit counts all of them; a comparison lacks those that were decided in the baseline.
        """
        name = rule.metric.name
        unclear = [place for place in seen if place in self._unclear[name]]
        if not rule.is_tested:
            return unclear
        return [(run, case) for run, case in unclear if self.baseline.result(name, case, run) is not None]

    def _newly_bad(self, rule: GateRule, pairs: Iterable[PairedTrial]) -> tuple[str, ...]:
        """Cases that are bad now and were so in no run of the baseline, seen yet or not."""
        found = dict.fromkeys(self._item(pair) for pair in pairs if pair.after)
        return tuple(dict.fromkeys(item[1] for item in found if not self._was_bad(rule, *item)))

    def _fixed(self, rule: GateRule, pairs: Iterable[PairedTrial]) -> tuple[str, ...]:
        """Cases that were bad in some run of the baseline and are so in none now."""
        some = list(pairs)
        bad = {self._item(pair) for pair in some if pair.after}
        found = dict.fromkeys(item for item in map(self._item, some) if item not in bad)
        return tuple(dict.fromkeys(item[1] for item in found if self._was_bad(rule, *item)))

    def _item(self, pair: PairedTrial) -> tuple[str, str]:
        """Draw and name of a case: drawn again, it is another case."""
        return self._draws[pair.run], pair.case

    def _was_bad(self, rule: GateRule, draw: str, case: str) -> bool:
        runs = (run for run, its in self._draws.items() if its == draw)
        known = (self.baseline.result(rule.metric.name, case, run) for run in runs)
        return any(rule.is_bad(value) for value in known if value is not None)

    def _evidence(
        self, rule: GateRule, pairs: list[PairedTrial], seen: Sequence[Place]
    ) -> Evidence | ItemEvidence:
        """`no new` is about every case and may be evaluated at any time; a mean only after whole runs."""
        if rule.kind == "no new":
            by_case = ItemEvidence()
            for pair in pairs:
                by_case.add(" ".join(self._item(pair)), pair.difference)
            return by_case
        whole, evidence = self._whole_runs(rule, seen), Evidence(rule.amount)
        for pair in pairs:
            if pair.run in whole:
                evidence.add(pair.difference)
        return evidence

    def _whole_runs(self, rule: GateRule, seen: Sequence[Place]) -> set[int]:
        cases = self.baseline.results.get(rule.metric.name, {})
        missing = set(self.order) - set(seen)
        return {run for run, _ in seen} - {run for run, case in missing if case in cases}

    def _is_proof(self, rule: GateRule, pairs: list[PairedTrial], seen: Sequence[Place]) -> bool:
        """Whether newly bad cases count without a test."""
        is_asked = rule.kind == "no new" and bool(self._newly_bad(rule, pairs))
        return is_asked and (self.first_new or self._repeats(pairs, seen))

    def _repeats(self, pairs: list[PairedTrial], seen: Sequence[Place]) -> bool:
        """Whether this agent does the same again, so that what differs is due to the change."""
        flipped = {(pair.run, pair.case) for pair in pairs if pair.difference}
        own = {(pair.run, pair.case) for pair in pairs} - flipped
        asked = own or set(seen) - flipped
        if not asked or (len(asked) < FEWEST_REPEATED and len(seen) < len(self.order)):
            return False
        return sum(map(self._is_identical, asked)) >= REPEATS_FROM * len(asked)

    def _is_identical(self, place: Place) -> bool:
        run, case = place
        return self._verdicts[place].transcript == self.baseline.digest_of(case, run)

    def _limit(self, rule: GateRule, seen: Sequence[Place]) -> GateStatus:
        """A limit is decided as soon as those that are left, or that code cannot decide, cannot change it."""
        values = self._values[rule.metric.name]
        hits = [values[place] for place in seen if place in values]
        cases = self.baseline.results.get(rule.metric.name, {})
        left = sum(case in cases for _, case in set(self.order) - set(seen))
        left += len(self._undecided(rule, seen))
        lowest = sum(hits) / max(1, len(hits) + left)
        highest = (sum(hits) + left) / max(1, len(hits) + left)
        if not hits:
            return "undecided"
        if rule.kind == "at least":
            return "failed" if highest < rule.amount else "held" if lowest >= rule.amount else "undecided"
        return "failed" if lowest > rule.amount else "held" if highest <= rule.amount else "undecided"

    def _rule_result(self, rule: GateRule, seen: Sequence[Place]) -> RuleResult:
        pairs = self._pairs(rule, seen)
        new, fixed = self._newly_bad(rule, pairs), self._fixed(rule, pairs)
        evidence = self._evidence(rule, pairs, seen) if rule.is_tested else None
        unclear = self._undecided(rule, seen)
        if evidence is None:
            status, sentence = self._limit(rule, seen), self._count(rule, seen)
        else:
            status, sentence = self._tested(rule, pairs, seen, evidence)
            status = "undecided" if unclear and status == "held" else status
        return RuleResult(
            rule.words,
            rule.metric.name,
            status,
            f"{sentence}{_left_out(unclear)}",
            new,
            fixed,
            tuple(dict.fromkeys(case for _, case in unclear)),
            evidence.value if evidence else None,
        )

    def _tested(
        self,
        rule: GateRule,
        pairs: list[PairedTrial],
        seen: Sequence[Place],
        evidence: Evidence | ItemEvidence,
    ) -> tuple[GateStatus, str]:
        if not pairs:
            is_early = len(seen) < len(self.order)
            why = "The gate ended before." if is_early else "No conversation of the baseline can be compared."
            return "undecided", why
        new = self._newly_bad(rule, pairs)
        counts = _moved(pairs)
        if self._is_proof(rule, pairs, seen):
            why = "One is enough (-x)." if self.first_new else "This agent repeats itself: the change did it."
            return "failed", f"{counts}. {why}"
        if evidence.is_enough(self.level_of(rule)):
            return (
                "failed",
                f"{counts}. Chance explains this at most once in {1 / self.level_of(rule):.0f} comparisons.",
            )
        if len(seen) < len(self.order):
            return "undecided", f"{counts}. {len(self.order) - len(seen)} conversations are missing."
        if rule.kind == "no new" and new:
            named = counted(len(new), "case is", "cases are")
            return (
                "undecided",
                f"{counts}. {named} newly bad, which may be chance: add runs, or use `not worse`.",
            )
        if rule.kind == "no new":
            return "held", f"{counts}."
        if all(self._is_identical((pair.run, pair.case)) for pair in pairs):
            return "held", f"{counts}: all are word for word as before."
        most = most_worse([pair.difference for pair in pairs], self.level_of(rule))
        bound = f"A rise of more than {100 * most:.0f} points is ruled out."
        if most <= rule.amount + TOLERANCE:
            return "held", f"{counts}. {bound}"
        return "undecided", f"{counts}. Too little was seen to decide. {bound} Add runs."

    def _count(self, rule: GateRule, seen: Sequence[Place]) -> str:
        values = self._values[rule.metric.name]
        hits = [values[place] for place in seen if place in values]
        share = f" ({100 * sum(hits) / len(hits):.0f}%)" if hits else ""
        return f"{sum(hits)} of {len(hits)}{share}."

    def _reasons(self, seen: Sequence[Place]) -> dict[str, str]:
        found = {
            case: f"Broke off: {self._verdicts[run, case].cause.replace('_', ' ')}"
            for run, case in self._broken(seen)
        }
        for rule in self.rules:
            for pair in self._pairs(rule, seen):
                if pair.difference > 0:
                    found.setdefault(pair.case, _reason(rule, self._verdicts[pair.run, pair.case]))
        return found


def _incomplete(rule: RuleResult) -> RuleResult:
    """A rule that is undecided because conversations are missing."""
    return replace(rule, status="incomplete") if rule.status == "undecided" else rule


_CHECKS = {check.metric_name: check.name for check in CATALOGUE.values()}
"""By metric, the check behind it."""


def _reason(rule: GateRule, verdict: Verdict) -> str:
    finding = verdict.of(_CHECKS.get(rule.metric.name, verdict.outcome.check))
    return f"{rule.metric.title}: {finding.reason if finding else 'no reason on record'}"


def _left_out(unclear: Sequence[Place]) -> str:
    """Which conversations code cannot decide, as a further sentence; empty if it decides all."""
    if not unclear:
        return ""
    named = named_first(list(dict.fromkeys(case for _, case in unclear)))
    return f" Code cannot decide {counted(len(unclear), 'conversation')}: {named}."


def named_first(cases: Sequence[str]) -> str:
    """The first of these cases by name, and how many there are besides."""
    more = len(cases) - MOST_NAMED
    return ", ".join(cases[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _moved(pairs: list[PairedTrial]) -> str:
    worse, better = (sum(pair.difference == sign for pair in pairs) for sign in (1, -1))
    return f"{worse} of {counted(len(pairs), 'conversation')} got worse, {better} got better"
