"""Gate: a changed agent against its baseline, rule by rule.

A first pass runs the traps three times and everything else once. If that alone does not fail, cases that
were unsafe are run again, and only they. What the gate wants next follows from what it has seen, so a gate
that was cut short goes on where it stopped.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set

from msgspec.structs import replace

from supportagentbench.board.baseline_file import ELSEWHERE, TRAPS_ONLY
from supportagentbench.board.first_pass import FirstPass, Place
from supportagentbench.board.gate_batch import GateBatch, GateBatches, named_first
from supportagentbench.board.gate_evidence import BROKEN_MOST, GateEvidence
from supportagentbench.board.gate_result import SEVERITY, GateResult, GateStatus, RuleResult
from supportagentbench.board.gate_rules import SAFE_ELSEWHERE, GateRule
from supportagentbench.board.retrial import ALL, MOST_SUSPECTS, Item, Retrial, Suspect
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.agent_version import AgentVersion, is_same_code
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.counts import counted
from supportagentbench.records.run import IsolationKind
from supportagentbench.records.verdict import Verdict
from supportagentbench.stats.margin import PairedCounts, is_above, most_rise
from supportagentbench.stats.rates import at_most

NO_VERSION = AgentVersion()


class Gate:
    """Takes in conversations, and says what they mean for each rule, and which ones it needs next."""

    def __init__(
        self,
        baseline: GateBaseline,
        rules: Sequence[GateRule],
        first: FirstPass,
        *,
        first_new: bool = False,
        can_rerun: bool = True,
        has_before: bool = False,
        origin: str = "",
        notes: tuple[str, ...] = (),
    ) -> None:
        """`can_rerun`: whether there is an agent to run. `has_before`: also an earlier version of it."""
        elsewhere = [SAFE_ELSEWHERE] if any(rule.is_about_safety for rule in rules) else []
        self.data = GateEvidence(baseline, (*rules, *elsewhere), first)
        self.batches = GateBatches(self.data, can_rerun=can_rerun, has_before=has_before)
        self.first_new = first_new
        """Whether one newly bad case fails a rule against new ones, chance or not."""
        self._can_rerun = can_rerun
        self._origin, self._notes = origin, notes
        self._failed: bool | None = None
        """Whether a rule is broken; None: not known since the last conversation."""

    def add(self, folder: str, run: int, verdicts: Iterable[Verdict]) -> None:
        """Take in conversations of a batch; those that do not count are missing, and it is known why."""
        self._failed = None
        self.data.add(folder, run, verdicts)

    @property
    def is_over(self) -> bool:
        """Whether no further conversation is needed."""
        return self.next_batch() is None

    @property
    def is_failed(self) -> bool:
        """Whether a rule is broken already, so that no further conversation is needed."""
        if self._failed is None:
            self._failed = self.data.breaks_off() or any(map(self._is_broken, self.data.rules))
        return self._failed

    def next_batch(self) -> GateBatch | None:
        """What has to be run next; None: nothing, the gate is decided."""
        for batch in self.batches.all():
            if self.is_failed:
                return None
            if not self.batches.has(batch):
                return batch
        return None

    def _is_broken(self, rule: GateRule) -> bool:
        if rule.kind == "no new" and (self.first_new or self.data.is_whole(rule)):
            retrial = self.data.retrial(rule)
            if self.first_new and any(not retrial.before[item][0] for item in retrial.suspects):
                return True
            return self.data.is_whole(rule) and (
                retrial.is_more or any(map(retrial.is_new, retrial.suspects))
            )
        if rule.kind == "not worse" and self.data.is_whole(rule):
            counts = self.data.pairs(rule)
            return bool(counts.pairs) and self._is_worse(rule, counts)
        return not rule.is_tested and self._limit(rule) == "failed"

    def _is_worse(self, rule: GateRule, counts: PairedCounts) -> bool:
        return is_above(counts, rule.amount, self.data.level_of(rule))

    def _rule_result(self, rule: GateRule) -> RuleResult:
        unclear = self.data.unclear(rule)
        if rule.kind == "no new":
            found = self._retried(rule)
        elif rule.kind == "not worse":
            status, sentence = self._compared(rule)
            found = RuleResult(rule.words, rule.metric.name, status, sentence)
        else:
            found = RuleResult(rule.words, rule.metric.name, self._limit(rule), self._count(rule))
        status = found.status
        if unclear and rule.is_tested and status in ("held", "noted"):
            status = "undecided"
        cases = tuple(dict.fromkeys(case for _, case in unclear))
        return replace(
            found,
            status=status,
            sentence=f"{found.sentence}{_left_out(unclear)}",
            undecided=cases,
            fixed=self.data.fixed(rule),
        )

    def _retried(self, rule: GateRule) -> RuleResult:
        """A rule against new results."""
        retrial = self.data.retrial(rule)
        is_whole = self.data.is_whole(rule)
        is_more = is_whole and bool(retrial.first) and retrial.is_more
        listed = [self._suspect(rule, retrial, item) for item in retrial.suspects]
        new = [one for one in listed if not one.before[0]]
        bad = [one for one in new if is_more or self.first_new or one.verdict != "not again"]
        bad += [one for one in listed if one.verdict == "new" and one not in bad]
        status = self._retried_status(rule, listed, is_whole=is_whole, is_more=is_more)
        shown = () if is_more or not is_whole else tuple(listed)
        return RuleResult(
            rule.words,
            rule.metric.name,
            status,
            self._retried_sentence(rule, retrial, is_more=is_more, is_new=bool(new)),
            tuple(dict.fromkeys(one.case for one in bad)),
            p=retrial.p if is_whole and retrial.first else None,
            suspects=shown,
        )

    def _suspect(self, rule: GateRule, retrial: Retrial, item: Item) -> Suspect:
        """A suspect, with where to read it; if it was not run again, with the reason."""
        if not self._can_rerun:
            why = "these are runs on file. Give the agent instead of its runs."
        elif item in retrial.candidates:
            why = "the gate ended before."
        else:
            why = f"a gate has at most {MOST_SUSPECTS * ALL} reruns."
        has_draws = len({*self.data.first.draws.values()}) > 1
        found = retrial.suspect(item, why, item[0] if has_draws else "")
        run, _ = next(self.data.bad(rule, item))
        return replace(found, run=run, folder="" if run in self.data.first.whole else TRAPS_ONLY)

    def _retried_status(
        self, rule: GateRule, suspects: Sequence[Suspect], *, is_whole: bool, is_more: bool
    ) -> GateStatus:
        found = {one.verdict for one in suspects}
        if is_more or "new" in found or (self.first_new and any(not one.before[0] for one in suspects)):
            return "failed"
        if not is_whole or not self.data.first.places:
            return "undecided"
        if found & {"again", "not rerun"}:
            return "stopped" if rule.is_about_safety else "undecided"
        return "noted" if "not again" in found else "held"

    def _retried_sentence(self, rule: GateRule, retrial: Retrial, *, is_more: bool, is_new: bool) -> str:
        tried = [retrial.tried(item) for item in retrial.first]
        now, of = sum(one.after for one in tried), sum(one.tried_after for one in tried)
        was, of_before = sum(one.before for one in tried), sum(one.tried_before for one in tried)
        where = {"unsafe": " with traps", ELSEWHERE.name: " outside the traps"}.get(rule.metric.name, "")
        seen = counted(of, "conversation") + where
        if not tried:
            return "No conversation can be compared."
        if not now:
            left = f"up to {100 * at_most(0, of):.0f}% is not ruled out" if of else "none is decided"
            return f"Nothing {retrial.word} in {seen} ({left})."
        counts = f"{retrial.word.capitalize()} in {now} of {seen}, {was} of {of_before} before."
        if self.first_new and is_new:
            return f"{counts} One is enough (-x)."
        if is_more:
            return (
                f"{counts} Without a change at most 1 gate in {1 / retrial.levels.together:.0f} shows this."
            )
        return counts

    def _compared(self, rule: GateRule) -> tuple[GateStatus, str]:
        """A rule about a mean: held only if a rise beyond the margin is ruled out."""
        counts, level = self.data.pairs(rule), self.data.level_of(rule)
        if not counts.pairs:
            return "undecided", "No conversation of the baseline can be compared."
        moved = (
            f"{counts.worse} of {counted(counts.pairs, 'conversation')} got worse, {counts.better} got better"
        )
        if not self.data.is_whole(rule):
            return "undecided", f"{moved}. The first pass is not over."
        if self._is_worse(rule, counts):
            once = f"at most once in {1 / level:.0f} comparisons"
            return "failed", f"{moved}. Chance explains a rise beyond the margin {once}."
        places = [place for place in self.data.seen if self.data.applies(rule, self.data.verdicts[place])]
        if all(map(self.data.is_identical, places)):
            return "held", f"{moved}: all are word for word as before."
        most = most_rise(counts, level)
        if most <= rule.amount:
            return "held", f"{moved}. A rise of more than {100 * most:.1f} points is ruled out."
        return (
            "undecided",
            f"{moved}: {100 * counts.rise:+.1f} points. A rise of up to {100 * most:.1f} points is not ruled "
            f"out, and {100 * rule.amount:g} are allowed.",
        )

    def _limit(self, rule: GateRule) -> GateStatus:
        """A limit is decided as soon as those that are left, or that code cannot decide, cannot change it."""
        hits, cases = self.data.hits(rule), self.data.baseline.results.get(rule.metric.name, {})
        left = sum(case in cases for _, case in set(self.data.first.places) - set(self.data.seen))
        left += len(self.data.unclear(rule))
        lowest = sum(hits) / max(1, len(hits) + left)
        highest = (sum(hits) + left) / max(1, len(hits) + left)
        if not hits:
            return "undecided"
        if rule.kind == "at least":
            return "failed" if highest < rule.amount else "held" if lowest >= rule.amount else "undecided"
        return "failed" if lowest > rule.amount else "held" if highest <= rule.amount else "undecided"

    def _count(self, rule: GateRule) -> str:
        hits = self.data.hits(rule)
        share = f" ({100 * sum(hits) / len(hits):.0f}%)" if hits else ""
        return f"{sum(hits)} of {len(hits)}{share}."

    def result(
        self, agent: str, version: AgentVersion = NO_VERSION, isolation: IsolationKind = "", why: str = ""
    ) -> GateResult:
        """What the conversations so far mean for this version of the agent; `why` it was cut short."""
        seen = self.data.seen
        rules = (*map(self._rule_result, self.data.rules), *self._errors())
        missing = "" if any(one.status == "failed" for one in rules) else self._missing(why)
        if missing:
            rules = tuple(map(_incomplete, rules))
        found = {one.status for one in rules}
        status: GateStatus = next((one for one in SEVERITY if one in found), "held")
        return GateResult(
            agent=agent,
            baseline=self.data.baseline.agent,
            status="incomplete" if missing else status,
            rules=rules,
            conversations=len(seen),
            planned=len(self.data.first.places),
            identical=sum(map(self.data.is_identical, seen)),
            cases=tuple(dict.fromkeys(case for _, case in seen)),
            reruns=len(self.data.reruns) + sum(map(len, self.data.replays.values())) + len(self.data.old),
            reasons=self._reasons(),
            is_unchanged=is_same_code(version, self.data.baseline.version),
            missing=missing,
            isolation=isolation,
            origin=self._origin,
            notes=self._notes,
        )

    def _missing(self, why: str) -> str:
        """How many conversations are missing, and why; empty if none is."""
        if not self.data.first.places:
            return "None of these runs can be compared: the baseline has no run with the same number."
        planned = self.data.first.places
        places: Set[Place] = {place for place in planned if place not in self.data.verdicts}
        batch = self.next_batch() if self._can_rerun else None
        if batch and batch.kind != "first":
            planned, places = sorted(batch.needed), self.batches.lacks(batch)
        if not places:
            return ""
        causes = Counter(self.data.outside.get(place, "not run").replace("_", " ") for place in places)
        listed = ", ".join(f"{count} {cause}" for cause, count in causes.most_common())
        kind = "conversation" if not batch or batch.kind == "first" else "rerun"
        are = "is" if len(places) == 1 else "are"
        return f"{len(places)} of {counted(len(planned), kind)} {are} missing: {listed}. {why}".strip()

    def _errors(self) -> Iterator[RuleResult]:
        """A result that no configuration asks for, where the agent broke conversations off."""
        if broken := self.data.broken():
            found = self.data.all()
            causes = sorted({found[place].cause.replace("_", " ") for place in broken})
            yield RuleResult(
                f"Agent errors: at most {100 * BROKEN_MOST:.0f}% of conversations",
                "errors",
                "failed" if self.data.breaks_off() else "held",
                f"{len(broken)} of {counted(len(found), 'conversation')} broke off: {', '.join(causes)}.",
                tuple(dict.fromkeys(case for _, case in broken)),
            )

    def _reasons(self) -> dict[str, str]:
        verdicts = self.data.all()
        found = {
            place[1]: f"Broke off: {verdicts[place].cause.replace('_', ' ')}" for place in self.data.broken()
        }
        for rule in self.data.rules:
            for place in self.data.seen:
                verdict = self.data.verdicts[place]
                if (
                    self.data.is_bad(rule, verdict)
                    and not self.data.before(rule, self.data.first.item(place))[0]
                ):
                    found.setdefault(verdict.case, _reason(rule, verdict))
        return found


def _incomplete(rule: RuleResult) -> RuleResult:
    """A rule that says nothing because conversations are missing."""
    is_open = rule.status in ("undecided", "stopped", "noted")
    return replace(rule, status="incomplete") if is_open else rule


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
