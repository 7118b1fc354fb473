"""Bill: what will be asked of models before it is, and what came of it."""

from pathlib import Path

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from supportagentbench.model.plan import Plan
from supportagentbench.score.court import Sitting
from supportagentbench.talk.job import Done
from supportagentbench.terminal.words import on_one_line, visible
from supportagentbench.transcript import OUTSIDE


def plan_table(plans: list[Plan], budget: float | None) -> Group:
    """What will be asked for, before it is."""
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column("model", no_wrap=True, max_width=30)
    for head in ("talks", "calls", "tokens in", "out", "dollars", "time"):
        table.add_column(head, justify="right", no_wrap=True)
    for one in plans:
        cost = "free" if not one.is_paid else "unknown" if one.cost is None else f"{one.cost:,.2f}"
        table.add_row(
            Text(on_one_line(one.model)),
            f"{one.talks:,}",
            f"{one.calls:,}",
            _short(one.input),
            _short(one.output),
            cost,
            _clock(one.seconds),
        )
    lines = [
        "An estimate on the low side: real models take detours, and hidden reasoning",
        "comes on top. What is on file already is not asked again.",
    ]
    if budget is not None:
        lines.append(f"Nothing more is asked once ${budget:,.2f} are spent.")
    return Group(table, Text("\n".join(lines), style="dim"))


def print_done(console: Console, out: Path, done: Done) -> None:
    """How a job ended: every planned conversation by its ending, and the bill."""
    for line in (*done.repaired, *(f"sab: {words}" for words in done.paused)):
        console.print(Text(visible(line)), soft_wrap=True)
    planned = sum(len(header.cases) for header in done.headers)
    ends = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in done.endings.most_common())
    _say(console, f"{len(done.headers)} runs, {planned} conversations: {ends}.")
    _say_bill(console, done.spent, done.unpriced)
    again = sum(done.endings[cause] for cause in (*OUTSIDE, "missing"))
    if again:
        _say(
            console, f"{again} are not held yet or broke off outside the agent; the same command holds them."
        )
    _say(console, f"See `sab board {out}`.")


def print_sitting(console: Console, sitting: Sitting) -> None:
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


def _short(count: int) -> str:
    return f"{count / 1e6:.1f}M" if count >= 1e6 else f"{count / 1e3:.0f}k"


def _clock(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 5400 else f"{max(1, round(seconds / 60))} min"
