"""Cost audit: whether recorded costs follow from recorded tokens, and these can be right for the words."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.agents.tool_loop import PROMPT
from supportagentbench.models.budget import Tariff
from supportagentbench.models.counts import doubt_of
from supportagentbench.models.prices import price_table
from supportagentbench.models.provider import PROVIDERS, is_model
from supportagentbench.models.spec import parse_model
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.transcripts import read_transcripts

ROUNDING = 1e-9
"""Share of a cost by which two computations of it may differ."""


class CostAudit(NamedTuple):
    """What was found in the costs of one run."""

    differences: tuple[str, ...]
    """One sentence for every conversation whose costs or tokens cannot be right."""
    note: str
    """What a reader should know of its costs; empty if it has none."""


def audit_costs(folder: Path) -> CostAudit:
    """Compute the costs of a run again, as far as this version's price table goes."""
    header = read_header(folder)
    tariffs = _tariffs(header)
    found, has_costs = [], False
    for filed in read_transcripts(folder):
        uses = [usage for turn in filed.transcript.turns for usage in turn.usage]
        has_costs |= any(usage.cost is not None for usage in uses)
        wrong = next((words for one in uses if (words := _miscounted(one, tariffs.get(one.role)))), "")
        if not wrong and "agent" in tariffs:
            wrong = next(_impossible(filed.transcript, header), "")
        if wrong:
            found.append(f"{header.agent} run {header.run}, {filed.transcript.case}: {wrong}.")
    return CostAudit(tuple(found), _note(header, bool(tariffs)) if has_costs else "")


def _note(header: Run, is_priced: bool) -> str:
    if is_priced:
        return f"{header.agent}: token counts are as the publisher recorded them; costs follow from them."
    return f"{header.agent}: costs were not verified; they are as the publisher recorded them."


def _tariffs(header: Run) -> dict[str, Tariff]:
    """By role, the prices of a run's models; none if they are of another table, or nobody was asked."""
    if header.replayed or header.prices != price_table():
        return {}
    names = {"customer": header.customer}
    if header.version.prompt == PROMPT:
        names["agent"] = header.version.given or header.agent
    found = {}
    for role, name in names.items():
        try:
            model = parse_model(name) if is_model(name) else None
        except Problem:
            continue
        provider = PROVIDERS.get(model.provider) if model else None
        if model and provider and provider.keys:
            found[role] = Tariff(model.model, provider.prices)
    return found


def _miscounted(usage: Usage, tariff: Tariff | None) -> str:
    """What a cost should be by the table, if it is another."""
    if tariff is None or usage.cost is None:
        return ""
    named = usage.cost if usage.cost_by == "provider" else usage.named_cost
    by_rule = tariff.priced(replace(usage, cost=named, cost_by="provider", named_cost=None)).cost
    if by_rule is not None and abs(by_rule - usage.cost) <= ROUNDING * by_rule:
        return ""
    right = "unknown" if by_rule is None else f"${by_rule:,.6f}"
    return f"a model call is recorded with a cost of ${usage.cost:,.6f}, and by its tokens it is {right}"


def _impossible(transcript: Transcript, header: Run) -> Iterator[str]:
    """Token counts of the agent's model that cannot be right for what is known to be sent and written."""
    sent = [header.policy] if header.desk == "prompt" else []
    for turn in transcript.turns:
        if turn.party == "agent":
            for usage in turn.usage:
                if usage.cost is not None and (doubt := _doubt(usage, sent, turn)):
                    yield f"a model call is recorded with {doubt}, which cannot be right"
        sent.append(turn.text)


def _doubt(usage: Usage, sent: list[str], turn: Turn) -> str:
    calls = [(call.tool, call.arguments) for call in turn.calls if usage.step and call.step == usage.step]
    written = [turn.text] if usage is turn.usage[-1] and not calls else []
    return doubt_of(usage, sent, written, calls)
