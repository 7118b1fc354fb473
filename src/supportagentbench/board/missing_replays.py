"""Missing replays: planned replays of a fork that are not on file, although a later one is.

Replays are played in order, and `--until-decided` leaves out the last ones only. So whoever drops replays
after seeing them leaves a gap, or a fork without any.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from supportagentbench.records.gaps import gaps, not_here
from supportagentbench.records.run import Run

Replayed = tuple[Run, Collection[str]]
"""A run of forks, and the forks of which it has a replay on file."""


def missing_replays(runs: Iterable[Replayed]) -> dict[tuple[str, str], str]:
    """The numbers of such replays, by fork and agent; all that were planned, if there is none on file."""
    by_agent: dict[str, list[Replayed]] = defaultdict(list)
    for header, played in runs:
        by_agent[header.agent].append((header, played))
    found = {}
    for agent, own in by_agent.items():
        for fork in dict.fromkeys(fork for header, _ in own for fork in header.cases):
            if missing := _missing(fork, own):
                found[fork, agent] = missing
    return found


def missing_words(
    missing: Mapping[tuple[str, str], str], shown_name: Callable[[str], str] = str
) -> Iterator[str]:
    """One clause for each fork and agent."""
    for (fork, agent), numbers in missing.items():
        yield f"{shown_name(agent)} at {fork}: {not_here('replay', numbers)}"


def _missing(fork: str, runs: Collection[Replayed]) -> str:
    """Runs that did not plan this fork take up numbers of their own."""
    others = {header.run for header, _ in runs if fork not in header.cases}
    on_file = {header.run for header, played in runs if fork in played}
    after = 1 + max(header.run for header, _ in runs if fork in header.cases)
    return gaps(others | (on_file or {after}))
