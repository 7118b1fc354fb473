"""Counts in English: `1 run`, `2 runs`."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun in the right form; the plural is the noun with an s unless given."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
