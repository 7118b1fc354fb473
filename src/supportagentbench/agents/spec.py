"""Agent spec: what an agent is, and what it can and may do. Each kind of agent is one class."""

from collections.abc import Callable
from typing import ClassVar, NamedTuple, Self

from supportagentbench.desk import Door
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.models import Model
from supportagentbench.models.provider import Role
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.record import Record
from supportagentbench.records.run import IsolationKind
from supportagentbench.world.folder import World

ModelOpener = Callable[[str, Role], Model]


def no_model(name: str, role: Role) -> Model:
    """Where no models are at hand."""
    raise LookupError(f"{name}: no model can be opened here")


class Surroundings(NamedTuple):
    """What there is for an agent when it is opened."""

    world: World | None
    model: ModelOpener = no_model
    isolation: Isolation | None = None
    """How code that is not ours is kept apart; None: it runs in this process and is trusted."""


class AgentSpec(Record):
    """One agent as plain data: a name says all, and nothing is opened or loaded yet.

    A kind declares below what it is like, and why that matters; nobody else asks which kind an agent is.
    """

    name: str
    """As it was asked for: on another machine the same name gives the same agent."""
    given: str = ""
    """What it is to be called instead."""

    knows_world: ClassVar[bool] = False
    """Whether it is given the world. The oracle reads the policy as rules; who is measured must not."""
    runs_own_code: ClassVar[bool] = False
    """Whether it is code that does not come with the package, which can be kept in a process of its own."""
    has_turn_limit: ClassVar[bool] = False
    """Whether its turns have a time limit. Requests to a model have limits of their own; ours need none."""
    has_known_words: ClassVar[bool] = False
    """Whether the scripted customer understands all it writes, so that no model has to listen."""
    is_name_reserved: ClassVar[bool] = False
    """Whether nobody else may be called like one: readers of a board would take it for the real one."""

    @classmethod
    def of(cls, name: str) -> Self | None:
        """The agent of this kind that a name means, if it means one."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """How boards call it, if it has not been given another name."""
        return self.name

    @property
    def shown(self) -> str:
        """How boards call it."""
        return self.given or self.title

    @property
    def model(self) -> str:
        """The model that it asks at our expense, which is estimated and kept within a budget; empty: none."""
        return ""

    @property
    def host(self) -> str:
        """The server that gets what customers write; empty: none, it is answered on this machine."""
        return ""

    @property
    def sampling(self) -> dict[str, str | bool | int | float]:
        """Settings that the run's header stores."""
        return {}

    @property
    def prices(self) -> str:
        """The price table that its cost is taken from; empty: it has no cost, or states it itself."""
        return ""

    @property
    def can_resume_within_reply(self) -> bool:
        """Whether it can go on in the middle of a reply that somebody else began, as some forks ask.

        Code cannot: it would have to be brought to a point in the middle of a function of its own.
        """
        return False

    def version(self) -> AgentVersion:
        """What it is made of now."""
        return AgentVersion(given=self.title if self.given else "")

    def isolation_in(self, wanted: Isolation | None) -> IsolationKind:
        """What is between the benchmark and its code."""
        if not self.runs_own_code:
            return ""
        return "process" if wanted else "none"

    def check(self, isolation: Isolation | None = None, seconds: float = 0) -> None:
        """Raise a Problem if it cannot be opened; isolated code has this number of seconds to load."""

    def open(self, around: Surroundings) -> Door:
        """What makes its agents, one per conversation; the world is only there for those that may know it."""
        return self._open(around if self.knows_world else around._replace(world=None))

    def _open(self, around: Surroundings) -> Door:
        raise NotImplementedError
