"""Court: judges over stored transcripts. Nothing is generated anew, and nothing is judged twice."""

import asyncio
from collections.abc import Callable, Container, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from supportagentbench.judges.judge import VERSION, judge_one, request_for, samples_of
from supportagentbench.judges.model_family import refuse_kin
from supportagentbench.judges.prompt import Exhibit
from supportagentbench.judges.rubric import criteria
from supportagentbench.models import Model, ModelError
from supportagentbench.models.budget import Budget
from supportagentbench.models.cost_plan import CostPlan, Weight, check_keys, planned
from supportagentbench.models.http_client import Exchange
from supportagentbench.models.provider import Role, is_model, open_model
from supportagentbench.models.spec import parse_model
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Run
from supportagentbench.runner.circuit_breaker import CircuitBreaker
from supportagentbench.runner.interrupt import Interrupt
from supportagentbench.storage.archive import (
    Filed,
    JudgementWriter,
    read_header,
    read_judgements,
    read_transcripts,
)

ROLES: tuple[Role, ...] = ("judge", "second_judge")

WEIGHED = 50
"""Conversations of a run that are weighed for the plan; the rest are taken to be like them."""

WRITTEN_A_CRITERION = 160
"""Letters a judge writes for one criterion."""


class JudgePlan(NamedTuple):
    """What is to be judged, and by whom."""

    folders: list[Path]
    judges: list[str]
    """The judge, and the second judge if there is one."""
    at_once: int
    budget: float | None = None


class Hearing(NamedTuple):
    """One judging that is still to come."""

    judge: str
    filed: Filed
    sample: int


class Sitting(NamedTuple):
    """What came of it."""

    judged: int
    failed: int
    """Judgings for which no answer could be had; the same command asks again."""
    words: str
    """The last failure in the provider's own words."""
    spent: float
    unpriced: int


def check_kinship(docket: JudgePlan) -> None:
    """Refuse a judge of an entrant's own family, and a second judge of the first one's."""
    judges = [_shown(name) for name in docket.judges]
    for judge in judges:
        for folder in docket.folders:
            refuse_kin(read_header(folder).agent, judge)
    if len(judges) == 2:
        refuse_kin(*judges)


def _shown(name: str) -> str:
    """A judge as its judgements name it; where a provider lies says nothing of its models' family."""
    return parse_model(name).shown if is_model(name) else name


def plan_of(docket: JudgePlan) -> list[CostPlan]:
    """What each judge that is a provider's will be asked for."""
    check_keys(docket.judges)
    return [_plan(name, docket) for name in docket.judges if is_model(name)]


def _plan(name: str, docket: JudgePlan) -> CostPlan:
    weight, owed = Weight(), 0
    for folder in docket.folders:
        header = read_header(folder)
        with JudgementWriter(folder) as writer:
            hearings = _owed(folder, [_shown(name)], writer)
            weighed = [_weight(hearing.filed, header) for hearing in islice(hearings, WEIGHED)]
            others = sum(1 for _ in hearings)
        for one in weighed:
            weight = weight.and_also(one.times(1 + others / len(weighed)))
        owed += len(weighed) + others
    return planned(name, weight, owed, docket.at_once, "judge")


class JudgeJob:
    """Judges at work on a docket; every judgement is on file as soon as it is given."""

    def __init__(self, docket: JudgePlan, brake: Interrupt, watch: Callable[[int], None]) -> None:
        self.docket = docket
        self.brake = brake
        self.watch = watch
        self.purse = Budget(docket.budget)
        self.fuse = CircuitBreaker()
        self.judged = self.failed = 0
        self.words = ""

    async def sit(self) -> Sitting:
        """Hear every conversation that these judges have not heard yet."""
        self.brake.watch()
        async with Exchange(self.docket.at_once * len(self.docket.judges)) as exchange:
            seats = zip(self.docket.judges, ROLES, strict=False)
            opened = [open_model(name, role, exchange, self.purse) for name, role in seats]
            judges = {model.name: model for model in opened}
            before = self.purse.spent = sum(_paid(folder, judges) for folder in self.docket.folders)
            for folder in self.docket.folders:
                with JudgementWriter(folder) as writer:
                    await self._hear_all(folder, judges, writer)
        spent = self.purse.spent - before
        return Sitting(self.judged, self.failed, self.words, spent, self.purse.unpriced)

    async def _hear_all(self, folder: Path, judges: dict[str, Model], writer: JudgementWriter) -> None:
        header, waiting = read_header(folder), _owed(folder, list(judges), writer)

        async def work() -> None:
            for hearing in waiting:
                if self.brake.is_pulled or self.purse.is_empty or self.fuse.is_blown:
                    return
                await self._hear(hearing, judges[hearing.judge], header, writer)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.docket.at_once):
                    group.create_task(work())
        except* Problem as problems:
            raise problems.exceptions[0] from None

    async def _hear(self, hearing: Hearing, judge: Model, header: Run, writer: JudgementWriter) -> None:
        try:
            writer.add(await judge_one(judge, hearing.filed, header, hearing.sample))
            self.judged += 1
            self.fuse.note("")
        except ModelError as error:
            self.failed += 1
            self.words = error.detail
            self.fuse.note(error.detail)
        self.watch(self.judged + self.failed)


def _owed(folder: Path, judges: list[str], writer: JudgementWriter) -> Iterator[Hearing]:
    """Every judging that is not on file; what a provider broke off is not judged."""
    for filed in read_transcripts(folder):
        if filed.transcript.ending.cause in EXTERNAL_CAUSES:
            continue
        for judge in judges:
            for sample in samples_of(filed.digest):
                if (judge, VERSION, filed.digest, sample) not in writer.heard:
                    yield Hearing(judge, filed, sample)


def _paid(folder: Path, judges: Container[str]) -> float:
    """Dollars that these judges' opinions in this folder have cost so far."""
    return sum(
        usage.cost or 0.0
        for judgement in read_judgements(folder)
        if judgement.judge in judges
        for usage in judgement.usage
    )


def _weight(filed: Filed, header: Run) -> Weight:
    asked = criteria(filed.transcript, header)
    request = request_for(asked, Exhibit(filed.transcript, header), "plan", 0)
    sent = sum(len(message.text) for message in request.messages)
    return Weight(1, sent, len(request.messages[0].text), WRITTEN_A_CRITERION * len(asked))
