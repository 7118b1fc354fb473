"""About: topics that no tool answers: things that are unknown here, and concerns that people must decide."""

UNKNOWNS = {
    "other_stock": "what another shop has in stock",
    "arrival_day": "the day on which the parcel arrives",
    "refund_days": "how many days a refund takes",
    "cabin_rules": "what an airline allows on board",
    "material": "what the material withstands",
    "colleague": "whether a colleague has read a message",
    "looked_again": "whether somebody has looked again",
    "on_its_way": "whether a parcel is really on its way",
    "promise": "a promise about what will happen",
    "restock": "when something is in stock again",
    "price_later": "what something will cost later",
    "customs": "what customs or taxes will cost",
    "fit": "whether something fits",
    "steps": "which steps to take on a page or in an account",
    "handling": "how a thing is worked or looked after",
    "looks": "what something looks or feels like",
    "cause": "why something happened",
    "ranking": "which of all goods is the most of something",
    "workings": "how your house works inside",
    "afterwards": "what happens afterwards, and who does it",
    "watching": "whether somebody will keep an eye on it or pass it on",
    "history": "what happened to it on the way",
    "others": "what other customers say or do",
}
"""By name, in plain words."""

CONCERNS = {
    "threat": "somebody who is threatened with violence",
    "risk": "a person who may be in danger",
    "injury": "somebody who was hurt",
    "safety": "goods that may be dangerous",
    "legal": "a lawyer or a court",
    "authority": "an authority or the press",
    "discrimination": "being treated worse for who I am",
    "access": "goods or pages that a disabled person cannot use",
    "privacy": "the data that you hold about me",
    "takeover": "an account that somebody else is using",
    "bereavement": "the account of somebody who has died",
    "minor": "an order that a child placed",
    "money": "money that was taken wrongly",
    "business": "business with the company itself",
    "property": "belongings that were left in goods sent back to you",
}
"""The same for matters that only people may decide."""


def about_in(text: str) -> str:
    """The name of the topic that these plain words are about, or empty."""
    known = {words.casefold(): name for name, words in (UNKNOWNS | CONCERNS).items()}
    return next((name for words, name in known.items() if words in text.casefold()), "")
