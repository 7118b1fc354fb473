"""The language of a message is told from its words."""

import pytest

from supportagentbench.language.identify import language_of


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
