"""Values in a text: order numbers, e-mail addresses, postal addresses, sizes, quantities."""

import re
from collections.abc import Iterable, Sequence

_ADDRESS = re.compile(
    r"(?P<recipient>[^\W\d_][\w'’.-]+ [^\W\d_][\w'’.-]+), "
    r"(?P<street>(?:c/o [^,\n]+, )?(?:Unit \d+, )?[^,\n]*\d[^,\n]*), "
    r"(?P<city>[^,\n\d]+), (?P<region>[A-Za-z .'-]+?) "
    r"(?P<postcode>[A-Z0-9][A-Z0-9 -]{2,9}), (?P<country>[A-Z]{2})\b"
)

_SIZES = {"XS": "extra small", "S": "small", "M": "medium", "L": "large", "XL": "extra large", "XXL": "xxl"}
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "just one": 1, "a single": 1}
_REMOVES = re.compile(
    r"\bremove\b|\btake\b.{0,60}\boff\b|\bdrop\b|\bleave out\b|\bwithout\b|\btaken off\b|\bdelete\b"
    r"|\bha(?:s|ve) to go\b|(?:don['’]?t|no longer|do not) (?:need|want)",
    re.IGNORECASE,
)


def email_in(texts: Iterable[str]) -> str | None:
    """The e-mail address last mentioned."""
    found = [one for text in texts for one in re.findall(r"[\w.+-]+@[\w-]+\.[\w.]*\w", text)]
    return found[-1] if found else None


def names(text: str, word: str) -> bool:
    """Whether exactly this word is in the text."""
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE))


def names_size(text: str, size: str) -> bool:
    """Whether a size is named, as on the label or spelled out; a single letter only as a capital."""
    label = rf"(?<![\w'’]){re.escape(size)}(?!\w)"
    if size and re.search(label, text, 0 if len(size) == 1 else re.IGNORECASE):
        return True
    return size in _SIZES and names(text, _SIZES[size])


def quantity_in(texts: Sequence[str], item: str, ordered: int) -> dict[str, int]:
    """The quantity of an item that the words ask for: 0 to remove it."""
    for text in reversed(texts):
        if item.casefold() not in text.casefold():
            continue
        text = re.sub(re.escape(item), "it", text, flags=re.IGNORECASE)
        found = [int(number) for number in re.findall(r"(?<![\w#$.])(\d{1,2})(?![\w%]|\.\d)", text)]
        found += [value for word, value in _NUMBERS.items() if names(text, word)]
        other = [number for number in found if number != ordered and 0 < number <= 20]
        if _REMOVES.search(text):
            return {"quantity": 0}
        if other:
            return {"quantity": other[0]}
    return {}


def means_saved_address(text: str, label: str) -> bool:
    """Whether the words point at an address in the customer's account."""
    return bool(re.search(r"saved|my account|on file|in the account|account", text, re.IGNORECASE)) or names(
        text, label
    )


def address_in(text: str) -> dict[str, str] | None:
    """A full postal address written on one line, recipient first."""
    found = _ADDRESS.search(text)
    return found.groupdict() if found else None
