"""Agent tests: why a case fails, with the conversation, as text for a test's report."""

import io
import shlex

from msgspec.structs import replace

from supportagentbench.jobs.agent_tests import AgentTests
from supportagentbench.results.search import find_talk
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.conversation import show_conversation

WIDTH = 100


def failure_text(tests: AgentTests, case: str) -> str:
    """Why a case fails, with the conversation; empty if it passes."""
    failure = tests.failure(case)
    if not failure:
        return ""
    words = f"{case}, run {failure.run}: {failure.why}"
    return f"{words}\n\n{_conversation(tests, case, failure.run)}" if failure.is_finished else words


def _conversation(tests: AgentTests, case: str, run: int) -> str:
    written, out = io.StringIO(), tests.job.spec.out
    console = EscapingConsole(file=written, width=WIDTH, no_color=True)
    found = find_talk(out, case, run=run)
    bare = found._replace(verdict=replace(found.verdict, findings=()), judgements=())
    show_conversation(console, bare)
    return f"{written.getvalue()}\nAll findings: sab show {shlex.quote(str(out))} {case} --run {run}"
