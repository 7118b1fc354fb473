"""The tool that opens the policy at a heading."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from supportagentbench.records.record import Record
from supportagentbench.world.tool import ToolRefusal, Work


class PolicyPage(Record):
    """What `read_policy` shows."""

    text: str


def policy_reader(policy: str, sections: Mapping[str, str]) -> Work:
    """`read_policy` over this text, and these sections by title."""

    def read_policy(
        store: Any,
        section: Annotated[str, Meta(description=section_titles(sections))] = "",
    ) -> PolicyPage:
        """Read the policy."""
        return PolicyPage(section_named(section, sections) if section else policy)

    return read_policy


def section_titles(sections: Mapping[str, str]) -> str:
    """How the sections are listed for an agent."""
    return f"One of: {'; '.join(sections)}. Empty for all."


def section_named(asked: str, sections: Mapping[str, str]) -> str:
    """The text of the section whose title has these words in it."""
    for title, text in sections.items():
        if asked.strip().casefold() in title.casefold():
            return text
    raise ToolRefusal(f"The policy has no section {asked!r}; it has: {'; '.join(sections)}.")
