"""Placeholder."""

from collections.abc import Iterator

from supportagentbench.site.material import Material
from supportagentbench.site.page import Page


def pages(material: Material) -> Iterator[Page]:
    """No page yet."""
    yield from ()
