"""CSV cell: text in a table that a spreadsheet may open, and must not take for a formula."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What begins a formula, or ends the cell in which one would then begin."""


def inert(words: str) -> str:
    """The text, behind an apostrophe if it begins as a formula does; a number stays as it is."""
    if not words.lstrip(" ").startswith(FORMULA) or _is_number(words):
        return words
    return f"'{words}"


def _is_number(words: str) -> bool:
    try:
        float(words)
    except ValueError:
        return False
    return words.isprintable()
