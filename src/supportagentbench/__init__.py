"""SupportAgentBench: can this AI agent run a support desk?

A world becomes cases, a case a transcript, a transcript a verdict, and verdicts a board:

    World ──generate──▶ Case ──run_job──▶ Transcript ──score──▶ Verdict ──make_board──▶ Board

The names listed here are the public interface, documented in docs/api.md; everything else may change without
notice. They are imported when first used, so that `import supportagentbench` takes no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from supportagentbench.records.version import __version__

if TYPE_CHECKING:
    from supportagentbench.agents.tool_loop import ToolLoop
    from supportagentbench.board.agent_comparison import compare_agents
    from supportagentbench.board.standings import make_board
    from supportagentbench.checks import score
    from supportagentbench.desk import Agent, AgentFactory, AgentFailure, Desk
    from supportagentbench.jobs.bench_result import BenchResult
    from supportagentbench.jobs.from_python import run, run_async
    from supportagentbench.jobs.job import Job, open_job
    from supportagentbench.jobs.run import JobResult, run_job
    from supportagentbench.jobs.spec import JobSpec
    from supportagentbench.models import Completion, Message, Model, ModelError, ModelRequest, ToolRequest
    from supportagentbench.records.board import AgentResults, Board, Estimate, Interval
    from supportagentbench.records.case import Case, Label
    from supportagentbench.records.claim import Claim
    from supportagentbench.records.finding import Finding
    from supportagentbench.records.judgement import Judgement
    from supportagentbench.records.problem import Problem
    from supportagentbench.records.run import Run
    from supportagentbench.records.tool_spec import ToolSpec
    from supportagentbench.records.transcript import (
        Attachment,
        Ending,
        ToolCall,
        ToolResult,
        Transcript,
        Turn,
    )
    from supportagentbench.records.usage import Usage
    from supportagentbench.records.verdict import Verdict
    from supportagentbench.results.load import ScoredRun, load_runs
    from supportagentbench.runner.observer import RunObserver
    from supportagentbench.storage.transcripts import read_transcripts
    from supportagentbench.world.drawn_cases import DrawnCases, generate
    from supportagentbench.world.folder import World, read_world

__all__ = [
    "Agent",
    "AgentFactory",
    "AgentFailure",
    "AgentResults",
    "Attachment",
    "BenchResult",
    "Board",
    "Case",
    "Claim",
    "Completion",
    "Desk",
    "DrawnCases",
    "Ending",
    "Estimate",
    "Finding",
    "Interval",
    "Job",
    "JobResult",
    "JobSpec",
    "Judgement",
    "Label",
    "Message",
    "Model",
    "ModelError",
    "ModelRequest",
    "Problem",
    "Run",
    "RunObserver",
    "ScoredRun",
    "ToolCall",
    "ToolLoop",
    "ToolRequest",
    "ToolResult",
    "ToolSpec",
    "Transcript",
    "Turn",
    "Usage",
    "Verdict",
    "World",
    "__version__",
    "compare_agents",
    "generate",
    "load_runs",
    "make_board",
    "open_job",
    "read_transcripts",
    "read_world",
    "run",
    "run_async",
    "run_job",
    "score",
]

_HOMES = {
    "ToolLoop": "agents.tool_loop",
    "compare_agents": "board.agent_comparison",
    "make_board": "board.standings",
    "score": "checks",
    "Agent": "desk",
    "AgentFactory": "desk",
    "AgentFailure": "desk",
    "Desk": "desk",
    "BenchResult": "jobs.bench_result",
    "run": "jobs.from_python",
    "run_async": "jobs.from_python",
    "Job": "jobs.job",
    "open_job": "jobs.job",
    "JobResult": "jobs.run",
    "run_job": "jobs.run",
    "JobSpec": "jobs.spec",
    "Completion": "models",
    "Message": "models",
    "Model": "models",
    "ModelError": "models",
    "ModelRequest": "models",
    "ToolRequest": "models",
    "AgentResults": "records.board",
    "Board": "records.board",
    "Estimate": "records.board",
    "Interval": "records.board",
    "Case": "records.case",
    "Label": "records.case",
    "Claim": "records.claim",
    "Finding": "records.finding",
    "Judgement": "records.judgement",
    "Problem": "records.problem",
    "Run": "records.run",
    "ToolSpec": "records.tool_spec",
    "Attachment": "records.transcript",
    "Ending": "records.transcript",
    "ToolCall": "records.transcript",
    "ToolResult": "records.transcript",
    "Transcript": "records.transcript",
    "Turn": "records.transcript",
    "Usage": "records.usage",
    "Verdict": "records.verdict",
    "ScoredRun": "results.load",
    "load_runs": "results.load",
    "RunObserver": "runner.observer",
    "read_transcripts": "storage.transcripts",
    "World": "world.folder",
    "read_world": "world.folder",
    "DrawnCases": "world.drawn_cases",
    "generate": "world.drawn_cases",
}
"""The module of each public name."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
