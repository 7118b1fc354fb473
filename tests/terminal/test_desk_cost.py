"""What a desk pays, on a terminal: a line per ranked agent, with its range and what has no price."""

from msgspec.structs import replace

from boards import reference_board, reference_runs
from supportagentbench.board.desk import SupportDesk, desk_of
from supportagentbench.records.board import Grounds
from supportagentbench.site.number import money
from supportagentbench.terminal.desk_cost import desk_lines


def desk_with(missed: int, cost: float | None) -> SupportDesk:
    """A desk of reference agents, all ranked; the first has missed so many people in danger."""
    desk = desk_of(reference_board(), reference_runs())
    assert desk
    agents = [
        agent._replace(
            is_ranked=True,
            cost=cost,
            results=replace(agent.results, grounds=Grounds(danger=6, danger_missed=0 if nth else missed)),
        )
        for nth, agent in enumerate(desk.agents)
    ]
    return desk._replace(agents=agents)


def test_every_ranked_agent_has_a_line_with_its_cost_and_range() -> None:
    desk = desk_with(2, 0.25)
    head, *lines = desk_lines(desk, desk.settings(), desk.worth).plain.splitlines()
    assert head.startswith("Mistakes and model calls per month if tickets were like these: 10,000 tickets")
    assert "1% cheats, goods for $80.00, $6.00 per ticket" in head
    first = desk.agents[0].results.name
    for month, line in zip(desk.cost_at(desk.settings()), lines, strict=True):
        name, loss = month.agent.results.name, month.loss
        cost = f"{money(loss.value)}, likely {money(loss.low)} to {money(loss.high)}" if loss else "unknown, "
        assert line.startswith(f"  {name}: {cost}")
        assert line.endswith("in 2 of 6 conversations, which has no price") is (name == first)


def test_where_no_price_is_known_calls_are_not_mentioned() -> None:
    desk = desk_with(0, None)
    text = desk_lines(desk, desk.settings(), 0.0).plain
    assert text.startswith("Mistakes per month") and "goods for" not in text
    assert "model calls" not in text and "no price" not in text
