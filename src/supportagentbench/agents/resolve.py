"""Resolve: the only place where a name becomes an agent's spec."""

from pathlib import Path

from supportagentbench.agents.code_agent import CodeAgent
from supportagentbench.agents.http_agent import HttpAgent
from supportagentbench.agents.model_agent import ModelAgent
from supportagentbench.agents.shipped import CAPACITY, GROUPS, SHIPPED, ShippedAgent, named
from supportagentbench.agents.spec import AgentSpec, AskedAgent
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.problem import Problem

KINDS: tuple[type[AgentSpec], ...] = (ModelAgent, ShippedAgent, HttpAgent, CodeAgent)
"""Every kind of agent; the first kind that recognizes a name gets it."""


def resolve(name: AskedAgent) -> AgentSpec:
    """The spec of the agent with this name; one that is given as a spec is that."""
    if isinstance(name, AgentSpec):
        return name
    if spec := _found(name):
        return spec
    if Path(f"{name}.py").is_file():
        raise Problem(f"no agent is called {name!r}; for the file write {name}.py.")
    known = ", ".join(SHIPPED)
    raise Problem(
        f"no agent is called {name!r}; give file.py, file.py:Name, package.module:Name, agent.yaml, "
        f"https://…, or one of: {known}."
        f"{did_you_mean(name, (*SHIPPED, *GROUPS, CAPACITY))}"
    )


def _found(name: AskedAgent) -> AgentSpec | None:
    if isinstance(name, AgentSpec):
        return name
    return next((spec for kind in KINDS if (spec := kind.of(name))), None)


def is_agent(name: str) -> bool:
    """Whether this is what an agent is called; its code may be missing."""
    return _found(name) is not None


def is_known_agent(name: str) -> bool:
    """Whether a file may name this agent, or this group of agents."""
    return all((spec := _found(one)) and spec.is_known for one in named([name]))


def is_own_code(name: AskedAgent) -> bool:
    """Whether this is the user's own code."""
    spec = _found(name)
    return spec is not None and spec.runs_own_code


def refuse_reserved(name: str) -> None:
    """Raise a Problem if this name belongs to another agent."""
    if any(kind.is_name_reserved and kind.of(name.casefold()) for kind in KINDS):
        raise Problem(f"{name} is another agent's name; choose a different one with --name.")
