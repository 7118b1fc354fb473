"""Bill: what will be asked of models before it is, and what came of it."""

from pathlib import Path

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from supportagentbench.judges.job import JudgeSummary
from supportagentbench.live.words import short
from supportagentbench.models.cost_plan import CostPlan
from supportagentbench.records.transcript import EXTERNAL_CAUSES
from supportagentbench.runner.job import JobResult
from supportagentbench.terminal.escape import on_one_line, visible


def plan_table(plans: list[CostPlan], budget: float | None) -> Group:
    """What will be asked for, before it is."""
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column("model", overflow="fold", min_width=12)
    table.add_column("role", no_wrap=True)
    for head in ("convs", "calls", "tokens", "dollars", "time"):
        table.add_column(head, justify="right", no_wrap=True)
    for one in plans:
        table.add_row(
            Text(on_one_line(one.model)),
            one.role.replace("_", " "),
            f"{one.conversations:,}",
            f"{one.calls:,}",
            short(one.input + one.output),
            _cost(one),
            _clock(one.seconds),
        )
    lines = [
        "From: every talk the shortest way, letters counted in a rehearsal. To: every",
        "customer stays for all turns. Hidden reasoning comes on top; what is on file",
        "already is not asked again.",
        "No cap; --budget sets one."
        if budget is None
        else f"Nothing more is asked once ${budget:,.2f} are spent.",
    ]
    return Group(table, Text("\n".join(lines), style="dim"))


def print_done(console: Console, out: Path, done: JobResult) -> None:
    """How a job ended: every planned conversation by its ending, and the bill."""
    for line in (*done.repaired, *(f"sab: {words}" for words in done.paused)):
        console.print(Text(visible(line)), soft_wrap=True)
    planned = sum(len(header.cases) for header in done.headers)
    ends = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in done.endings.most_common())
    _say(console, f"{len(done.headers)} runs, {planned} conversations: {ends}.")
    _say_bill(console, done.spent, done.unpriced)
    again = sum(done.endings[cause] for cause in (*EXTERNAL_CAUSES, "missing"))
    if again:
        _say(
            console, f"{again} are not held yet or broke off outside the agent; the same command holds them."
        )
    _say(console, f"See `sab board {out}`.")


def print_judge_summary(console: Console, sitting: JudgeSummary) -> None:
    """How a session of judging ended."""
    failed = (
        f", {sitting.failed} failed ({sitting.words}); the same command asks again" if sitting.failed else ""
    )
    _say(console, f"{sitting.judged} judgements{failed}.")
    _say_bill(console, sitting.spent, sitting.unpriced)


def _say_bill(console: Console, spent: float, unpriced: int) -> None:
    if spent or unpriced:
        unknown = f"; {unpriced} calls have no known price" if unpriced else ""
        _say(console, f"Spent: ${spent:,.4f}{unknown}.")


def _say(console: Console, words: str) -> None:
    """Words as they are, whoever wrote them."""
    console.print(Text(visible(words)))


def _cost(plan: CostPlan) -> str:
    """Dollars from and to."""
    if not plan.is_paid:
        return "free"
    if plan.cost is None:
        return "price unknown"
    low, high = f"{plan.cost:,.2f}", f"{plan.most or plan.cost:,.2f}"
    return low if low == high else f"{low}–{high}"


def _clock(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 5400 else f"{max(1, round(seconds / 60))} min"
