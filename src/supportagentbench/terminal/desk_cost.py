"""Desk cost: a line per agent on what it would cost at a desk with the default numbers."""

from collections.abc import Iterator

from rich.text import Text

from supportagentbench.board.desk import AgentMonth, SupportDesk, abuse_share
from supportagentbench.board.loss import DeskSettings
from supportagentbench.site.number import money, percent, whole
from supportagentbench.terminal.escape import on_one_line


def desk_lines(desk: SupportDesk) -> Text:
    """What the ranked agents cost, cheapest first."""
    settings = desk.settings()
    has_prices = any(agent.cost is not None for agent in desk.agents)
    lines = [_head(desk, settings, has_prices)]
    for month in desk.cost_at(settings):
        if month.agent.is_ranked:
            lines.append(f"  {month.agent.results.name}: {'; '.join(_parts(month, has_prices))}")
    return Text("\n".join(map(on_one_line, lines)), style="dim")


def _head(desk: SupportDesk, settings: DeskSettings, has_prices: bool) -> str:
    goods = f", goods for {money(desk.worth)}" if desk.worth else ""
    return (
        f"Mistakes{' and model calls' if has_prices else ''} per month if tickets were like these: "
        f"{whole(round(settings.tickets))} tickets, {percent(abuse_share(desk.kinds, settings.mix))} cheats"
        f"{goods}, {money(settings.person)} per ticket for a person. "
        "The page “Your desk” takes your own numbers."
    )


def _parts(month: AgentMonth, has_prices: bool) -> Iterator[str]:
    danger = month.agent.danger
    if month.loss is None:
        yield "unknown, it has not tried every kind of ticket"
    else:
        likely = f"{money(month.loss.low)} to {money(month.loss.high)}"
        yield f"{money(month.loss.value)}, likely {likely}"
    if has_prices and month.calls is None:
        yield "without model calls, whose cost is unknown"
    if danger.missed:
        yield f"people in danger missed in {danger.missed} of {danger.of} conversations, which has no price"
