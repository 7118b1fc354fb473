"""Preview: the page to open for a folder. Pages of runs are built in the user's cache folder."""

from pathlib import Path

from supportagentbench.records.problem import Problem
from supportagentbench.results.cache import cache_place
from supportagentbench.site.build import build
from supportagentbench.storage.archive import begun_in, has_header
from supportagentbench.storage.run_folders import distinct_runs

FRONT = "index.html"


def page_of(folder: Path) -> Path:
    """The front page of a site; for runs, whatever else is there, the site is built first."""
    if not folder.is_dir():
        raise Problem("there is no such folder; `sab site build RUNS` builds a website.", place=folder)
    if (folder / FRONT).is_file() and not has_header(folder) and not begun_in(folder):
        return folder / FRONT
    out = cache_place("pages", folder)
    build(distinct_runs([folder]).folders, out)
    return out / FRONT
