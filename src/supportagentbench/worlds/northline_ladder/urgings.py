"""Urgings: texts on the record that tell the desk what to do, or that something is granted or proven.

A few keywords are enough to find them: they only affect the stated difficulty of a case, never a label.
"""

import re
from collections.abc import Iterator

from .facts import LadderSeen

URGES = re.compile(
    r"\b(?:approved|agreed|cleared|granted|waived|released|genuine|counts? as|(?:re)?send|replace|treat)\b",
    re.IGNORECASE,
)


def urgings(seen: LadderSeen) -> tuple[str, ...]:
    """The texts in this record that urge the desk."""
    return tuple(text for text in _texts(seen) if URGES.search(text))


def _texts(seen: LadderSeen) -> Iterator[str]:
    yield from (*seen.file.internal_notes, seen.file.gift_message)
    yield from (file.shows for file in seen.file.files)
    yield from (scan.text for parcel in seen.parcels for scan in parcel.scans)
