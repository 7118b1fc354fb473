"""Page context: the base of what each page gives to its template."""

from inspect import get_annotations
from typing import Any, ClassVar, NamedTuple

from supportagentbench.records.claim import Claim


class Headed(NamedTuple):
    """How a page is called where it is linked: in a tab, in search results, in a chat."""

    title: str = ""
    """What the page found, without the site's name; empty: the site's name alone."""
    summary: str = ""
    """One or two sentences; empty: what the site says of itself."""


class PageContext:
    """What a template may use: the public attributes of a subclass, and nothing else.

    A test compares every subclass with its templates: each name that they use is an attribute here, of the
    frame or of the environment, and each attribute is used.
    """

    TEMPLATES: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def names(cls) -> frozenset[str]:
        """Every name that it gives to its templates."""
        own = cls.__mro__[: cls.__mro__.index(PageContext)]
        found = {name for kind in own for name in (*get_annotations(kind), *vars(kind))}
        return frozenset(name for name in found - {*dir(PageContext)} if not name.startswith("_"))

    def values(self) -> dict[str, Any]:
        """The names with their values."""
        return {name: getattr(self, name) for name in self.names()}

    @property
    def headed(self) -> Headed:
        """How the page is called where it is linked."""
        return Headed()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Tested claims besides the board's that support what the page says."""
        return ()
