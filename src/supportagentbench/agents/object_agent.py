"""Object agent: a class or function of the running program, of a notebook for example, which has no name by
which it could be imported again."""

import inspect
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, Self

from supportagentbench.agents.code_agent import CodeAgent
from supportagentbench.agents.own_agent import door_of
from supportagentbench.agents.resolve import refuse_reserved
from supportagentbench.agents.source import source_of
from supportagentbench.agents.spec import AgentSpec, AskedAgent, Surroundings
from supportagentbench.concurrency.shared_process import kept_alive
from supportagentbench.desk import Door
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest

OWN_SOURCE_ONLY = "of this agent, only its own source is known, and not the code that it uses"
NO_SOURCE = "this agent was given as an object whose source is not known"
MADE_WITH = "of this agent, only its file is known, and not what it was made with"

LAMBDA = "<lambda>"


class ObjectAgent(CodeAgent, eq=False):
    """An agent that is there already. It runs in this process."""

    made: Any = None
    """The class or function."""

    @classmethod
    def of(cls, name: str) -> Self | None:
        """No name means one."""
        return None

    @property
    def here_only(self) -> str:
        return (
            "is an object of this program, and another process cannot import it; put it into a Python file "
            "of its own"
        )

    def version(self) -> AgentVersion:
        seen = _seen(self.made)
        return AgentVersion(seen.source, given=self.title if self.given else "", unseen=seen.unseen)

    @property
    def mistrusts_stored(self) -> str:
        return self.version().unseen

    def check(self, isolation: Isolation | None = None, seconds: float = 0) -> None:
        if isolation:
            raise Problem(f"the agent {self.title!r} {self.here_only} and import it from there.")
        with kept_alive():
            self._door()

    def _open(self, around: Surroundings) -> Door:
        return self._door()

    def _door(self) -> Door:
        refuse_reserved(self.shown)
        return door_of(self.title, self.made)


def asked_agent(given: object) -> AskedAgent:
    """Names and specs as they are; a class or function by its name, or as an object if none leads to it."""
    if isinstance(given, str | AgentSpec):
        return given
    written = _written(given)
    module = sys.modules.get(getattr(written, "__module__", None) or "")
    variable = _variable_of(given, written, module) if module else ""
    if module and variable and _is_importable(module):
        return f"{module.__name__}:{variable}"
    return ObjectAgent(_name_of(written).replace(LAMBDA, variable or LAMBDA).strip("<>"), made=given)


def _written(given: object) -> object:
    """The user's own code in an object: what an adapter makes its agents with, or what a `partial` calls."""
    given = getattr(given, "user_code", given)
    return _written(given.func) if isinstance(given, partial) else given


def _variable_of(given: object, written: object, module: ModuleType) -> str:
    """What a module calls an object; code that was not wrapped has only its own name."""
    names = [getattr(written, "__name__", "")] if written is given else [*vars(module)]
    return next((name for name in names if getattr(module, name, None) is given), "")


def _name_of(written: object) -> str:
    """The name that its author gave it: a function's, a class's, or that of an object that has one."""
    kind = type(written).__name__
    own = getattr(written, "__name__", "") or (getattr(written, "name", "") if callable(written) else "")
    return own if isinstance(own, str) and own else kind


def _is_importable(module: ModuleType) -> bool:
    """Whether importing its name gives this module; that of the running script or notebook is another."""
    spec = module.__spec__
    return spec is not None and spec.name == module.__name__ != "__main__" and spec.has_location


class _Seen(NamedTuple):
    """What is known of an object's source, and why the rest is not."""

    source: dict[str, str]
    unseen: str


def _seen(made: object) -> _Seen:
    """The files of an object's code, or what can be read of it in a notebook."""
    written = _written(made)
    if not (inspect.isroutine(written) or inspect.isclass(written)):
        written = type(written)  # An object's class says what it does.
    is_made = written is not getattr(made, "user_code", made) or _is_local(written)
    with suppress(OSError, TypeError, Problem):
        file = Path(inspect.getsourcefile(written) or "")
        if file.suffix == ".py" and file.is_file():
            return _Seen(source_of(str(file)), MADE_WITH if is_made else "")
    if words := _own_source(written):
        return _Seen({_name_of(written): digest(words.encode())}, OWN_SOURCE_ONLY)
    return _Seen({}, NO_SOURCE)


def _is_local(made: object) -> bool:
    """Whether it was made in a function, whose values it may use."""
    return "<locals>" in getattr(made, "__qualname__", "")


def _own_source(made: object) -> str:
    """The text of a function, or of a class or its methods; empty if it is nowhere."""
    with suppress(OSError, TypeError):
        return inspect.getsource(made)  # type: ignore[arg-type]
    inside = vars(made).values() if inspect.isclass(made) else ()
    parts = [one for one in inside if isinstance(one, FunctionType)]
    with suppress(OSError, TypeError):
        return "".join(map(inspect.getsource, parts))
    return ""
