"""Model agent: a language model at the desk, as `provider:model,setting=value`."""

from functools import partial
from typing import ClassVar, Self

from supportagentbench.agents.spec import AgentSpec, Surroundings
from supportagentbench.agents.tool_loop import PROMPT, ToolLoop
from supportagentbench.desk import Door
from supportagentbench.desk.doors.house import HouseDoor
from supportagentbench.models.prices import price_table
from supportagentbench.models.provider import host_of, is_model, is_plain_model, sampling_of
from supportagentbench.models.spec import parse_model
from supportagentbench.records.agent_version import AgentVersion

SIGNED = ("gemini",)
"""Providers that reject a reply begun by others, because it lacks their signatures."""


class ModelAgent(AgentSpec):
    """A model in our tool loop."""

    is_name_reserved: ClassVar[bool] = True

    @classmethod
    def of(cls, name: str) -> Self | None:
        return cls(name) if is_model(name) else None

    @property
    def title(self) -> str:
        return parse_model(self.name).shown

    @property
    def is_known(self) -> bool:
        return is_plain_model(self.name)

    @property
    def model(self) -> str:
        return self.name

    @property
    def host(self) -> str:
        return host_of(self.name)

    @property
    def sampling(self) -> dict[str, str | bool | int | float]:
        return sampling_of(parse_model(self.name))

    @property
    def prices(self) -> str:
        return price_table()

    @property
    def can_resume_within_reply(self) -> bool:
        """Nothing in the messages shows who made a call, unless the provider signs its own."""
        return parse_model(self.name).provider not in SIGNED

    def version(self) -> AgentVersion:
        return AgentVersion(prompt=PROMPT, given=self.title if self.given else "")

    def _open(self, around: Surroundings) -> Door:
        return HouseDoor(partial(ToolLoop, around.model(self.name, "agent")))
