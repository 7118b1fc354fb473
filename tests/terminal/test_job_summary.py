"""Summaries on a terminal: every planned conversation is accounted for, and no name can style the text."""

import io
from collections import Counter
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console

from boards import header
from supportagentbench.jobs.judge import JudgeSummary
from supportagentbench.jobs.run import JobResult
from supportagentbench.terminal.job_summary import print_job_summary, print_judge_summary

LONG = "openrouter:moonshotai/kimi-k2-thinking-0905-preview,effort=high,temperature=0.7"
HOSTILE = "[red]x[/] :smile: \x1b[31m"


def said(*lines: JobResult | JudgeSummary, width: int = 80) -> str:
    out = io.StringIO()
    console = Console(width=width, file=out, color_system=None)
    for line in lines:
        if isinstance(line, JobResult):
            print_job_summary(console, Path("runs/[red]"), line)
        else:
            print_judge_summary(console, line)
    return out.getvalue()


def done(*, paused: tuple[str, ...] = (), spent: float = 0.0, unpriced: int = 0, **endings: int) -> JobResult:
    headers = [header("a", cases=sum(endings.values()))]
    outside = endings.get("provider_error", 0)
    return JobResult(headers, Counter(endings), spent, unpriced, list(paused), [], outside=outside)


def test_a_job_ends_with_every_planned_conversation_and_the_bill() -> None:
    text = " ".join(
        said(done(customer_left=150, provider_error=3, missing=9, spent=1.25, unpriced=4)).split()
    )
    assert "1 run, 162 conversations: 150 customer left, 9 missing, 3 provider error." in text
    assert "Spent: $1.2500; 4 calls have no known price." in text
    assert "12 conversations are unfinished. Run the same command to resume." in text
    assert "See `sab board 'runs/[red]'`." in text


def test_what_cost_nothing_has_no_bill_and_what_is_whole_needs_no_second_go() -> None:
    text = said(done(customer_left=162))
    assert "Spent" not in text and "same command" not in text
    assert max(map(cell_len, text.splitlines())) <= 80


def test_a_providers_words_are_printed_as_they_are() -> None:
    text = said(done(missing=2, paused=(f"m is paused ({HOSTILE})",)), JudgeSummary(3, 2, HOSTILE, 0.0, 1))
    assert "sab: m is paused ([red]x[/] :smile: \\u001b[31m)" in text
    assert (
        "3 judgements. 2 failed ([red]x[/] :smile: \\u001b[31m). Run the same command to retry."
        in " ".join(text.split())
    )
    assert "\x1b" not in text


def test_the_first_failure_is_told_in_the_providers_words_however_short_the_run() -> None:
    failed = done(provider_error=1)._replace(first_failure="a, tracking-1: 401 invalid x-api-key")
    assert "First failure: a, tracking-1: 401 invalid x-api-key" in said(failed)
    assert "First failure" not in said(failed._replace(paused=["a is paused: 401 invalid x-api-key"]))
    assert "First failure" not in said(done(customer_left=1))


def test_judging_without_failures_names_none() -> None:
    assert said(JudgeSummary(178, 0, "", 0.5, 0)) == "178 judgements.\nSpent: $0.5000.\n"
