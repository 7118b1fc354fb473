"""Faults: everything that can go wrong between a client and a model, on purpose and at random."""

from random import Random
from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from supportagentbench.fake_provider.clerk import ModelReply
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
    "error_in_200",
    "bad_utf8",
    "deep_json",
    "gzip_bomb",
    "bad_gzip",
    "huge_length",
    "html_page",
    "null_name",
    "odd_types",
    "padded",
]
"""What may happen to one request; at most one of them does."""

FAULTS: tuple[Fault, ...] = get_args(Fault)


class Faults(Record):
    """How a fake provider misbehaves. Faults are drawn once per request, in order of arrival."""

    seed: int = 0
    plan: tuple[Fault | Literal["ok"], ...] = ()
    """What happens to the first requests, in order; later ones are drawn at random."""

    rate_limited: float = 0
    """Share of requests that get a 429."""
    server_error: float = 0
    """500, with an error in JSON."""
    unavailable: float = 0
    """503, with an HTML page as gateways send it."""
    overloaded: float = 0
    """529."""
    dropped: float = 0
    """The connection is closed before the first byte."""
    truncated: float = 0
    """The connection is closed halfway through the body."""
    broken_json: float = 0
    """Status 200 with half a body, declared as complete."""
    slow: float = 0
    """The body arrives in small pieces over `slow_for` seconds."""
    empty: float = 0
    """No text and no calls."""
    refusal: float = 0
    """The model declines."""
    filtered: float = 0
    """A content filter removed the text."""
    cut_off: float = 0
    """The reply stops halfway at the length limit."""
    bad_arguments: float = 0
    """A tool call whose arguments cannot be read."""
    unknown_tool: float = 0
    """A call of a tool that was not offered."""
    error_in_200: float = 0
    """Status 200 with an error for a body, as gateways send it."""
    bad_utf8: float = 0
    """A byte in the text that is not UTF-8."""
    deep_json: float = 0
    """100,000 lists within each other beside the reply."""
    gzip_bomb: float = 0
    """40 KB that decompress to 40 MB."""
    bad_gzip: float = 0
    """Declared as compressed, and not compressed."""
    huge_length: float = 0
    """Declared as 40 GB; the connection closes after the first bytes."""
    html_page: float = 0
    """Status 200 with the page of a proxy."""
    null_name: float = 0
    """A tool call that does not name the tool."""
    odd_types: float = 0
    """Readable, but token counts are floats, ids are numbers and the cost, if any, is text."""
    padded: float = 0
    """Readable, after a megabyte of blanks in pieces of unknown number, as gateways keep connections open."""

    latency: float = 0
    """Seconds before a reply."""
    jitter: float = 0
    """Share of the latency by which it varies, up and down."""
    slow_for: float = 1
    retry_after: float = 1
    """Seconds a 429 asks to wait for; 0 leaves the header out."""
    retry_form: Literal["seconds", "date", "ms"] = "seconds"
    concurrency: int = 0
    """Requests in flight; one more gets a 429. 0: any number."""
    per_second: float = 0
    """Requests per second; one more gets a 429. 0: any number."""
    down_at: int = 0
    """Number of the request, from 1, at which an outage starts. 0: none."""
    down_for: float = 1
    """Duration of the outage in seconds."""
    down_form: Literal["unavailable", "refused"] = "unavailable"
    """Whether an outage answers 503, or refuses connections and closes the open ones."""
    context: int = 0
    """Longest prompt in tokens. 0: any length."""
    dollars: float = 0
    """Price of a million tokens of any kind; the usage then includes a cost. 0: no cost is reported."""

    def __post_init__(self) -> None:
        shares = [getattr(self, name) for name in FAULTS]
        if min(shares) < 0 or sum(shares) > 1 + 1e-9:
            raise ValueError("each share of faults, and their sum, must be between 0 and 1")


def apply_fault(said: ModelReply, fault: Fault, tools: tuple[str, ...]) -> ModelReply | None:
    """The reply after this fault; None if the fault does not apply to it."""
    if fault == "empty":
        return replace(said, text="", calls=(), stop="end")
    if fault == "refusal":
        return ModelReply("I'm sorry, but I can't help with that.", stop="refusal")
    if fault == "filtered":
        return ModelReply(stop="filtered")
    if fault == "cut_off":
        words = said.text or "Let me look into that for you."
        return replace(said, text=words[: len(words) // 2], calls=(), stop="length")
    if fault == "null_name":
        return said if said.calls else None
    if fault not in ("bad_arguments", "unknown_tool"):
        return said
    if not tools:
        return None
    name = said.calls[0][0] if said.calls else tools[0]
    if fault == "bad_arguments":
        return replace(said, calls=((name, '{"order": "#11'),), stop="calls")
    return replace(said, calls=(("read_mind", "{}"),), stop="calls")


class FaultDice:
    """Draws the fault and the latency of each request."""

    def __init__(self, faults: Faults) -> None:
        self._random = Random(faults.seed)
        self._plan = iter(faults.plan)
        self._jitter = faults.jitter
        self._latency = faults.latency
        shares = ((name, getattr(faults, name)) for name in FAULTS)
        self._shares: list[tuple[Fault, float]] = [(name, share) for name, share in shares if share]

    def fault(self) -> Fault | None:
        """The fault of the next request."""
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
        """Latency of the next reply in seconds."""
        if not self._jitter:
            return self._latency
        return max(0.0, self._latency * (1 + self._jitter * (2 * self._random.random() - 1)))


def faults_from(text: str) -> Faults:
    """Parse faults from the command line: `rate_limited=0.05,latency=0.2`."""
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    given: dict[str, str | list[str]] = {name.strip(): value.strip() for name, _, value in pairs}
    if "plan" in given:
        given["plan"] = str(given["plan"]).split()
    try:
        return msgspec.convert(given, Faults, strict=False)
    except msgspec.ValidationError as error:
        what = str(error).replace("`$.", "`").replace(" - at `$`", "")
        raise Problem(
            f"The faults cannot be read: {what}. Write them as rate_limited=0.05,latency=0.2."
        ) from None
