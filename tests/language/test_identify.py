"""The language of a message is told from its words."""

import pytest

from supportagentbench.language.identify import language_of, sure_language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Hola, ¿dónde está mi pedido?", "es"),
        ("Bonjour, où est ma commande ?", "fr"),
        ("Hallo, wo ist meine Bestellung?", "de"),
        ("Olá, onde está a minha encomenda?", "pt"),
        ("Dzień dobry, gdzie jest moje zamówienie?", "pl"),
        ("注文した商品はどこですか", "ja"),
        ("Hi, where is my order?", "en"),
    ],
)
def test_the_language_is_told(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("¿Dónde está mi pedido? No sé, por favor.", "es"),
        ("Hi, where is my order? Please tell me.", "en"),
        ("注文した商品はどこですか", "ja"),
        ("status of refund", ""),
        ("status of order. No, no, la Boots", ""),
        ("pedido está por favor", ""),
        ("", ""),
    ],
)
def test_a_language_is_sure_only_if_enough_words_show_it(text: str, language: str) -> None:
    assert sure_language_of(text) == language
