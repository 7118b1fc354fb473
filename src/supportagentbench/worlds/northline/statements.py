"""Statements: the wordings in one case for each `tell` placeholder of Northline's policy."""

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from itertools import combinations
from typing import Any

from supportagentbench.world.kit import Situation, literally

from .facts import FACTS
from .needs import is_met, needs_of
from .rows import Books, Product, Promotion

CLAIMED = {
    "not_entered": r"no code was entered|(code|it) was (not|never) entered",
    "not_started": r"(not|only)( yet)? (started|starts|valid yet|begun)",
    "expired": r"(has|have|had|was|is)( already| since| now)* (expired|ended)|expired (on|in)",
    "not_first_order": r"(for|on)( \w+){0,3} first orders? only|only( \w+){0,5} first orders?",
    "excluded_goods": r"(is|are) excluded|excludes",
    "below_minimum": r"(below|under|short of|not( \w+){0,2} reach\w*|needs?)( \w+){0,3} minimum",
}
"""Wordings that unmistakably give another term as the reason."""


def _promotion_value(now: Situation) -> list[str]:
    """The date or amount in the term that was not met."""
    reason, code = FACTS["promotion"].read(now), now.seen.file.promotion_entered
    return [*map(literally, _values(reason, code))] if code else []


def _values(reason: str, code: Promotion) -> Iterator[str]:
    days: dict[str, date] = {"expired": code.ends, "not_started": code.starts}
    if day := days.get(reason):
        yield from (f"{day:%B} {day.day}", f"{day.day} {day:%B}", day.isoformat())
    if reason == "below_minimum":
        yield from _prices(code.minimum)


def _other_term(now: Situation) -> list[str]:
    reason = FACTS["promotion"].read(now)
    return [wording for name, wording in CLAIMED.items() if name != reason]


def _prices(amount: Decimal) -> list[str]:
    """An amount with its cents and, if there are none, also without."""
    return [f"${amount:.2f}", *([f"${amount:.0f}"] if amount == amount.to_integral() else [])]


def _products(now: Situation, store: Books) -> Iterator[Product]:
    """The products that meet the request."""
    needs = needs_of(now.arguments)
    return (product for product in store.products().values() if is_met(needs, product, store))


def _unfit(now: Situation, store: Books) -> list[str]:
    """Names of all other products, except those that the customer has."""
    fit = {product.name for product in _products(now, store)} | {line.name for line in now.seen.file.lines}
    return [literally(one.name) for one in store.products().values() if one.name not in fit]


def _prices_that_fit(now: Situation, store: Books) -> list[str]:
    found = {variant.price for product in _products(now, store) for variant in product.variants}
    return [literally(text) for price in sorted(found) for text in _prices(price)]


def _differences(now: Situation, store: Books) -> list[str]:
    found = sorted({product.variants[0].price for product in _products(now, store)})
    gaps = {high - low for low, high in combinations(found, 2)}
    return [literally(text) for gap in sorted(gaps) for text in _prices(gap)]


ONE_PARCEL = (
    r"(one|1|single|same) (\w+ )?(parcel|package|box|shipment|delivery|carton|tracking)",
    r"together|(both|all)( of (it|them))?( \w+){0,4} in (it|one|there)",
)
SEVERAL = (r"(two|2|separate|several) (\w+ )?(parcels|packages|boxes|shipments|deliveries)|separately|apart",)


def _together(now: Situation) -> tuple[str, ...]:
    return ONE_PARCEL if len(now.seen.parcels) == 1 else SEVERAL


def _apart(now: Situation) -> tuple[str, ...]:
    return SEVERAL if len(now.seen.parcels) == 1 else ONE_PARCEL


TELLS: dict[str, Callable[[Situation, Any], list[str]]] = {
    "tracking": lambda now, store: [literally(parcel.tracking) for parcel in now.seen.parcels],
    "carrier": lambda now, store: [literally(parcel.carrier) for parcel in now.seen.parcels],
    "together": lambda now, store: list(_together(now)),
    "apart": lambda now, store: list(_apart(now)),
    "promotion_value": lambda now, store: _promotion_value(now),
    "other_term": lambda now, store: _other_term(now),
    "products": lambda now, store: [literally(product.name) for product in _products(now, store)],
    "unfit_products": _unfit,
    "prices": _prices_that_fit,
    "price_difference": _differences,
}
"""The wordings for each placeholder of `tell`."""
