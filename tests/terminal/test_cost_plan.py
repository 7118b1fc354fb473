"""The cost plan on a terminal: what each model will be asked, what it costs, and what is not known."""

import re

from rich.cells import cell_len

from boards import printed, read_aloud
from supportagentbench.models.cost_plan import CostPlan
from supportagentbench.terminal.cost_plan import plan_table

LONG = "openrouter:moonshotai/kimi-k2-thinking-0905-preview,effort=high,temperature=0.7"
HOSTILE = "[red]x[/] :smile: \x1b[31m"


def plan(model: str, cost: float | None = 1.5, *, is_paid: bool = True) -> CostPlan:
    most = None if cost is None else 3 * cost
    return CostPlan(model, 540, 12_345, 40_200_000, 900_000, cost, 7_300.0, is_paid, "agent", most)


def test_a_plan_says_what_will_be_asked_and_what_is_not_known() -> None:
    text = read_aloud(
        plan_table([plan("openai:gpt-5"), plan("qwen:max", None), plan("ollama:q", None, is_paid=False)], 5.0)
    )
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if ":" in line.split()[0]}
    assert rows["openai:gpt-5"] == ["agent", "540", "12,345", "41.1M", "1.50–4.50", "2.0", "h"]
    assert rows["qwen:max"][4:6] == ["price", "unknown"] and rows["ollama:q"][4] == "free"
    assert "No request is sent that the rest of $5.00 might not cover." in text


def test_a_plan_fits_and_prints_names_as_they_are() -> None:
    shown = plan_table([plan(LONG), plan(HOSTILE)], None)
    assert max(map(cell_len, read_aloud(shown).splitlines())) <= 80
    assert "[red]x[/] :smile: \\u001b[31m" in read_aloud(shown)
    harmless = plan_table([plan(LONG), plan("harmless")], None)
    assert set(re.findall(r"\x1b.*?m", printed(shown))) == set(re.findall(r"\x1b.*?m", printed(harmless)))
