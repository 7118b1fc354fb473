"""Bench result: what agents that were run from Python did, as records, as a table and as pages."""

from collections.abc import Iterator
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from supportagentbench.board.conversation_table import conversation_table
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.standings import make_board
from supportagentbench.jobs.run import JobOutcome, JobResult
from supportagentbench.models.provider import keep_known_keys
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun, load_runs
from supportagentbench.site.number import count_of, value_text
from supportagentbench.storage.archive import folder_name, has_header, read_errors
from supportagentbench.storage.scratch_folder import ScratchFolder
from supportagentbench.storage.transcripts import read_transcripts

SHOWN = ("over_escalation", "unsafe", "escalation", "resolution", "pairs")
"""Metrics of a board that fit into a line."""


class _Figure(NamedTuple):
    """One metric of one agent."""

    title: str
    value: str
    of: str
    """Its hits out of its trials."""


class BenchResult:
    """The runs that a call of `supportagentbench.run` made, read again from their folder."""

    def __init__(self, out: Path | ScratchFolder, done: JobResult, outcome: JobOutcome) -> None:
        self._out = out
        self.outcome = outcome
        """Why it ended: complete, partial, budget, provider, errors or interrupted."""
        self.why = done.why
        """Why conversations are missing, in sentences."""
        self.spent = done.spent
        """Dollars that models cost which the benchmark asked; agents' own calls are in `agents_spent`."""
        self.runs: list[ScoredRun] = load_runs(self._folders(done))
        """Each run with its header, verdicts and judgements."""

    @property
    def out(self) -> Path:
        """The folder of the runs."""
        return self._out.path if isinstance(self._out, ScratchFolder) else self._out

    def _folders(self, done: JobResult) -> list[Path]:
        found = [self.out / folder_name(header) for header in done.headers]
        return [folder for folder in found if has_header(folder)]

    @property
    def folders(self) -> list[Path]:
        """The folder of each run."""
        return [self.out / folder_name(run.header) for run in self.runs]

    @cached_property
    def board(self) -> Board:
        """The figures of all agents with their intervals, and what can be claimed."""
        if not any(verdict.counts for verdict in self.verdicts):
            raise Problem(f"there is no board, because no conversation counts. {self.why}".rstrip())
        return make_board(self.runs)

    @property
    def verdicts(self) -> list[Verdict]:
        """What the checks found, conversation by conversation."""
        return [verdict for run in self.runs for verdict in run.verdicts]

    @property
    def agents_spent(self) -> float | None:
        """Dollars that the agents' own model calls cost, by what they reported; None: some have no price."""
        bills = [bill for one in self.verdicts for bill in one.bills if bill.role == "agent"]
        costs = [bill.cost for bill in bills]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @cached_property
    def transcripts(self) -> list[Transcript]:
        """The conversations, in the order of the verdicts."""
        return [filed.transcript for folder in self.folders for filed in read_transcripts(folder)]

    @property
    def errors(self) -> list[AgentError]:
        """Errors of the agents' own code, with their tracebacks."""
        return [error for folder in self.folders for error in read_errors(folder)]

    def to_dataframe(self) -> Any:
        """One row per conversation, with the columns of `sab export`, as a DataFrame of pandas."""
        try:
            import pandas
        except ImportError:
            raise Problem("a DataFrame needs pandas, which is not installed; `pip install pandas`.") from None
        return pandas.DataFrame([*conversation_table(self.runs)])

    def site(self, folder: str | Path) -> Path:
        """Build the pages of these runs in a folder; returns the first page."""
        from supportagentbench.jobs.site import build_site  # All that draws pages, which few need.

        keep_known_keys()
        build_site(self.folders, Path(folder))
        return Path(folder) / "index.html"

    def __repr__(self) -> str:
        lines = [self._summary()]
        for agent in self._agents():
            figures = ", ".join(f"{one.title.casefold()} {one.of}" for one in _figures(agent))
            lines.append(f"  {agent.name}: {figures}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The same as a notebook shows it."""
        heads = list(dict.fromkeys(one.title for agent in self._agents() for one in _figures(agent)))
        rows = [_row(agent, heads) for agent in self._agents()]
        head = "".join(f"<th>{escape(title)}</th>" for title in ("", *heads))
        return f"<p>{escape(self._summary())}</p><table><tr>{head}</tr>{''.join(rows)}</table>"

    def _summary(self) -> str:
        if not self.runs:
            return f"No runs. {self.why}".rstrip()
        first, number = self.runs[0].header, len(self.verdicts)
        ended = "" if self.outcome == "complete" else f", {self.outcome}: {self.why}".rstrip(": ")
        return f"{first.world}, set {first.set}, {counted(number, 'conversation')}{ended}"

    def _agents(self) -> tuple[AgentResults, ...]:
        return self.board.agents if any(verdict.counts for verdict in self.verdicts) else ()


def _figures(agent: AgentResults) -> Iterator[_Figure]:
    for metric in METRICS:
        found = agent.of(metric.name)
        if metric.name in SHOWN and found:
            yield _Figure(metric.title, value_text(found), count_of(found))


def _row(agent: AgentResults, heads: list[str]) -> str:
    found = {one.title: one for one in _figures(agent)}
    cells = (f"{one.value} ({one.of})" if (one := found.get(title)) else "" for title in heads)
    return f"<tr><th>{escape(agent.name)}</th>{''.join(f'<td>{escape(one)}</td>' for one in cells)}</tr>"
