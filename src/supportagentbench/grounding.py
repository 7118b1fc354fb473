"""Grounding: do a case's texts and its books agree, and do the books add up?

A text may name an order, a parcel, a price or a product only if the case's record or the catalogue has it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple, get_args

from supportagentbench.case import Case
from supportagentbench.record import to_json
from supportagentbench.world.folder import Carrier, World
from supportagentbench.world.generate import CaseSet
from supportagentbench.world.store import Kind, Line, Order, Parcel, Store


class Shape(NamedTuple):
    """What a reference to the record looks like in a text."""

    name: str
    pattern: re.Pattern[str]


SHAPES = (
    Shape("order number", re.compile(r"#\d+")),
    Shape("e-mail address", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    Shape("tracking number", re.compile(r"\b(?=[A-Z]*\d)(?=\w*\d{7})[A-Z0-9]{9,}\b")),
    Shape("link", re.compile(r"https?://[\w./-]*\w")),
    Shape("price", re.compile(r"[$£€]\s?\d[\d,]*(?:\.\d+)?|\b\d+(?:\.\d\d)?(?= (?:dollars|bucks|pounds)\b)")),
    Shape("variant", re.compile(r"\bNL-[A-Z0-9]+(?:-[A-Z0-9]+)+")),
    Shape("code", re.compile(r"\b[A-Z]{4,}\d{1,2}\b")),
)
