"""Letters: what worker and driver tell each other.

What a worker writes is checked when it is read: its process also runs the code of agents.
"""

from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from supportagentbench.models import Completion
from supportagentbench.models.http_client import Retry
from supportagentbench.records.amount import Count, Dollars, Moment
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, from_json
from supportagentbench.records.run import Run
from supportagentbench.records.secrets import sealed_json
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.runner.play import Played, PlayTask
from supportagentbench.storage.file import LARGEST_RECORD

LONGEST_PAUSE = 3600.0
"""Seconds."""


class Letter(Record, tag_field="letter", tag=True):
    """Anything that a worker tells the driver."""


class OpenLetter(Letter):
    """The worker can play these agents, or why it cannot play."""

    headers: tuple[Run, ...] = ()
    problem: str = ""


class PlayLetter(Letter):
    """Something about one conversation, by the number that the driver gave it."""

    play: Count


class TurnLetter(PlayLetter):
    """Somebody wrote something."""

    turn: Turn


class AnswerLetter(PlayLetter):
    """A model answer was paid for."""

    key: str
    completion: Completion


class NoteLetter(PlayLetter):
    """Something was changed; the conversation waits until this is safe."""

    so_far: Transcript
    started: Moment


class RetryLetter(PlayLetter):
    """A request is tried again."""

    retry: Retry


class PlayedLetter(PlayLetter):
    """The conversation is over."""

    played: Played


class ProblemLetter(PlayLetter):
    """It could not be played."""

    sentence: str


class AskLetter(Letter):
    """May one more request be sent to this host; or, without a host, may this be spent?"""

    number: Count
    host: str = ""
    dollars: Dollars = 0.0


class ReturnLetter(Letter):
    """What was asked for under this number is not needed any more."""

    number: Count


class PaceLetter(Letter):
    """A host has answered; or it asks for fewer requests, and for none for some seconds."""

    host: str
    wait: Annotated[float, Meta(ge=0, le=LONGEST_PAUSE)] | None = None


class CostLetter(Letter):
    """A request was answered."""

    cost: Dollars | None
    """None: its price is unknown."""


class RiskLetter(Letter):
    """A request without a known cost may have cost this at most."""

    dollars: Dollars


AnyLetter = (
    OpenLetter
    | TurnLetter
    | AnswerLetter
    | NoteLetter
    | RetryLetter
    | PlayedLetter
    | ProblemLetter
    | AskLetter
    | ReturnLetter
    | PaceLetter
    | CostLetter
    | RiskLetter
)


def written(letter: Letter) -> bytes:
    """A letter without the secrets that the worker knows."""
    return sealed_json(letter, msgspec.json.encode)


def read_letters(sent: object) -> list[AnyLetter]:
    """The letters that a worker has sent; a Problem if they are none."""
    try:
        if not isinstance(sent, list):
            raise msgspec.DecodeError("there are no letters")
        return [*map(_read, sent)]
    except msgspec.MsgspecError as error:
        raise Problem(f"a worker of the cluster sent what cannot be read ({error}).") from None


def _read(data: object) -> AnyLetter:
    if not isinstance(data, bytes) or len(data) > LARGEST_RECORD:
        raise msgspec.DecodeError("one is no letter, or too large")
    letter: AnyLetter = from_json(data, AnyLetter)  # type: ignore[arg-type]
    return letter


class PlayOrder(NamedTuple):
    """Play this conversation under this number."""

    play: int
    task: PlayTask


class StopOrder(NamedTuple):
    """Play this conversation no further: nobody waits for its result."""

    play: int


class NotedOrder(NamedTuple):
    """What a conversation had changed is safe: go on; or why it is not. Every note is answered."""

    play: int
    refusal: str = ""


class GrantOrder(NamedTuple):
    """What was asked for is granted, or why it is not."""

    number: int
    refusal: str = ""


Order = PlayOrder | StopOrder | NotedOrder | GrantOrder
