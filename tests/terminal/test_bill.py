"""Plans and bills on a terminal: every planned conversation accounted for, in words that nobody can style."""

import io
import re
from collections import Counter
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console

from boards import header, printed, read_aloud
from supportagentbench.judges.job import JudgeSummary
from supportagentbench.models.cost_plan import CostPlan
from supportagentbench.runner.job import JobResult
from supportagentbench.terminal.bill import plan_table, print_done, print_judge_summary

LONG = "openrouter:moonshotai/kimi-k2-thinking-0905-preview,effort=high,temperature=0.7"
HOSTILE = "[red]x[/] :smile: \x1b[31m"


def plan(model: str, cost: float | None = 1.5, *, is_paid: bool = True) -> CostPlan:
    most = None if cost is None else 3 * cost
    return CostPlan(model, 540, 12_345, 40_200_000, 900_000, cost, 7_300.0, is_paid, "agent", most)


def said(*lines: JobResult | JudgeSummary, width: int = 80) -> str:
    out = io.StringIO()
    console = Console(width=width, file=out, color_system=None)
    for line in lines:
        if isinstance(line, JobResult):
            print_done(console, Path("runs/[red]"), line)
        else:
            print_judge_summary(console, line)
    return out.getvalue()


def done(*, paused: tuple[str, ...] = (), spent: float = 0.0, unpriced: int = 0, **endings: int) -> JobResult:
    headers = [header("a", cases=sum(endings.values()))]
    return JobResult(headers, Counter(endings), spent, unpriced, list(paused), [])


def test_a_plan_says_what_will_be_asked_and_what_is_not_known() -> None:
    text = read_aloud(
        plan_table([plan("openai:gpt-5"), plan("qwen:max", None), plan("ollama:q", None, is_paid=False)], 5.0)
    )
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if ":" in line.split()[0]}
    assert rows["openai:gpt-5"] == ["agent", "540", "12,345", "41.1M", "1.50–4.50", "2.0", "h"]
    assert rows["qwen:max"][4:6] == ["price", "unknown"] and rows["ollama:q"][4] == "free"
    assert "Nothing more is asked once $5.00 are spent." in text


def test_a_plan_fits_and_prints_names_as_they_are() -> None:
    shown = plan_table([plan(LONG), plan(HOSTILE)], None)
    assert max(map(cell_len, read_aloud(shown).splitlines())) <= 80
    assert "[red]x[/] :smile: \\x1b[31m" in read_aloud(shown)
    harmless = plan_table([plan(LONG), plan("harmless")], None)
    assert set(re.findall(r"\x1b.*?m", printed(shown))) == set(re.findall(r"\x1b.*?m", printed(harmless)))


def test_a_job_ends_with_every_planned_conversation_and_the_bill() -> None:
    text = " ".join(
        said(done(customer_left=150, provider_error=3, missing=9, spent=1.25, unpriced=4)).split()
    )
    assert "1 runs, 162 conversations: 150 customer left, 9 missing, 3 provider error." in text
    assert "Spent: $1.2500; 4 calls have no known price." in text
    assert "12 are not held yet or broke off outside the agent; the same command holds them." in text
    assert "See `sab board runs/[red]`." in text


def test_what_cost_nothing_has_no_bill_and_what_is_whole_needs_no_second_go() -> None:
    text = said(done(customer_left=162))
    assert "Spent" not in text and "same command" not in text
    assert max(map(cell_len, text.splitlines())) <= 80


def test_a_providers_words_are_printed_as_they_are() -> None:
    text = said(done(missing=2, paused=(f"m is paused ({HOSTILE})",)), JudgeSummary(3, 2, HOSTILE, 0.0, 1))
    assert "sab: m is paused ([red]x[/] :smile: \\x1b[31m)" in text
    assert "3 judgements, 2 failed ([red]x[/] :smile: \\x1b[31m); the same command asks again." in " ".join(
        text.split()
    )
    assert "\x1b" not in text


def test_a_sitting_without_failures_says_so_by_silence() -> None:
    assert said(JudgeSummary(178, 0, "", 0.5, 0)) == "178 judgements.\nSpent: $0.5000.\n"
