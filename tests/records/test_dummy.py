"""A dummy is known by its record, under whatever name it ran."""

from msgspec.structs import replace

from boards import header
from supportagentbench.agents.shipped import GROUPS
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.dummy import DUMMIES, is_dummy


def test_they_are_those_that_the_command_line_calls_so() -> None:
    assert set(GROUPS["dummies"]) == DUMMIES


def test_neither_a_model_nor_own_code_is_one_by_its_name() -> None:
    assert is_dummy(header("silent"))
    assert not is_dummy(header("oracle"))
    assert is_dummy(replace(header("mine"), version=AgentVersion(given="silent")))
    assert not is_dummy(replace(header("silent"), version=AgentVersion(source={"agent.py": "abc"})))
    assert not is_dummy(replace(header("silent"), version=AgentVersion(prompt="1")))
    assert not is_dummy(replace(header("silent"), version=AgentVersion(given="agent.py:Mine")))
