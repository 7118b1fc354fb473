"""Identify: which of the languages a shop answers in a message is written in.

A handful of frequent words each is enough for whole messages; a library made for single words and
seventy languages would weigh a hundred times the rest of the package.
"""

import re

_FREQUENT = {
    "es": "el la los mi pedido dónde está por favor gracias hola no que cuándo",
    "fr": "le la les ma mon commande où est je vous merci bonjour pas que quand",
    "de": "der die das meine bestellung wo ist ich sie bitte danke hallo nicht und wann",
    "pt": "o a os meu minha pedido encomenda onde está por favor obrigado obrigada olá não que quando",
    "pl": "moje zamówienie gdzie jest proszę dziękuję dzień dobry nie się kiedy czy jak",
    "en": "the my order where is please thanks hello not and when i you it to a of",
}


_STOP_WORDS = {language: frozenset(words.split()) for language, words in _FREQUENT.items()}


_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
FEWEST = 4
"""Frequent words that show a language for sure, if no other has two thirds as many."""


def language_of(text: str) -> str:
    """The language a message is written in, among those the shop answers in."""
    if _JAPANESE.search(text):
        return "ja"
    scores = _scores(text)
    return max(scores, key=lambda language: (scores[language], language == "en"))


def sure_language_of(text: str) -> str:
    """The same, if the words leave no doubt; otherwise empty. The text may be in any language."""
    if _JAPANESE.search(text):
        return "ja"
    (second, _), (most, language) = sorted((count, name) for name, count in _scores(text).items())[-2:]
    return language if most >= FEWEST and 2 * most >= 3 * second else ""


def _scores(text: str) -> dict[str, int]:
    """By language, how many of its frequent words are in a text."""
    words = re.findall(r"\w+", text.casefold())
    return {language: sum(word in stops for word in words) for language, stops in _STOP_WORDS.items()}
