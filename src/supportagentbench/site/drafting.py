"""Drafting: an analyst is asked about every entry of some runs, and its drafts are put on file."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from supportagentbench.models.budget import Budget
from supportagentbench.models.cost_plan import CostPlan, Workload, check_keys, planned
from supportagentbench.models.http_client import ConnectionPool
from supportagentbench.models.provider import open_model
from supportagentbench.site.analyst import draft_folder
from supportagentbench.site.bundle import keep_in
from supportagentbench.site.data import gather
from supportagentbench.site.quote import in_bundles
from supportagentbench.storage.archive import find_runs, read_header

LETTERS_ASKED, LETTERS_WRITTEN = 12_000, 2_500
"""About what one entry takes, each way."""


def plan_drafts(paths: Iterable[Path], analyst: str) -> CostPlan:
    """What asking about every entry of these runs may cost; at most, if every draft is sent back once."""
    check_keys([analyst])
    entries = len({read_header(folder).agent for folder in find_runs(paths)})
    weight = Workload(entries, entries * LETTERS_ASKED, 0, entries * LETTERS_WRITTEN)
    return planned(analyst, weight, entries, 1, "judge", weight.times(2))


async def draft_all(paths: Iterable[Path], analyst: str, out: Path, budget: float | None) -> list[str]:
    """Drafts below `out` for all entries that have none there; a sentence for each that got none."""
    with TemporaryDirectory() as scratch:
        data = gather(paths, keep_in(Path(scratch)))
        async with ConnectionPool(1) as pool:
            model = open_model(analyst, "judge", pool, Budget(budget))
            return await draft_folder(model, data, in_bundles(Path(scratch)), out)
