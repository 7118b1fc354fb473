"""Counts: what a fake provider received and sent, so that a client's own accounting can be checked."""

from collections.abc import Iterable

from supportagentbench.records.record import Record


class Tokens(Record):
    """Tokens in buckets that do not overlap; `reasoning` is a part of `output`."""

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0

    @property
    def prompt(self) -> int:
        """All tokens of the prompt."""
        return self.input + self.cache_read + self.cache_write

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            self.input + other.input,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.output + other.output,
            self.reasoning + other.reasoning,
        )


class RequestCounts(Record):
    """How requests ended, and what their replies used."""

    requests: int = 0
    outcomes: dict[str, int] = {}
    """`ok`, the name of a fault, or `refused:` and the kind of error."""
    whole: Tokens = Tokens()
    """Tokens of replies that were sent completely and can be read."""
    spoiled: Tokens = Tokens()
    """Tokens of replies that never arrived in a readable form."""


class Counts(Record):
    """Everything a provider counted, without keys and message texts."""

    total: RequestCounts
    paths: dict[str, int]
    models: dict[str, RequestCounts]
    """By model; requests refused before the model was known are under the empty name."""
    most_concurrent: int


class Counter:
    """Counts requests as they arrive and finish."""

    def __init__(self) -> None:
        self._paths: dict[str, int] = {}
        self._models: dict[str, _Growing] = {}
        self._concurrent = 0
        self._most_concurrent = 0

    def arrive(self, path: str) -> int:
        """Count a request; returns how many are in flight."""
        self._paths[path] = self._paths.get(path, 0) + 1
        self._concurrent += 1
        self._most_concurrent = max(self._most_concurrent, self._concurrent)
        return self._concurrent

    def leave(self, model: str, outcome: str, tokens: Tokens | None, *, whole: bool) -> None:
        """Count how that request ended."""
        self._concurrent -= 1
        growing = self._models.get(model)
        if growing is None:
            growing = self._models[model] = _Growing()
        growing.outcomes[outcome] = growing.outcomes.get(outcome, 0) + 1
        if tokens is not None and whole:
            growing.whole += tokens
        elif tokens is not None:
            growing.spoiled += tokens

    @property
    def counts(self) -> Counts:
        """The counts so far."""
        models = {name: growing.tally for name, growing in sorted(self._models.items())}
        return Counts(_sum(models.values()), dict(self._paths), models, self._most_concurrent)


class _Growing:
    """One model's counts, mutable."""

    def __init__(self) -> None:
        self.outcomes: dict[str, int] = {}
        self.whole = Tokens()
        self.spoiled = Tokens()

    @property
    def tally(self) -> RequestCounts:
        outcomes = dict(sorted(self.outcomes.items()))
        return RequestCounts(sum(outcomes.values()), outcomes, self.whole, self.spoiled)


def _sum(tallies: Iterable[RequestCounts]) -> RequestCounts:
    total = _Growing()
    for tally in tallies:
        total.whole += tally.whole
        total.spoiled += tally.spoiled
        for outcome, times in tally.outcomes.items():
            total.outcomes[outcome] = total.outcomes.get(outcome, 0) + times
    return total.tally
