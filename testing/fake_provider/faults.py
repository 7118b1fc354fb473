"""Faults: everything that goes wrong between a client and a model, on purpose and by the dice."""

from random import Random
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from fake_provider.clerk import ModelReply
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record

Fault = Literal[
    "rate_limited",
    "server_error",
    "unavailable",
    "overloaded",
    "dropped",
    "truncated",
    "broken_json",
    "slow",
    "empty",
    "refusal",
    "filtered",
    "cut_off",
    "bad_arguments",
    "unknown_tool",
]
"""What may happen to one request; at most one of them does."""

FAULTS: tuple[Fault, ...] = get_args(Fault)


class Faults(Record):
    """How a fake provider misbehaves. The dice are thrown once for each request, in order of arrival."""

    seed: int = 0
    plan: tuple[Fault | Literal["ok"], ...] = ()
    """What happens to the first requests, one after the other; the dice are for those after them."""

    rate_limited: float = 0
    """Share of requests that are told 429."""
    server_error: float = 0
    """500, with an error in JSON."""
    unavailable: float = 0
    """503, with a page of HTML as gateways send it."""
    overloaded: float = 0
    """529."""
    dropped: float = 0
    """The connection is closed before a single byte."""
    truncated: float = 0
    """The connection is closed half-way through the body it announced."""
    broken_json: float = 0
    """Status 200, and half a body that calls itself whole."""
    slow: float = 0
    """The body comes in little pieces over `slow_for` seconds."""
    empty: float = 0
    """No words, no calls."""
    refusal: float = 0
    """The model declines."""
    filtered: float = 0
    """A filter took the words away."""
    cut_off: float = 0
    """The reply stops half-way at the limit of length."""
    bad_arguments: float = 0
    """A tool call whose arguments cannot be read."""
    unknown_tool: float = 0
    """A call of a tool that nobody offered."""

    latency: float = 0
    """Seconds before a reply."""
    jitter: float = 0
    """By which share of it the latency varies, up and down."""
    slow_for: float = 1
    retry_after: float = 1
    """Seconds a 429 asks to wait for; 0 leaves the header out."""
    retry_form: Literal["seconds", "date", "ms"] = "seconds"
    concurrency: int = 0
    """Requests answered at a time; the next is told 429. 0: any number."""
    per_second: float = 0
    """Requests answered in a second; the next is told 429. 0: any number."""
    down_at: int = 0
    """Number of the request, from 1, at which an outage begins. 0: none."""
    down_for: float = 1
    """Seconds that outage lasts."""
    down_form: Literal["unavailable", "refused"] = "unavailable"
    """Whether an outage answers 503, or takes no connection at all and cuts the open ones."""
    context: int = 0
    """Tokens of the longest prompt. 0: any length."""
    dollars: float = 0
    """Price of a million tokens of any kind; the usage then names a cost. 0: no word of money."""

    def __post_init__(self) -> None:
        shares = [getattr(self, name) for name in FAULTS]
        if min(shares) < 0 or sum(shares) > 1 + 1e-9:
            raise ValueError("the shares of the faults have to be between 0 and 1, all together as well")


def spoil(said: ModelReply, fault: Fault, tools: tuple[str, ...]) -> ModelReply | None:
    """The reply as this fault leaves it; None where it has nothing to get hold of."""
    if fault == "empty":
        return replace(said, text="", calls=(), stop="end")
    if fault == "refusal":
        return ModelReply("I'm sorry, but I can't help with that.", stop="refusal")
    if fault == "filtered":
        return ModelReply(stop="filtered")
    if fault == "cut_off":
        words = said.text or "Let me look into that for you."
        return replace(said, text=words[: len(words) // 2], calls=(), stop="length")
    if fault not in ("bad_arguments", "unknown_tool"):
        return said
    if not tools:
        return None
    name = said.calls[0][0] if said.calls else tools[0]
    if fault == "bad_arguments":
        return replace(said, calls=((name, '{"order": "#11'),), stop="calls")
    return replace(said, calls=(("read_mind", "{}"),), stop="calls")


class Dice:
    """Draws what happens to each request."""

    def __init__(self, faults: Faults) -> None:
        self._random = Random(faults.seed)
        self._plan = iter(faults.plan)
        self._jitter = faults.jitter
        self._latency = faults.latency
        shares = ((name, getattr(faults, name)) for name in FAULTS)
        self._shares: list[tuple[Fault, float]] = [(name, share) for name, share in shares if share]

    def fault(self) -> Fault | None:
        """What happens to the next request."""
        planned = next(self._plan, None)
        if planned is not None:
            return None if planned == "ok" else planned
        if not self._shares:
            return None
        drawn = self._random.random()
        for name, share in self._shares:
            drawn -= share
            if drawn < 0:
                return name
        return None

    def latency(self) -> float:
        """Seconds the next reply takes."""
        if not self._jitter:
            return self._latency
        return max(0.0, self._latency * (1 + self._jitter * (2 * self._random.random() - 1)))


def faults_from(text: str) -> Faults:
    """Faults as the command line has them: `rate_limited=0.05,latency=0.2`."""
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    given: dict[str, str | list[str]] = {name.strip(): value.strip() for name, _, value in pairs}
    if "plan" in given:
        given["plan"] = str(given["plan"]).split()
    try:
        return msgspec.convert(given, Faults, strict=False)
    except msgspec.ValidationError as error:
        what = str(error).replace("`$.", "`").replace(" - at `$`", "")
        raise Problem(
            f"These faults cannot be: {what}. Write them as rate_limited=0.05,latency=0.2."
        ) from None
