"""Needs: what a customer who asks for advice wants of a product, and whether a product meets it."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

from supportagentbench.world.kit import Record

from .rows import Books, Product, Variant

_LITRES = re.compile(r"\b(\d+)-litre\b")


class Needs(Record):
    """What a request for advice names; any product meets what it leaves open."""

    kind: str = ""
    use: str = ""
    """Words separated by |, one of which must be in the product's name or description."""
    colour: str = ""
    size: str = ""
    most: int = 0
    """The highest price in dollars; 0: any price."""
    litres: int = 0
    """The least it has to hold."""

    @property
    def words(self) -> str:
        """The same in plain words."""
        named = [self.use.replace("|", " or "), self.colour, self.size]
        named += [f"{self.litres} litres or more"] if self.litres else []
        named += [f"at most ${self.most}"] if self.most else []
        return ", ".join(filter(None, named))


NEEDED = tuple(field.name for field in msgspec.structs.fields(Needs))


def needs_of(arguments: Mapping[str, Any]) -> Needs:
    """The needs that the arguments of a wish name."""
    return Needs(**{name: arguments[name] for name in NEEDED if name in arguments})


def is_met(needs: Needs, product: Product, store: Books) -> bool:
    """Whether a product is what was asked for and is in stock."""
    text = f"{product.name} {product.about}".casefold()
    return (
        needs.kind in ("", product.kind)
        and (not needs.use or any(word in text for word in needs.use.split("|")))
        and litres_of(product.about) >= needs.litres
        and any(_is_on_shelf(needs, variant, store) for variant in product.variants)
    )


def litres_of(about: str) -> int:
    """How much a product holds according to its description; 0 if it does not say."""
    return max(map(int, _LITRES.findall(about)), default=0)


def _is_on_shelf(needs: Needs, variant: Variant, store: Books) -> bool:
    return (
        store.stock[variant.id] > 0
        and needs.colour in ("", variant.colour)
        and needs.size in ("", variant.size)
        and variant.price <= (needs.most or Decimal("Infinity"))
    )
