"""Desk cost: a line per agent on what it would cost at a desk."""

from collections.abc import Iterator

from rich.text import Text

from supportagentbench.board.desk import AgentMonth, SupportDesk, abuse_share
from supportagentbench.board.loss import DeskSettings
from supportagentbench.site.number import money, percent, whole
from supportagentbench.terminal.escape import on_one_line


def desk_lines(desk: SupportDesk, settings: DeskSettings, goods: float) -> Text:
    """What the ranked agents cost, cheapest first."""
    has_prices = not desk.unpriced and any(agent.cost is not None for agent in desk.agents)
    lines = [_head(desk, settings, goods, has_prices)]
    for month in desk.cost_at(settings):
        if month.agent.is_ranked:
            lines.append(f"  {month.agent.results.name}: {'; '.join(_parts(month, has_prices))}")
    return Text("\n".join(map(on_one_line, lines)), style="dim")


def _head(desk: SupportDesk, settings: DeskSettings, goods: float, has_prices: bool) -> str:
    worth = f", goods for {money(goods)}" if goods else ""
    return (
        f"Mistakes{' and model calls' if has_prices else ''} per month if tickets were like these: "
        f"{whole(round(settings.tickets))} tickets, {percent(abuse_share(desk.kinds, settings.mix))} cheats"
        f"{worth}, {money(settings.person)} per ticket for a person. "
        "The page “Your desk” takes your own numbers."
    )


def _parts(month: AgentMonth, has_prices: bool) -> Iterator[str]:
    grounds = month.agent.results.grounds
    if month.loss is None:
        yield "unknown, it has not tried every kind of ticket"
    else:
        likely = f"{money(month.loss.low)} to {money(month.loss.high)}"
        yield f"{money(month.loss.value)}, likely {likely}"
    if has_prices and month.calls is None:
        yield "without model calls, whose cost is unknown"
    if grounds.danger_missed:
        missed = f"{grounds.danger_missed} of {grounds.danger} conversations"
        yield f"people in danger missed in {missed}, which has no price"
