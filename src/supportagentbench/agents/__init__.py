"""Whoever is under test. An agent answers a customer from a desk; how it does so is its own affair."""

import importlib.util
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Protocol

from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Cause, Turn
from supportagentbench.world.desk import Desk
from supportagentbench.world.folder import World


class Agent(Protocol):
    """One agent in one conversation."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        """What to write to the customer, given the talk so far; tools are at `desk.call`."""
        ...


class AgentFailure(Exception):
    """Raised by an agent that cannot go on, for a reason that has a name."""

    kind = ""
    """The class of the exception that was raised in another process, if one was."""
    trace = ""
    """Its traceback."""

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(detail)
        self.cause: Cause = cause
        self.detail = detail


class AgentFactory(Protocol):
    """Makes an agent for one conversation. A class with `__init__(self, seed)` is one."""

    def __call__(self, seed: int) -> Agent: ...


class EmbeddedFactory(Protocol):
    """Makes an agent of our own, which may know the world: the oracle reads the policy as rules."""

    def __call__(self, world: World, seed: int) -> Agent: ...


def find_agent(name: str, world: World) -> AgentFactory:
    """A reference agent by its name, or anybody's as `package.module:Name` or `file.py:Name`."""
    from supportagentbench.agents.baselines import REFERENCE

    return partial(REFERENCE[name], world) if name in REFERENCE else load_agent(name)


def load_agent(name: str) -> AgentFactory:
    """Anybody's agent; the code of its module is run."""
    place, colon, attribute = name.rpartition(":")
    if not colon:
        from supportagentbench.agents.baselines import REFERENCE

        known = ", ".join(REFERENCE)
        raise Problem(
            f"no agent is called {name!r}; give package.module:Name, file.py:Name, or one of: {known}."
        )
    try:
        module = _module_in(Path(place)) if place.endswith(".py") else importlib.import_module(place)
        found = getattr(module, attribute)
    except (ImportError, AttributeError, OSError) as error:
        raise Problem(f"the agent {name!r} cannot be loaded: {error}.") from None
    except (Exception, SystemExit) as error:  # Its code is run, and does what it likes.
        raise Problem(f"the agent {name!r} cannot be loaded: {_where(error)}.") from None
    if not callable(found):
        raise Problem(f"the agent {name!r} is not a class or function that takes a seed.")
    factory: AgentFactory = found
    return factory


def _where(error: BaseException) -> str:
    """An error while code was loaded, with its line."""
    from supportagentbench.agents.trace import described, scrubbed_text

    *_, last = traceback.extract_tb(error.__traceback__)
    place = f" ({scrubbed_text(last.filename)}:{last.lineno})" if not isinstance(error, SyntaxError) else ""
    return f"{described(error)}{place}"


def _module_in(file: Path) -> ModuleType:
    """The module in a file, which may import its neighbours."""
    if not file.is_file():
        raise ImportError(f"there is no file {file}")
    file = file.resolve()
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))  # At the end: a neighbour never hides a library.
    spec = importlib.util.spec_from_file_location(str(file), file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no Python file")
    module = sys.modules[str(file)] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
