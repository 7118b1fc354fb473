"""CSV cell: text in a table that a spreadsheet may open, and must not take for a formula."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What begins a formula, or ends the cell in which one would then begin."""


def inert(words: str) -> str:
    """The text, with an apostrophe before it if it begins like a formula; numbers do not change."""
    if not words.lstrip(" ").startswith(FORMULA) or _is_number(words):
        return words
    return f"'{words}"


def _is_number(words: str) -> bool:
    try:
        float(words)
    except ValueError:
        return False
    return words.isprintable()
