"""Own agent: the user's class, factory or plain function, sync or async, at the desk."""

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from supportagentbench.desk import AgentFailure, AgentSeat, Door
from supportagentbench.desk.doors.framework import FrameworkAgents
from supportagentbench.desk.doors.here import HereSeat
from supportagentbench.desk.doors.thread import ThreadSeat
from supportagentbench.desk.own_errors import own_errors
from supportagentbench.desk.trace import described
from supportagentbench.records.problem import Problem

NAMED = ("Agent", "agent")
"""Names that mark the agent of a file, even if there are other candidates."""

TALK = ("conversation", "turns")
"""Names of the conversation parameter by which a plain function is recognized as an agent."""

CLOSING = ("aclose", "close")
"""Names of the function that a class or factory may have for the end of the job."""

PAGES = {
    "agents": "openai-agents",
    "pydantic_ai": "pydantic-ai",
    "langgraph": "langgraph",
    "langchain": "langgraph",
    "langchain_core": "langgraph",
    "claude_agent_sdk": "claude-agent-sdk",
}
"""By a framework's package, the page of docs/bring that says how its agents get to the desk."""

FORMS = "a class with `reply`, a function of `desk` and `conversation`, or a function of `seed` making one"


def seated(reply: Callable[..., Any], leave: Callable[[], Any] | None = None) -> AgentSeat:
    """A seat for the agent whose reply function this is; in a thread if the function may block."""
    names = _places(reply)
    in_order = (lambda turns, desk: reply(desk, turns)) if names[:1] == ["desk"] else reply
    return HereSeat(in_order, leave) if inspect.iscoroutinefunction(reply) else ThreadSeat(in_order, leave)


class OwnDoor:
    """Seats agents made by the user's class or factory; they may have a `leave` to clean up."""

    def __init__(self, name: str, make: Callable[..., Any]) -> None:
        self.__wrapped__ = make
        self._name = name
        self._takes_seed = _takes(make, 1)

    def __call__(self, seed: int) -> AgentSeat:
        with own_errors():
            made = self.__wrapped__(seed) if self._takes_seed else self.__wrapped__()
        reply, leave = getattr(made, "reply", None), getattr(made, "leave", None)
        if not callable(reply):
            kind = type(made).__name__
            raise AgentFailure("agent_error", f"{self._name} made a {kind}, which has no method `reply`")
        return seated(reply, leave if callable(leave) and _takes(leave, 0) else None)

    async def aclose(self) -> None:
        """End of the job: close the user's class or factory."""
        if problem := await self.close_own():
            print(f"sab: {self._name} could not be closed: {problem}", file=sys.stderr)

    async def close_own(self) -> str:
        """Call `aclose` or `close` of the class or factory, if it takes no arguments; what it raised."""
        found = (getattr(self.__wrapped__, name, None) for name in CLOSING)
        close = next((one for one in found if callable(one) and _takes(one, 0)), None)
        try:
            if close and inspect.isawaitable(closing := close()):
                await closing
        except (Exception, SystemExit) as error:
            return described(error)
        return ""


class ReplyFunction:
    """A plain function as the agent of every conversation. It has no memory."""

    def __init__(self, reply: Callable[..., Any]) -> None:
        self.__wrapped__ = reply
        self._seat = seated(reply)

    def __call__(self, seed: int) -> AgentSeat:
        return self._seat

    async def aclose(self) -> None:
        """Nothing is left open."""


def door_of(name: str, found: Any) -> Door:
    """The door for an agent function or for what makes agents; raises Problem if it is neither."""
    if type(found) is FrameworkAgents:  # A subclass is the user's own code.
        return found
    _refuse_unadapted(name, found)
    if not callable(found):
        if callable(getattr(found, "reply", None)):
            raise Problem(
                f"the agent {name!r} is one object, and each conversation needs its own; give its class, "
                "or a function of `seed` that makes one."
            )
        raise Problem(f"the agent {name!r} is not a class or function; it has to be {FORMS}.")
    if inspect.isclass(found):
        _check_class(name, found)
    elif _is_reply(found):
        return ReplyFunction(found)
    if not _takes(found, 1) and not _takes(found, 0):
        needs = f"the agent {name!r} takes ({', '.join(_places(found))})"
        raise Problem(f"{needs}; it has to be {FORMS}.")
    return OwnDoor(name, found)


def _refuse_unadapted(name: str, found: Any) -> None:
    """A framework's agent as it is does not know the desk; a page says how it gets there."""
    if page := _page_of(found):
        raise Problem(
            f"the agent {name!r} is a {type(found).__name__} of {type(found).__module__.partition('.')[0]}, "
            f"which does not know this desk; docs/bring/{page}.md says how to give it the desk's tools with "
            "`on_desk`, in three lines."
        )


def _page_of(found: Any) -> str:
    """The page about the framework that an object is of; empty: it is of none."""
    kinds = () if inspect.isclass(found) or inspect.isroutine(found) else type(found).__mro__
    return next((PAGES[top] for kind in kinds if (top := kind.__module__.partition(".")[0]) in PAGES), "")


def _check_class(name: str, found: type) -> None:
    reply = getattr(found, "reply", None)
    if not callable(reply):
        raise Problem(f"the agent {name!r} is a class without a method `reply(self, turns, desk)`.")
    is_bound = isinstance(inspect.getattr_static(found, "reply"), staticmethod | classmethod)
    if not _takes(reply, 2 if is_bound else 3):
        taken = ", ".join(_places(reply))
        raise Problem(f"`reply` of the agent {name!r} takes ({taken}); write `reply(self, turns, desk)`.")


def named_agent(module: ModuleType, name: str) -> Any:
    """The object with this name in a module."""
    if not hasattr(module, name):
        own = [word for word, value in _public(module).items() if not _is_foreign(value, module)]
        there = f"it has {', '.join(own)}" if own else "it defines nothing"
        raise Problem(f"the agent cannot be loaded: {Path(module.__name__).name} has no {name!r}; {there}.")
    return getattr(module, name)


def only_agent(module: ModuleType, file: str) -> Any:
    """The agent in a file: the object named `Agent` or `agent`, or the only candidate."""
    public = _public(module)
    named = [name for name in NAMED if name in public and not _is_foreign(public[name], module)]
    found = named or [name for name, value in public.items() if _looks_like_one(name, value, module)]
    if not found:
        for value in public.values():
            _refuse_unadapted(file, value)
        raise Problem(f"has no agent; it needs {FORMS}.", place=file)
    if len({id(public[name]) for name in found}) > 1:
        given = " or ".join(f"{file}:{name}" for name in found)
        raise Problem(f"has several agents: {', '.join(found)}; give one, as {given}.", place=file)
    return public[found[0]]


def _public(module: ModuleType) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if not name.startswith("_")}


def _looks_like_one(name: str, value: Any, module: ModuleType) -> bool:
    if _is_foreign(value, module) or not callable(value):
        return False
    if inspect.isclass(value):
        return callable(getattr(value, "reply", None))
    names = _places(value)
    if not _is_reply(value):
        return names[:1] == ["seed"] and _takes(value, 1)
    return name == "reply" or any(word in names for word in TALK)


def _is_foreign(value: Any, module: ModuleType) -> bool:
    """Whether it was imported: an imported class named Agent is not the agent of this file."""
    is_code = inspect.isclass(value) or inspect.isroutine(value)
    return inspect.ismodule(value) or (is_code and value.__module__ != module.__name__)


def _is_reply(found: Callable[..., Any]) -> bool:
    """Whether it answers itself, instead of making an agent that does."""
    return "desk" in _places(found)[:2] and _takes(found, 2)


def _places(found: Callable[..., Any]) -> list[str]:
    """The names of its positional parameters."""
    try:
        given = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return []
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [one.name for one in given if one.kind in by_place]


def _takes(found: Callable[..., Any], count: int) -> bool:
    """Whether it can be called with this number of arguments."""
    try:
        inspect.signature(found).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # Written in C, without a signature: only a call can show.
        return True
    return True
