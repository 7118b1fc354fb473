"""Wording: the oracle's sentences, filled with what the record says."""

ASK: dict[str, dict[str, str]] = {
    "order_number": {
        "en": "I'm happy to help. Could you tell me your order number, please?",
        "es": "Con mucho gusto le ayudo. ¿Me puede decir su número de pedido?",
        "fr": "Je vous aide volontiers. Pouvez-vous m'indiquer votre numéro de commande ?",
        "de": "Ich helfe Ihnen gern. Können Sie mir bitte Ihre Bestellnummer nennen?",
        "pt": "Terei todo o gosto em ajudar. Pode indicar-me o número do pedido?",
        "pl": "Chętnie pomogę. Czy może Pan/Pani podać numer zamówienia?",
        "ja": "喜んでお手伝いします。ご注文番号を教えていただけますか？",
    },
    "wish": {
        "en": "I want to help with this. What would you like us to do for you?",
        "es": "Gracias por escribirnos. ¿Qué desea exactamente que hagamos por usted?",
        "fr": "Merci de votre message. Que souhaitez-vous exactement que nous fassions ?",
        "de": "Danke für Ihre Nachricht. Was genau sollen wir für Sie tun?",
        "pt": "Obrigado pela mensagem. O que gostaria exatamente que fizéssemos?",
        "pl": "Dziękuję za wiadomość. Co dokładnie możemy dla Pana/Pani zrobić?",
        "ja": "ご連絡ありがとうございます。具体的にどのような対応をご希望でしょうか？",
    },
    "photo": {"en": "Could you send me a photo that shows it, please?"},
    "item": {"en": "Which item exactly is it about, please?"},
    "address": {
        "en": "What is the full new address, please: name, street, city, region, postcode and country?"
    },
}
"""What the oracle asks, by topic and language."""

HANDED_OVER = "A colleague has to decide this, so I've passed it on to them; they will write to you."
"""What it says when it hands over; in other languages it lets the act speak."""

AGAIN = (
    "I'm sorry that I have to say it again.",
    "I do see why you ask.",
    "I wish I had another answer for you.",
    "Let me put it once more.",
    "I hear you, and yet it stays as it is.",
    "Thank you for your patience with me.",
    "There is no more that I can add.",
)
"""How it begins when it has to repeat itself."""

ASKS_AGAIN = (
    "I want to be sure that I get it right.",
    "Let me ask once more, so that nothing is missed.",
    "Please bear with me for one more question.",
)
"""How it begins when it has to ask the same thing again."""

DOING = {
    "cancel_order": "cancel order {order}",
    "edit_address": "change the delivery address of order {order} to {address}",
    "edit_line": "change {item} on order {order} to {wanted}",
    "reship": "send {item} from order {order} again, free of charge",
    "replace_item": "send you a replacement for {item} from order {order}, {wanted}, free of charge",
}
"""What it proposes, by act."""

DONE = {
    "cancel_order": "I've cancelled order {order}.",
    "edit_address": "I've updated the delivery address of order {order} to {address}.",
    "edit_line": "I've changed {item} on order {order} to {wanted}.",
    "reship": "I've reshipped {item} from order {order}; the tracking e-mail follows when it leaves.",
    "replace_item": "I've sent a replacement for {item}; the tracking e-mail follows when it leaves.",
}
"""What it reports, by act."""


class OracleWording:
    """Fills sentences about one matter of one order."""

    def __init__(self, words: dict[str, str]) -> None:
        self.words = words

    def fill(self, text: str) -> str:
        """The text with the record's words in its placeholders."""
        for name, value in self.words.items():
            text = text.replace(f"{{{name}}}", value)
        return text
