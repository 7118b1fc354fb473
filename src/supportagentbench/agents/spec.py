"""Agent spec: what an agent is, and what it can and may do. Each kind of agent is one class."""

from collections.abc import Callable, Iterator
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
    """For places without models."""
    raise LookupError(f"{name}: no model can be opened here")


class Surroundings(NamedTuple):
    """What an agent can use when it is opened."""

    world: World | None
    model: ModelOpener = no_model
    isolation: Isolation | None = None
    """How the user's code is isolated; None: it runs in this process and is trusted."""


class AgentSpec(Record):
    """One agent as plain data: the name says everything, and nothing is opened or loaded yet.

    Each kind declares its properties below, with the reason why they matter; no other code asks for the kind.
    """

    name: str
    """The name as requested: on another machine, the same name gives the same agent."""
    given: str = ""
    """The name to show instead."""

    knows_world: ClassVar[bool] = False
    """Whether it gets the world. The oracle reads the policy as rules; agents under test must not."""
    runs_own_code: ClassVar[bool] = False
    """Whether it is code from outside the package, which can run in a separate process."""
    has_turn_limit: ClassVar[bool] = False
    """Whether its turns have a time limit. Model requests have other limits; our own agents need none."""
    has_known_words: ClassVar[bool] = False
    """Whether the scripted customer understands everything it writes, so that no model has to listen."""
    is_name_reserved: ClassVar[bool] = False
    """Whether its name is reserved: readers of a board would take another agent for the real one."""

    @classmethod
    def of(cls, name: str) -> Self | None:
        """The agent of this kind that a name means, if any."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """Its name on boards, unless it was given another."""
        return self.name

    @property
    def shown(self) -> str:
        """Its name on boards."""
        return self.given or self.title

    @property
    def is_known(self) -> bool:
        """Whether a file may name it: it is shipped, or a provider's model; neither code nor an address."""
        return False

    @property
    def model(self) -> str:
        """The model it uses at our expense, which is estimated and kept within a budget; empty if none."""
        return ""

    @property
    def host(self) -> str:
        """The server that receives what customers write; empty if it runs on this machine."""
        return ""

    @property
    def hides_acts(self) -> bool:
        """Whether it cannot call the desk's tools, so that nothing it does can be observed."""
        return False

    @property
    def sampling(self) -> dict[str, str | bool | int | float]:
        """Settings that the run's header stores."""
        return {}

    @property
    def prices(self) -> str:
        """The price table for its tokens; empty if it uses none, or no price is looked up for them."""
        return ""

    @property
    def can_resume_within_reply(self) -> bool:
        """Whether it can continue in the middle of a reply that another agent began, as some forks require.

        Code cannot: it would have to resume in the middle of one of its functions.
        """
        return False

    @property
    def here_only(self) -> str:
        """Why no other process can play it, a clause; empty if any can that has its code."""
        return ""

    @property
    def mistrusts_stored(self) -> str:
        """Why stored runs under its name may be another agent's, a clause; empty if they are resumed."""
        return ""

    def version(self) -> AgentVersion:
        """What it currently consists of."""
        return AgentVersion(given=self.title if self.given else "")

    def doubts(self) -> Iterator[str]:
        """What cannot be known of it, a clause each; said before it runs."""
        if unseen := self.version().unseen:
            yield unseen

    def isolation_in(self, wanted: Isolation | None) -> IsolationKind:
        """What separates the benchmark from its code."""
        if not self.runs_own_code:
            return ""
        return wanted.label if wanted else "none"

    def check(self, isolation: Isolation | None = None, seconds: float = 0) -> None:
        """Raise a Problem if it cannot be opened; isolated code has this many seconds to load."""

    def open(self, around: Surroundings) -> Door:
        """What makes its agents, one per conversation; the world is passed only to those that may know it."""
        return self._open(around if self.knows_world else around._replace(world=None))

    def _open(self, around: Surroundings) -> Door:
        raise NotImplementedError


AskedAgent = str | AgentSpec
"""What can be asked for: an agent by its name, or one that is there already."""
