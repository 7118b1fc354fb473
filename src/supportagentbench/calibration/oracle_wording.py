"""Oracle wording: what the oracle says at any desk. What it says about one shop is in that shop's kit."""

ASK: dict[str, dict[str, str]] = {
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
}
"""Questions for every desk, by topic and language; each world adds its own."""

HANDED_OVER = "A colleague has to decide this, so I've passed it on to them; they will write to you."
"""What it says when it hands over; in other languages it says nothing."""

CLOSED = "Our record agrees that everything is settled, so I've closed the ticket. Thank you!"

UNDECIDED = "Nothing else changes by it, and nothing happens before you say yes."
"""What it tells a customer who hesitates."""

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
