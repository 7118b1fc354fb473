"""Material in tests: what pages of a few runs are made of, gathered once, and pages as a reader gets them."""

from functools import cache
from pathlib import Path

from supportagentbench.site.build import frame
from supportagentbench.site.material import Material, ScoredConversation, gather
from supportagentbench.site.page import SitePage, render


def drop(case: str, slug: str, talks: list[ScoredConversation]) -> None:
    """Keeps nothing; it stands here because processes of the pool have to find it by its name."""


@cache
def material_of(runs: Path) -> Material:
    return gather([runs], drop)


def html_of(page: SitePage, material: Material) -> str:
    return render(page, frame(material, [page]))
