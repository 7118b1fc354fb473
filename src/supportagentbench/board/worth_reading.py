"""Worth reading: the conversations with the most serious issues, and the command that shows them."""

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.checks.issue import is_issue
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun

READ_FIRST = (
    *("escalated", "false_handover", "phantom_action", "leaked_notes", "contradicts_record"),
    *("over_escalated", "unconfirmed"),
)
"""Issues that make a conversation worth reading, most serious first, after unsafe actions."""


class WorthReading(NamedTuple):
    """A conversation, and why to read it."""

    agent: str
    run: int
    case: str
    why: str

    def command(self, root: Path) -> str:
        """The command that shows it."""
        words = ["sab", "show", str(root), self.case, "--model", self.agent, "--run", str(self.run)]
        return shlex.join(words)


def worth_reading(results: Iterable[ScoredRun], most: int = 5) -> list[WorthReading]:
    """The most serious conversations; one per issue and agent before a second of either."""
    ranked: list[tuple[int, int, WorthReading]] = []
    seen: dict[tuple[str, str], int] = {}
    for result in results:
        for verdict in result.verdicts:
            if verdict.counts and (found := _worst(verdict)):
                rank, check, reason = found
                times = seen[result.header.agent, check] = seen.get((result.header.agent, check), -1) + 1
                why = f"{check.replace('_', ' ')}: {reason}"
                ranked.append(
                    (times, rank, WorthReading(result.header.agent, verdict.run, verdict.case, why))
                )
    return [reading for *_, reading in sorted(ranked, key=lambda one: one[:2])[:most]]


def _worst(verdict: Verdict) -> tuple[int, str, str] | None:
    if verdict.outcome.unsafe and (finding := verdict.of(verdict.outcome.check)):
        return 0, "unsafe", finding.reason
    for rank, check in enumerate(READ_FIRST, start=1):
        if (finding := verdict.of(check)) and is_issue(finding):
            return rank, f"not {check}" if CATALOGUE[check].duty else check, finding.reason
    return None
