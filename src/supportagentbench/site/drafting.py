"""Drafting: an analyst writes a draft about every agent of some runs, and the drafts are saved."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from supportagentbench.models.budget import Budget
from supportagentbench.models.cost_plan import CostPlan, Workload, check_keys, planned
from supportagentbench.models.http_client import ConnectionPool
from supportagentbench.models.provider import open_model
from supportagentbench.site.about import About
from supportagentbench.site.answers.analyst import draft_folder
from supportagentbench.site.data.bundle import keep_in
from supportagentbench.site.data.quote import in_bundles
from supportagentbench.site.data.site_data import gather
from supportagentbench.storage.archive import find_runs, read_header

LETTERS_ASKED, LETTERS_WRITTEN = 12_000, 2_500
"""Approximate characters per agent, each way."""


def plan_drafts(paths: Iterable[Path], analyst: str) -> CostPlan:
    """What drafts about every agent of these runs may cost; at most, if every draft is sent back once."""
    check_keys([analyst])
    agents = len({read_header(folder).agent for folder in find_runs(paths)})
    weight = Workload(agents, agents * LETTERS_ASKED, 0, agents * LETTERS_WRITTEN)
    return planned(analyst, weight, agents, 1, "judge", weight.times(2))


async def draft_all(
    paths: Iterable[Path], analyst: str, out: Path, budget: float | None, about: About
) -> list[str]:
    """Drafts in `out` for all agents that have none there; a sentence for each that got none."""
    with TemporaryDirectory() as scratch:
        data = gather(paths, keep_in(Path(scratch)), about=about)
        async with ConnectionPool(1) as pool:
            model = open_model(analyst, "judge", pool, Budget(budget))
            return await draft_folder(model, data, in_bundles(Path(scratch)), out)
