"""Desk: what the desk of one conversation is set up with, and every tool on it."""

from collections.abc import Mapping
from typing import NamedTuple

from supportagentbench.world import ticket
from supportagentbench.world.policy import Policy, section_text
from supportagentbench.world.store import Store
from supportagentbench.world.tool import Tool, ToolFault


class DeskSetup(NamedTuple):
    """Everything that the desk of one conversation starts with."""

    store: Store
    """The shop's books; each conversation works on a copy."""
    tools: Mapping[str, Tool]
    """By name."""
    instructions: str
    """Everything that the agent gets before the customer writes."""
    faults: tuple[ToolFault, ...] = ()


def toolbox(policy: Policy) -> dict[str, Tool]:
    """Every tool of the desk, by name."""
    kit = policy.kit
    sections = {section.title: section_text(section) for section in policy.sections}
    reads = (*kit.lookups, kit.policy_reader(policy.text, sections))
    writes = (*kit.writes, *ticket.WRITES)
    tools = [Tool(work, writes=False) for work in reads] + [Tool(work, writes=True) for work in writes]
    return {tool.name: tool for tool in tools}
