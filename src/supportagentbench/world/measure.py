"""Measure: a number or a list of the policy, written down once. Facts read it, texts print it.

In a text `{return_days}` prints the number, `{return_days:en}` its word in English, `{many_claims:En}` the
same with a capital, and `{served:or}` a list with its last two joined by that word.
"""

import re
from datetime import date
from typing import Any

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record

_PLACE = re.compile(r"\{([a-z_][a-z_0-9]*)(?::(\w+))?\}")

_FROM_ONE = {
    "en": "one two three four five six seven eight nine ten eleven twelve",
    "es": "uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "fr": "un deux trois quatre cinq six sept huit neuf dix onze douze",
    "de": "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "de_acc": "einen zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "de_dat": "einem zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "pt": "um dois três quatro cinco seis sete oito nove dez onze doze",
    "pl": "jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście",
    "pl_gen": "jednego dwóch trzech czterech pięciu sześciu siedmiu ośmiu dziewięciu dziesięciu",
    "ja": "一 二 三 四 五 六 七 八 九 十 十一 十二",
}
_ROUND = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 90: "ninety", 100: "hundred"}

NUMBER_WORDS: dict[str, dict[int, str]] = {
    form: dict(enumerate(words.split(), start=1)) for form, words in _FROM_ONE.items()
}
"""By language, and by grammatical case where it matters; a number without a word is printed in digits."""
NUMBER_WORDS["en"] |= _ROUND


def printed(text: str, measures: Record) -> str:
    """The text with every measure in its place; all other placeholders are left as they are."""

    def put(found: re.Match[str]) -> str:
        name, form = found[1], found[2] or ""
        return _shown(name, getattr(measures, name), form) if hasattr(measures, name) else found[0]

    return _PLACE.sub(put, text)


def placeholders_in(text: str) -> set[str]:
    """The names in braces."""
    return {found[1] for found in _PLACE.finditer(text)}


def _shown(name: str, value: Any, form: str) -> str:
    if isinstance(value, date) and not form:
        return f"{value:%B} {value.day}"
    if isinstance(value, int) and (words := NUMBER_WORDS.get(form[:1].casefold() + form[1:])):
        word = words.get(value, str(value))
        return word.capitalize() if form[0].isupper() else word
    if isinstance(value, dict) and form in ("and", "or"):
        *first, last = value.values()
        return f"{', '.join(first)} {form} {last}" if first else str(last)
    if form or isinstance(value, dict):
        raise Problem(f"{{{name}:{form}}} cannot be printed; {name} is {value!r}.")
    return str(value)
