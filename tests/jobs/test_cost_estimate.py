"""The oracle estimates what a model will be sent, also where it has to look its rules up."""

import asyncio

import pytest

from conversations import job_on
from supportagentbench.jobs.cost_estimate import plan_costs
from supportagentbench.models.cost_plan import CostPlan
from supportagentbench.records.run import DeskKind
from supportagentbench.world.drawn_cases import DrawnCases


def planned(cases: DrawnCases, desk: DeskKind) -> CostPlan:
    (plan,) = asyncio.run(plan_costs(job_on("tracking-1", ["openai:gpt-5.4"], desk=desk)))
    return plan


def test_a_handbook_costs_a_look_up_more_and_a_long_prompt_less(
    cases: DrawnCases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-nobody")
    prompt, handbook = planned(cases, "prompt"), planned(cases, "handbook")
    assert handbook.calls == prompt.calls + 1
    assert handbook.input < prompt.input
