"""Hearing: what the words of Northline's customers name: a line, another variant, a quantity, an address."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import msgspec

from supportagentbench.language import values
from supportagentbench.world.kit import Hearing, Look, Need, SubjectNumber

from .lookups import Found, OrderFile
from .needs import litres_of
from .rows import OrderLine

NUMBER = SubjectNumber("order_number", r"#\s?\d{3,30}\b")

QUESTIONS = {
    "order_number": {
        "en": "I'm happy to help. Could you tell me your order number, please?",
        "es": "Con mucho gusto le ayudo. ¿Me puede decir su número de pedido?",
        "fr": "Je vous aide volontiers. Pouvez-vous m'indiquer votre numéro de commande ?",
        "de": "Ich helfe Ihnen gern. Können Sie mir bitte Ihre Bestellnummer nennen?",
        "pt": "Terei todo o gosto em ajudar. Pode indicar-me o número do pedido?",
        "pl": "Chętnie pomogę. Czy może Pan/Pani podać numer zamówienia?",
        "ja": "喜んでお手伝いします。ご注文番号を教えていただけますか？",
    },
    "item": {"en": "Which item exactly is it about, please?"},
    "address": {
        "en": "What is the full new address, please: name, street, city, region, postcode and country?"
    },
}
"""How the oracle asks, by topic and language."""

NEEDS = {
    "address": Need(("street",), "address"),
    "line_edit": Need(("variant", "quantity"), "wish"),
    "exchange": Need(("variant",), "wish"),
    "advice": Need(("recommended",), "wish"),
}


EMPTY = frozenset(
    {
        *("the", "and", "for", "with", "that", "this", "have", "has", "had", "its", "from", "your", "you"),
        *("they", "them", "what", "which", "would", "like", "some", "more", "than", "into", "been", "was"),
        *("were", "will", "just", "about", "there", "here", "because", "one", "all", "our", "are", "not"),
        *("but", "can", "travel"),
    }
)
"""Words that say nothing about a product; everything here is for travel."""


def arguments(hearing: Hearing) -> dict[str, Any]:
    """The arguments that the customer's words name."""
    file, request = hearing.seen.file, hearing.request
    if request == "address":
        return _address(file, hearing.texts)
    if request == "advice":
        return _recommended(hearing)
    line = _owed_line(file) if request == "closing" else _line(file, hearing.texts)
    if line is None:
        return {}
    found: dict[str, Any] = {"line": line.line}
    if request in ("line_edit", "exchange"):
        found |= _wanted_variant(line, hearing.texts, hearing.look)
    if request == "line_edit" and "variant" not in found:
        found |= values.quantity_in(hearing.texts, line.name, line.quantity)
    if request in ("not_received", "missing_item", "wrong_item"):
        short = line.quantity - (line.packed or 0) if request == "missing_item" else line.quantity
        found["quantity"] = max(short, 1)
    return found


def _address(file: OrderFile, texts: Sequence[str]) -> dict[str, Any]:
    found = [address for text in texts if (address := values.address_in(text))]
    if found:
        return dict(found[-1])
    saved = file.saved_addresses
    meant = any(values.means_saved_address(text, saved[0].label) for text in texts) if saved else False
    if saved and (meant or len(texts) > 2):
        return msgspec.structs.asdict(saved[0].address)
    return {}


def _line(file: OrderFile, texts: Sequence[str]) -> OrderLine | None:
    """The line whose goods were named last."""
    for text in reversed(texts):
        named = [line for line in file.lines if line.name.casefold() in text.casefold()]
        if named:
            return named[-1]
    return file.lines[0] if len(file.lines) == 1 else None


def _owed_line(file: OrderFile) -> OrderLine | None:
    return next((line for line in file.lines if line.line in file.approved_to_send_again), None)


def _wanted_variant(line: OrderLine, texts: Sequence[str], look: Look) -> dict[str, Any]:
    """The other variant of this product that the words describe."""
    pages: tuple[Found, ...] = look("search_catalogue", {"query": line.name}) or ()
    shelves = [one for page in pages if page.product == line.name for one in page.variants]
    for text in reversed(texts):
        for shelf in shelves:
            other_colour = shelf.colour != line.colour and values.names(text, shelf.colour)
            other_size = shelf.size != line.size and values.names_size(text, shelf.size)
            same_size, same_colour = shelf.size == line.size, shelf.colour == line.colour
            if (other_colour and same_size) or (other_size and same_colour):
                return {"variant": shelf.variant, "wanted": f"{shelf.colour} {shelf.size}".strip()}
    return {}


def _recommended(hearing: Hearing) -> dict[str, Any]:
    """The product in stock that the words describe best, and the next one if it is close."""
    asked = {"kind": hearing.goods} if hearing.goods else {"query": hearing.texts[-1]}
    pages: tuple[Found, ...] = hearing.look("search_catalogue", asked) or ()
    text = _without_own(hearing)
    fitting = _described(text, [page for page in pages if _is_in_stock(page) and _holds(page, text)])[:2]
    if not fitting:
        return {}
    shown = " or ".join(f"the {page.product} at {page.price} ({page.link})" for page in fitting)
    prices = sorted(Decimal(page.price.lstrip("$")) for page in fitting)
    gap = f", a difference of ${prices[-1] - prices[0]}" if prices[0] != prices[-1] else ""
    return {"recommended": shown + gap}


def _is_in_stock(page: Found) -> bool:
    return any(shelf.in_stock for shelf in page.variants)


def _holds(page: Found, text: str) -> bool:
    """Whether it holds as much as these words ask for."""
    least = re.search(r"(\d+) litres or more", text)
    return least is None or litres_of(page.about) >= int(least[1])


def _without_own(hearing: Hearing) -> str:
    """The customer's words without the names of the goods bought."""
    text = " ".join(hearing.texts)
    for line in hearing.seen.file.lines:
        text = text.replace(line.name, " ")
    return text


def _described(text: str, pages: list[Found]) -> list[Found]:
    """The pages whose distinctive words these words match best; all of them if none matches."""
    said, of_page = _stems(text), [(_stems(page.product), _stems(page.about)) for page in pages]
    usual = [stem for name, about in of_page for stem in name | about]
    special = {stem for stem in said if 0 < usual.count(stem) <= len(pages) / 2}
    scores = [2 * len(special & name) + len(special & about) for name, about in of_page]
    best = max(scores, default=0)
    ranked = sorted(zip(scores, pages, strict=True), key=lambda one: -one[0])
    return [page for score, page in ranked if 2 * score >= best]


def _stems(text: str) -> set[str]:
    """Meaningful words, cut to their first four letters."""
    return {word[:4] for word in re.findall(r"[a-z]{3,}", text.casefold()) if word not in EMPTY}
