"""State: the sum of a job's events. The same events in the same order give the same state."""

from collections import deque
from collections.abc import Iterable
from math import sqrt
from statistics import fmean, median, stdev

from supportagentbench.board.badges import FEWEST_TRAPS, safety_word
from supportagentbench.live.view import (
    AgentProgress,
    Condition,
    CountOf,
    Kind,
    News,
    OpenConversation,
    SecondsRange,
    View,
)
from supportagentbench.records.agent_error import has_too_many_errors
from supportagentbench.records.board import SafetyWord
from supportagentbench.records.event import (
    Began,
    Dropped,
    Ended,
    Event,
    Finished,
    Paused,
    Planned,
    PlannedRun,
    Retried,
    Spent,
    Stopping,
)

RECENT = 50
"""How many of an agent's last conversations its speed is computed from."""

ENOUGH = 10
"""Conversations needed before the remaining time is estimated."""

KEPT = 200
"""How many news items are kept."""

STUBBORN, LONG = 2, 5.0
"""Failed attempts, and seconds of waiting, after which a retry becomes news."""

RunKey = tuple[str, int]
"""Agent and number of a run."""


class AgentCounts:
    """One agent's counts, kept up to date conversation by conversation."""

    def __init__(self) -> None:
        self.done = self.errors = self.broken = self.tokens = self.unpriced = 0
        self.cost = 0.0
        self.unsafe, self.over, self.escalated = [0, 0], [0, 0], [0, 0]

    def take(self, event: Finished, sign: int) -> None:
        """Add a conversation to the counts, or remove it again."""
        self.tokens += sign * event.tokens
        if event.cost is None:
            self.unpriced += sign
        else:
            self.cost += sign * event.cost
        self.errors += sign * event.is_error
        if not event.counts:
            return
        self.broken += sign * event.is_error
        self.done += sign
        if event.twin:
            return
        for pair, value in (
            (self.unsafe, event.unsafe if event.bucket == "adversarial" else None),
            (self.over, event.over_escalated),
            (self.escalated, event.escalated),
        ):
            if value is not None:
                pair[0] += sign * value
                pair[1] += sign


class FinishRate:
    """How fast conversations finish: the last finishing times, and seconds per reply."""

    def __init__(self) -> None:
        self.ends: deque[float] = deque(maxlen=RECENT)
        self.replies: deque[float] = deque(maxlen=RECENT)

    def take(self, event: Finished) -> None:
        self.ends.append(event.at)
        if event.messages:
            self.replies.append(event.seconds / event.messages)

    def left(self, conversations: int) -> SecondsRange | None:
        """Time for more conversations: the mean gap between two endings, plus or minus its spread."""
        if len(self.ends) < ENOUGH:
            return None
        gaps = [
            max(0.0, later - sooner) for sooner, later in zip(self.ends, list(self.ends)[1:], strict=False)
        ]
        mean, spread = fmean(gaps), 2 * stdev(gaps) / sqrt(len(gaps))
        spread = min(max(spread, 0.1 * mean), 0.9 * mean)
        return SecondsRange(conversations * (mean - spread), conversations * (mean + spread))


class State:
    """Everything known so far."""

    def __init__(self, title: str = "") -> None:
        self.title = title
        self.plans: dict[str, Planned] = {}
        self.over: dict[str, Ended] = {}
        self.finished: dict[RunKey, dict[str, Finished]] = {}
        self.running: dict[tuple[str, int, str], float] = {}
        self.waits: dict[tuple[str, int, str], float] = {}
        """When a conversation stops waiting."""
        self.paused: set[str] = set()
        self.news: deque[News] = deque(maxlen=KEPT)
        self.spent = 0.0
        self.stopping = False
        self._tallies: dict[str, AgentCounts] = {}
        self._rates: dict[str, FinishRate] = {}
        self._told = 0

    def add(self, event: Event) -> None:
        """Apply one event."""
        match event:
            case Planned():
                self._plan(event)
            case Began(at=at):
                self.running[event.agent, event.run, event.case] = at
            case Finished():
                self._finish(event)
            case Dropped():
                for case in event.cases:
                    self._forget((event.agent, event.run), case)
            case Retried():
                self._retry(event)
            case Paused():
                self.paused.add(event.agent)
                self._tell(event.at, "paused", event.sentence, event.agent)
            case Spent():
                self.spent = event.dollars
            case Stopping():
                self.stopping = True
                self._tell(event.at, "stopping", "finishing conversations in progress")
            case Ended():
                self._end(event)

    def on_file(self, run: RunKey) -> set[str]:
        """The cases of a run that are known to be stored."""
        return set(self.finished.get(run, ()))

    def view(self, now: float) -> View:
        """The current view."""
        plans = list(self.plans.values())
        is_over = bool(plans) and all(plan.job in self.over for plan in plans)
        last = max((end.at for end in self.over.values()), default=now) if is_over else now
        rows = tuple(self._rows(last, is_over))
        conversations = tuple(
            OpenConversation(*key, began) for key, began in self.running.items() if not is_over
        )
        left = [row.left for row in rows if row.condition in ("running", "waiting")]
        known = [span for span in left if span]
        return View(
            at=now,
            title=self.title,
            done=sum(row.done for row in rows),
            total=sum(row.total for row in rows),
            errors=sum(row.errors for row in rows),
            in_flight=len(conversations),
            waiting=sum(until > now for key, until in self.waits.items() if key in self.running),
            spent=self.spent,
            rows=rows,
            news=tuple(self.news),
            conversations=conversations,
            projected=self._projected(rows),
            planned=_estimate(plans),
            cap=next((plan.cap for plan in plans if plan.cap is not None), None),
            left=SecondsRange(max(one.low for one in known), max(one.high for one in known))
            if known and len(known) == len(left)
            else None,
            elapsed=max(0.0, last - min((plan.at for plan in plans), default=last)),
            ended=next((self.over[plan.job].how for plan in plans), "") if is_over else "",
            stopping=self.stopping and not is_over,
            unlabelled=bool(plans) and all(plan.unlabelled for plan in plans),
        )

    def _plan(self, event: Planned) -> None:
        """A new job replaces finished ones; conversations of its runs are no longer in progress."""
        agents = {run.agent for run in event.runs}
        self.plans = {
            job: plan
            for job, plan in self.plans.items()
            if job not in self.over and not agents & {run.agent for run in plan.runs}
        }
        self.plans[event.job] = event
        self.over = {job: end for job, end in self.over.items() if job in self.plans and job != event.job}
        self.running = {key: at for key, at in self.running.items() if key[0] not in agents}
        self.paused -= agents
        self.stopping = False
        for agent in agents:
            self._rates[agent] = FinishRate()

    def _finish(self, event: Finished) -> None:
        run, key = (event.agent, event.run), (event.agent, event.run, event.case)
        self._forget(run, event.case)
        self.finished.setdefault(run, {})[event.case] = event
        self._tallies.setdefault(event.agent, AgentCounts()).take(event, 1)
        if self.running.pop(key, None) is not None:
            self._rates.setdefault(event.agent, FinishRate()).take(event)
        self.waits.pop(key, None)
        if event.is_error and not (event.counts and event.unsafe):
            self._tell_of("error", event, (event.cause or event.ending).replace("_", " "))
        elif event.unsafe:
            self._tell_of("unsafe", event, event.reason)
        elif event.escalated is False:
            self._tell_of("missed", event, event.reason)

    def _forget(self, run: RunKey, case: str) -> None:
        known = self.finished.get(run, {}).pop(case, None)
        if known:
            self._tallies[run[0]].take(known, -1)

    def _retry(self, event: Retried) -> None:
        self.waits[event.agent, event.run, event.case] = event.at + event.wait
        if event.attempt < STUBBORN and event.wait < LONG:
            return
        words = f"attempt {event.attempt + 1}/{event.tries} in {event.wait:.0f} s: {event.words}"
        self._tell_of("retry", event, words)

    def _end(self, event: Ended) -> None:
        self.over[event.job] = event
        agents = {run.agent for plan in self.plans.values() if plan.job == event.job for run in plan.runs}
        self.running = {key: at for key, at in self.running.items() if key[0] not in agents}
        self.waits = {key: at for key, at in self.waits.items() if key in self.running}
        self._tell(event.at, "ended", event.how)

    def _tell_of(self, kind: Kind, event: Finished | Retried, words: str) -> None:
        turn = event.turn if isinstance(event, Finished) else None
        self._tell(event.at, kind, words, event.agent, event.run, event.case, turn)

    def _tell(
        self,
        at: float,
        kind: Kind,
        words: str,
        agent: str = "",
        run: int = 0,
        case: str = "",
        turn: int | None = None,
    ) -> None:
        self._told += 1
        self.news.append(News(self._told, at, kind, words, agent, run, case, turn))

    def _rows(self, now: float, is_over: bool) -> Iterable[AgentProgress]:
        running: dict[str, int] = {}
        for agent, _, _ in self.running:
            running[agent] = running.get(agent, 0) + 1
        for agent, runs in _by_agent(self.plans.values()).items():
            tally, pace = self._tallies.get(agent, AgentCounts()), self._rates.get(agent, FinishRate())
            total = sum(run.cases for run in runs)
            unsafe = CountOf(*tally.unsafe)
            yield AgentProgress(
                agent=agent,
                done=tally.done,
                total=total,
                running=running.get(agent, 0),
                errors=tally.errors,
                condition=self._condition(agent, total - tally.done, bool(running.get(agent)), is_over),
                unsafe=unsafe,
                over=CountOf(*tally.over),
                escalated=CountOf(*tally.escalated),
                cost=None if tally.unpriced else tally.cost,
                tokens=tally.tokens,
                safety=None if has_too_many_errors(tally.broken, tally.done) else _safety(unsafe),
                turn=median(pace.replies) if pace.replies else None,
                left=pace.left(total - tally.done),
            )

    def _condition(self, agent: str, left: int, is_running: bool, is_over: bool) -> Condition:
        if left <= 0:
            return "done"
        if agent in self.paused:
            return "paused"
        if is_over:
            return "stopped"
        return "running" if is_running else "waiting"

    def _projected(self, rows: tuple[AgentProgress, ...]) -> float | None:
        """The expected total cost: spending so far, plus each agent's own rate for the rest, once known."""
        active = [row for row in rows if row.condition in ("running", "waiting")]
        if not self.spent or any(row.done < ENOUGH for row in active):
            return None
        left = [(row.total - row.done) * row.per_thousand / 1000 for row in active if row.per_thousand]
        return self.spent + sum(left)


def _estimate(plans: Iterable[Planned]) -> tuple[float, float] | None:
    """The planned cost, if every price was known."""
    known = [(plan.low, plan.high) for plan in plans if plan.low is not None and plan.high is not None]
    return (sum(low for low, _ in known), sum(high for _, high in known)) if known else None


def _by_agent(plans: Iterable[Planned]) -> dict[str, list[PlannedRun]]:
    found: dict[str, list[PlannedRun]] = {}
    for plan in plans:
        for run in plan.runs:
            found.setdefault(run.agent, []).append(run)
    return found


def _safety(unsafe: CountOf) -> SafetyWord | None:
    """The word for its unsafe actions so far; none with too few traps."""
    return safety_word(unsafe.k, unsafe.n) if unsafe.n >= FEWEST_TRAPS else None
