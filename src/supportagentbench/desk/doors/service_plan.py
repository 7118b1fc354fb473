"""Service plan: how one HTTP service is asked for a reply, as `agent.yaml` says, without code.

What is sent is a template: in its texts, names in braces are replaced. Where something is in an answer is a
JMESPath expression.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.parser import ParsedResult
from msgspec import Meta

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record

Seconds = Annotated[float, Meta(gt=0, le=3_600)]

DESK_NAMES = ("mcp", "rest", "openapi", "token")
"""What a template calls the addresses at which the service reaches the desk."""

TALK_NAMES = (
    *("conversation", "turn", "name", "email", "text", "attachments"),
    *("messages", "parts", "instructions"),
)
"""What else it can name."""

_NAME = re.compile(r"\{(\w+)\}")
_VARIABLE = re.compile(r"\$\{(\w+)\}")


class Wait(Record):
    """A service that answers later: where its reply is fetched."""

    url: str
    until: str
    """Path to something that is there once the reply is."""
    every: Seconds = 0.5


class OpeningRequest(Record):
    """A request before the first message, such as one that opens a session."""

    url: str
    method: Literal["POST", "PUT", "GET"] = "POST"
    headers: dict[str, str] = {}
    body: Any = None


class DeskPlace(Record):
    """Where the desk's tools are served to this agent."""

    fixed: bool = False
    """Whether the agent knows one address for all conversations; otherwise each message brings its own."""
    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    key: str = ""
    """What the agent has to send as its Bearer token to a fixed address."""
    url: str = ""
    """How the agent reaches this server, if not by host and port: the address of a tunnel or a container."""


class VersionSource(Record):
    """What says which version of the service runs: a text, a command, or an answer to GET."""

    text: str = ""
    command: tuple[str, ...] = ()
    """Run in the folder of the file, without a shell; what it prints is the version."""
    url: str = ""
    """Asked with GET before a run, relative to the service's address; the whole body is the version,"""
    path: str = ""
    """or what is at this path of it,"""
    header: str = ""
    """or a header of the answer."""
    reply: str = ""
    """Path in every reply: a version that changes while a run is on stops it."""
    optional: bool = False
    """Whether the version is simply unknown if it cannot be found; otherwise nothing is run."""

    @property
    def is_asked(self) -> bool:
        """Whether a server is asked for it."""
        return bool(self.url or self.path or self.header)


class ServicePlan(Record):
    """One service."""

    url: str
    preset: str = ""
    """The shipped plan whose values apply where this one has none."""
    method: Literal["POST", "PUT"] = "POST"
    headers: dict[str, str] = {}
    body: Any = None
    start: OpeningRequest | None = None
    reply: str = "text"
    """Path to the words for the customer; several are joined."""
    stream: Literal["", "sse"] = ""
    """Whether the answer comes in pieces, as server-sent events; the paths then hold for each of them."""
    poll: Wait | None = None
    session: str | dict[str, str] = ""
    """Path to what later requests have to repeat as {session}; several by their names."""
    ended: str = ""
    """Path to what is true once the service has ended the conversation."""
    usage: str | dict[str, str] = ""
    """Path to the tokens that a reply took, or the path of each count."""
    model: str = ""
    """The model's name, for prices, if the usage does not name it."""
    version: VersionSource = VersionSource()
    desk: DeskPlace = DeskPlace()
    timeout: Seconds = 120.0
    """Seconds for one reply."""

    @property
    def kept(self) -> dict[str, str]:
        """What of an answer later requests repeat, by name, with its path."""
        if isinstance(self.session, dict):
            return self.session
        return {"session": self.session} if self.session else {}

    @property
    def reaches_desk(self) -> bool:
        """Whether the agent can call the desk's tools."""
        return self.desk.fixed or any(name in DESK_NAMES for name in _names_in(self._templates()))

    def check(self) -> None:
        """Raise a Problem about a template or a path that cannot work."""
        known = {*TALK_NAMES, *DESK_NAMES, *self.kept}
        for name in _names_in(self._templates()):
            if name not in known:
                raise Problem(f"{{{name}}} is not known; there are {', '.join(sorted(known))}.")
        counts = self.usage.values() if isinstance(self.usage, dict) else [self.usage]
        paths = [self.reply, self.ended, self.version.path, self.version.reply, *counts, *self.kept.values()]
        for path in filter(None, [*paths, self.poll.until if self.poll else ""]):
            compiled(path)

    def _templates(self) -> list[Any]:
        start = self.start or OpeningRequest("")
        polled = self.poll.url if self.poll else ""
        return [self.url, self.headers, self.body, start.url, start.headers, start.body, polled]


def compiled(path: str) -> ParsedResult:
    """A path that can be looked up; a Problem if it is not one."""
    try:
        return jmespath.compile(path)
    except JMESPathError as error:
        words = " ".join(str(error).split())
        raise Problem(f"{path!r} is not a JMESPath expression ({words[:200]}).") from None


def found_at(path: str, answer: Any) -> Any:
    """What is at this place of an answer; None if nothing is."""
    try:
        return compiled(path).search(answer)
    except (JMESPathError, RecursionError, TypeError, ValueError, ArithmeticError):
        return None  # A function got what it cannot work on: there is nothing to find there.


def is_given(path: str, answer: Any) -> bool:
    """Whether an answer has this place, even if nothing is there: null is an answer, too."""
    if found_at(path, answer) is not None:
        return True
    above, _, name = path.rpartition(".")
    place = found_at(above, answer) if above else answer
    return isinstance(place, dict) and name in place


def words_in(found: Any, joint: str) -> str | None:
    """The text in what a path found: one or several, joined; None if it is something else."""
    if found is None or found is False:  # A condition in a path that does not hold.
        return ""
    if isinstance(found, str):
        return found
    if isinstance(found, list):
        parts = [words_in(one, joint) for one in found]
        return None if None in parts else joint.join(part for part in parts if part)
    return None


def filled(template: Any, values: Mapping[str, Any]) -> Any:
    """The template with its names replaced; a text that is only a name becomes the value itself."""
    if isinstance(template, str):
        if whole := _NAME.fullmatch(template):
            return values[whole[1]]
        return _NAME.sub(lambda name: str(values[name[1]]), template)
    if isinstance(template, dict):
        return {key: filled(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [filled(value, values) for value in template]
    return template


def with_variables(template: Any, variables: Mapping[str, str]) -> Any:
    """The template with `${NAME}` replaced from the environment; a Problem if one is not set."""
    if isinstance(template, str):
        for name in _VARIABLE.findall(template):
            if not variables.get(name):
                raise Problem(f"${{{name}}} is not set in the environment.")
        return _VARIABLE.sub(lambda name: variables[name[1]], template)
    if isinstance(template, dict):
        return {key: with_variables(value, variables) for key, value in template.items()}
    if isinstance(template, list):
        return [with_variables(value, variables) for value in template]
    return template


def variables_in(template: Any) -> set[str]:
    """The names of the environment's variables that a template uses."""
    return {name for text in _texts(template) for name in _VARIABLE.findall(text)}


def _names_in(template: Any) -> Iterator[str]:
    for text in _texts(template):
        yield from _NAME.findall(_VARIABLE.sub("", text))


def _texts(template: Any) -> Iterator[str]:
    if isinstance(template, str):
        yield template
    elif isinstance(template, dict | list):
        for part in template.values() if isinstance(template, dict) else template:
            yield from _texts(part)
