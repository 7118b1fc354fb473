"""Judge: models judge stored transcripts. No conversation is run again, and none is judged twice."""

import asyncio
from collections.abc import Callable, Container, Iterator
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from supportagentbench.concurrency.circuit_breaker import CircuitBreaker
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.judges.judge import VERSION, JudgeQuestions, judge_one, request_for, samples_of
from supportagentbench.judges.prompt import BlindTranscript
from supportagentbench.judges.rubric import criteria
from supportagentbench.judges.to_check import questions_in, request_to_check
from supportagentbench.models import Model, ModelError, ModelRequest
from supportagentbench.models.budget import Budget
from supportagentbench.models.cost_plan import CostPlan, Workload, check_keys, planned
from supportagentbench.models.family import refuse_own_judge, refuse_same_family
from supportagentbench.models.http_client import ConnectionPool
from supportagentbench.models.provider import Role, host_of, is_model, open_model, shown_name
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import EXTERNAL_CAUSES
from supportagentbench.records.usage import Usage
from supportagentbench.results.load import scored_in
from supportagentbench.storage.archive import JudgementWriter, read_header, read_judgements
from supportagentbench.storage.run_folders import refuse_unlabelled
from supportagentbench.storage.transcripts import Filed, read_transcripts

ROLES: tuple[Role, ...] = ("judge", "second_judge")

WEIGHED = 50
"""Conversations of a run that are measured for the cost plan; the rest are assumed to be similar."""

LETTERS_PER_ANSWER = 320
"""Characters in a judge's answer to one criterion or finding, half of them its reason."""


class JudgePlan(NamedTuple):
    """The conversations to judge, and the judges."""

    folders: list[Path]
    judges: list[str]
    """The judge, and the second judge if there is one."""
    concurrency: int
    budget: float | None = None


class JudgeTask(NamedTuple):
    """One conversation that one judge has yet to judge."""

    judge: str
    filed: Filed
    sample: int
    questions: JudgeQuestions


JudgeOutcome = Literal["complete", "budget", "provider"]
"""`budget`, `provider`: why some conversations are not judged."""


class JudgeSummary(NamedTuple):
    """What a job did, and what it cost."""

    judged: int
    failed: int
    """Conversations without an answer; the same command asks again."""
    words: str
    """The provider's last error message, or why the budget allows no more requests."""
    spent: float
    unpriced: int
    outcome: JudgeOutcome = "complete"
    """Why it ended, if it was not interrupted."""
    at_risk: float = 0.0
    """Maximum additional dollars for requests without a known cost."""
    overshoot: float = 0.0
    """Dollars spent above the budget."""
    is_paused: bool = False
    """Whether judging was stopped because of its failures."""


def check_families(plan: JudgePlan) -> None:
    """Refuse a judge from an agent's model family, and a second judge from the first judge's family.

    Runs without labels are refused first: no judge could say what is right there.
    """
    for folder in plan.folders:
        refuse_unlabelled(folder, read_header(folder))
    judges = [shown_name(name) for name in plan.judges]
    for judge in judges:
        for folder in plan.folders:
            refuse_own_judge(read_header(folder), judge)
    if len(judges) == 2:
        refuse_same_family(*judges)


def cost_plans(plan: JudgePlan) -> list[CostPlan]:
    """The requests to each judge that runs at a provider, and what they may cost."""
    check_keys(plan.judges)
    return [_plan(name, plan) for name in plan.judges if is_model(name)]


def _plan(name: str, plan: JudgePlan) -> CostPlan:
    weight, count = Workload(), 0
    for folder in plan.folders:
        header = read_header(folder)
        with JudgementWriter(folder) as writer:
            tasks = _tasks(folder, header, [shown_name(name)], writer)
            weighed = [_weight(task, header) for task in islice(tasks, WEIGHED)]
            others = sum(1 for _ in tasks)
        for one in weighed:
            weight = weight.plus(one.times(1 + others / len(weighed)))
        count += len(weighed) + others
    return planned(name, weight, count, plan.concurrency, "judge")


class JudgeJob:
    """Models that judge stored runs; every judgement is stored as soon as it arrives."""

    def __init__(self, plan: JudgePlan, interrupt: Interrupt, observer: Callable[[int], None]) -> None:
        self.plan = plan
        self.interrupt = interrupt
        self.observer = observer
        self.budget = Budget(plan.budget)
        self.breaker = CircuitBreaker()
        self.hosts: dict[str, str] = {}
        """By judge, the server that is asked."""
        self.judged = self.failed = 0
        self.words = ""
        self.outcome: JudgeOutcome = "complete"

    async def run(self) -> JudgeSummary:
        """Judge every conversation that these judges have not judged yet."""
        with self.interrupt.listening():
            return await self._run()

    async def _run(self) -> JudgeSummary:
        async with ConnectionPool(self.plan.concurrency * len(self.plan.judges)) as pool:
            seats = zip(self.plan.judges, ROLES, strict=False)
            opened = [open_model(name, role, pool, self.budget) for name, role in seats]
            judges = {model.name: model for model in opened}
            names = zip(opened, self.plan.judges, strict=True)
            self.hosts = {model.name: host_of(name) for model, name in names}
            for folder in self.plan.folders:
                self.budget.remember(_used(folder, judges))
            before = self.budget.spent, self.budget.at_risk
            for folder in self.plan.folders:
                with JudgementWriter(folder) as writer:
                    await self._judge_run(folder, judges, writer)
        return JudgeSummary(
            self.judged,
            self.failed,
            self.words,
            self.budget.spent - before[0],
            self.budget.unpriced,
            self.outcome,
            self.budget.at_risk - before[1],
            self.budget.overshoot(before[0]),
            self.breaker.is_open,
        )

    async def _judge_run(self, folder: Path, judges: dict[str, Model], writer: JudgementWriter) -> None:
        header = read_header(folder)
        waiting = _tasks(folder, header, list(judges), writer)

        async def work() -> None:
            for task in waiting:
                if self.interrupt.is_requested or self.budget.is_spent or self.breaker.is_open:
                    self.outcome = "budget" if self.budget.is_spent else "provider"
                    return
                await self._judge(task, judges[task.judge], header, writer)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.plan.concurrency):
                    group.create_task(work())
        except* Problem as problems:
            raise problems.exceptions[0] from None

    async def _judge(self, task: JudgeTask, judge: Model, header: Run, writer: JudgementWriter) -> None:
        try:
            host = self.hosts[task.judge]
            writer.add(await judge_one(judge, task.filed, header, task.questions, task.sample, host))
            self.judged += 1
            self.breaker.succeed()
        except ModelError as error:
            if error.cause == "budget":  # Requests that were never sent have not failed.
                self.outcome = "budget"
            else:
                self.failed += 1
                self.outcome = "provider"
            self.words = error.detail
            if error.cause in EXTERNAL_CAUSES:
                self.breaker.fail(error.cause, error.detail, is_final=error.cause == "budget")
            else:
                self.breaker.succeed()
        self.observer(self.judged + self.failed)


def _tasks(folder: Path, header: Run, judges: list[str], writer: JudgementWriter) -> Iterator[JudgeTask]:
    """Every task that is not stored yet; conversations that say nothing about the agent are not judged."""
    for filed in read_transcripts(folder):
        verdict = scored_in(folder, filed, header).verdict
        if not verdict.counts:
            continue
        findings = questions_in(verdict)
        for judge in judges:
            for sample in samples_of(filed.digest):
                settled = writer.on_file.get((judge, VERSION, filed.digest, sample))
                open_ones = tuple(one for one in findings if one.id not in (settled or ()))
                asked = criteria(filed.transcript, header) if settled is None else ()
                if asked or open_ones:
                    yield JudgeTask(judge, filed, sample, JudgeQuestions(asked, open_ones))


def _used(folder: Path, judges: Container[str]) -> Iterator[Usage]:
    """The usage of these judges' stored opinions in this folder."""
    for judgement in read_judgements(folder):
        if judgement.judge in judges:
            yield from judgement.usage


def _weight(task: JudgeTask, header: Run) -> Workload:
    record = BlindTranscript(task.filed.transcript, header)
    weight = Workload()
    if asked := task.questions.criteria:
        weight = weight.plus(_of_request(request_for(asked, record, "plan", 0), len(asked)))
    if findings := task.questions.findings:
        request = request_to_check(findings, record, "plan", 0)
        weight = weight.plus(_of_request(request, len(findings)))
    return weight


def _of_request(request: ModelRequest, answers: int) -> Workload:
    sent = sum(len(message.text) for message in request.messages)
    return Workload(1, sent, len(request.messages[0].text), LETTERS_PER_ANSWER * answers)
