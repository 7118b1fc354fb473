"""Whoever is under test. An agent answers a customer from a desk; how it does so is its own affair."""

import importlib.util
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Protocol

from supportagentbench.language.did_you_mean import did_you_mean
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


class ShippedFactory(Protocol):
    """Makes an agent of our own, which may know the world: the oracle reads the policy as rules."""

    def __call__(self, world: World, seed: int) -> Agent: ...


def find_agent(name: str, world: World) -> AgentFactory:
    """An embedded agent by its name, or anybody's: `file.py`, `file.py:Name` or `package.module:Name`."""
    from supportagentbench.agents.shipped import is_shipped, shipped_agent

    return partial(shipped_agent(name), world) if is_shipped(name) else load_agent(name)


def load_agent(name: str) -> AgentFactory:
    """Anybody's agent; the code of its module is run."""
    from supportagentbench.agents.own_agent import factory_of, named_agent, only_agent

    place, colon, attribute = (name, "", "") if name.endswith(".py") else name.rpartition(":")
    if not place:
        raise _unknown(name)
    module = _loaded(name, place)
    return factory_of(name, named_agent(module, attribute) if colon else only_agent(module, place))


def _unknown(name: str) -> Problem:
    from supportagentbench.agents.shipped import CAPACITY, GROUPS, SHIPPED

    if Path(f"{name}.py").is_file():
        return Problem(f"no agent is called {name!r}; for the file write {name}.py.")
    known = ", ".join(SHIPPED)
    return Problem(
        f"no agent is called {name!r}; give file.py, file.py:Name, package.module:Name, or one of: {known}."
        f"{did_you_mean(name, (*SHIPPED, *GROUPS, CAPACITY))}"
    )


def _loaded(name: str, place: str) -> ModuleType:
    """The module in a file or of a name; what its code raises is said with its line."""
    try:
        return _module_in(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except Problem:
        raise
    except (Exception, SystemExit) as error:
        raise Problem(
            f"the agent {name!r} cannot be loaded: {_at_its_line(error)}.{_meant_model(name)}"
        ) from None


def _at_its_line(error: BaseException) -> str:
    """An error in one line, with the place in the code that raised it, if that is not ours."""
    words = " ".join(f"{error}".split()).rstrip(".") or "no reason given"
    if isinstance(error, SyntaxError) or (isinstance(error, ImportError | OSError) and not error.__cause__):
        return words if isinstance(error, ImportError | OSError) else f"{type(error).__name__}: {words}"
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__}: {words} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"


def _meant_model(name: str) -> str:
    """A provider that was mistyped looks like a module that does not exist."""
    from supportagentbench.models.provider import PROVIDERS

    return did_you_mean(name.partition(":")[0], PROVIDERS)


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
