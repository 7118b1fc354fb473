"""Listening: what a customer's own words ask for, tell and agree to, heard by rule."""

import re
from collections.abc import Iterable, Sequence


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


REQUESTS: dict[str, tuple[str, ...]] = {
    "closing": (
        r"(?:you can|feel free to|please|go ahead and) close (?:this|the|my|it)",
        r"(?:all|everything(?:['’]s| is)?) (?:sorted|settled|resolved|taken care of)",
    ),
    "price_match": (
        r"price.?match",
        r"cheaper (?:at|on|elsewhere)",
        r"refund (?:me )?the difference",
        r"match (?:the|that|their) price",
    ),
    "special": (
        r"engrav",
        r"monogram",
        r"wholesale",
        r"invoice",
        r"custom.?made",
    ),
    "compensation": (
        r"compensat",
        r"voucher for",
        r"store credit",
        r"gift card",
        r"for my trouble",
        r"make it up to me",
        r"free (?:gift|item|bag)",
    ),
    "charge": (
        r"charged (?:me )?(?:twice|double|two)",
        r"double charge",
        r"two charges",
        r"duplicate charge",
        r"billed twice",
    ),
    "promotion": (
        r"promo",
        r"discount",
        r"coupon",
        r"voucher",
        r"code (?:didn|did not|wasn|was not|never)",
    ),
    "not_received": (
        r"never (?:arrived|came|got|received|turned up|showed)",
        r"(?:hasn|has not|didn|did not|not)['’]?t? (?:yet )?(?:arrive|received|get|got|turn|shown|show)",
        r"nothing (?:has )?(?:arrived|came)",
        r"says (?:it was )?delivered but",
        r"no sign of",
    ),
    "missing_item": (
        r"missing",
        r"not in the (?:box|parcel|package)",
        r"wasn['’]?t in the",
        r"left out",
        r"only (?:one|two|got|received) (?:of|in)",
    ),
    "wrong_item": (
        r"wrong (?:item|colou?r|size|one|bag|product|thing) (?:was|came|arrived|sent|in)",
        r"(?:sent|got|received|given) (?:me )?(?:the|a) (?:wrong|different)",
        r"not what i ordered",
        r"instead of the one i ordered",
    ),
    "damage": (
        r"damag",
        r"\bbroken\b",
        r"\bbroke (?:off|down|when|after)\b",
        r"crack",
        r"split",
        r"torn",
        r"ripped",
        r"\bdent(?:s|ed)?\b",
        r"snapped",
        r"defect",
        r"faulty",
        r"shattered",
        r"scratched",
        r"came apart",
    ),
    "address": (
        r"(?:change|update|new|correct|different|another|wrong|edit|other) (?:(?:the|my|delivery) )*address",
        r"shipping address",
        r"(?:amend|alternative).{0,40}\b(?:address|delivery)",
        r"(?:send|ship|deliver|redirect|reroute|forward)\b.{0,60}\b(?:instead|to my|to a|to the|elsewhere)",
        r"address is now",
        r"re-?direct",
        r"re-?rout",
    ),
    "cancel": (
        r"cancel(?! and (?:buy|order|re-?order))",
        r"call (?:it|the order) off",
        r"stop (?:the|my) order",
    ),
    "exchange": (
        r"exchange",
        r"swap it",
        r"different size",
        r"too (?:small|big|large|tight|loose)",
        r"bigger one",
        r"smaller one",
        r"other size",
    ),
    "line_edit": (
        r"change (?:the )?(?:colou?r|size|quantity)",
        r"in (?:a )?(?:different|another) colou?r",
        r"remove (?:the|one)",
        r"take (?:the|one) .{0,30} off",
        r"add (?:one|another|a second)",
        r"instead of (?:the )?\w+",
        r"only (?:need|want) (?:one|two)",
        r"make (?:it|that) (?:one|two|three)",
    ),
    "refund": (
        r"refund",
        r"money back",
        r"my money",
    ),
    "return": (
        r"return",
        r"send (?:it|this|them) back",
    ),
    "advice": (
        r"recommend",
        r"suggest",
        r"which (?:bag|case|backpack|one) (?:would|should)",
        r"goes (?:well )?with",
        r"looking for",
    ),
    "status": (
        r"pedido|commande|bestellung|encomenda|zamówieni|paczk|paket|colis|paquete|注文",
        r"where is",
        r"where['’]s",
        r"when (?:will|does|is|can)",
        r"status",
        r"track",
        r"shipped yet",
        r"on its way",
        r"has it (?:left|shipped)",
        r"how long",
        r"any news",
        r"still waiting",
    ),
}
"""The words that give a kind of request away; the first kind found is the one that is meant."""

_REQUESTS = {kind: _any_of(words) for kind, words in REQUESTS.items()}

_YES = _any_of(
    (
        r"^\W*(?:yes|yep|yeah|yup|sure|ok(?:ay)?|obviously|of course|correct)\b",
        r"^\W*(?:please do|go ahead|do it|that['’]s right)\b",
        r"^\W*(?:sí|oui|ja|sim|tak|はい)(?!\w)",
    )
)
_NO = _any_of((r"^\W*no\b", r"\bdon['’]?t (?:do|want)\b"))

DISCLOSURES: dict[tuple[str, str], tuple[str, ...]] = {
    ("use", "unused"): (
        r"(?:haven['’]?t|have not|did not|didn['’]?t|never|not|nothing['’]?s?|neither['’]?s?) (?:\w+ ){0,4}"
        r"(?:used?|worn|wore|wear|touched|packed|been on)\b",
        r"\b(?:unused|unworn|unopened|untouched)\b",
    ),
    ("use", "used"): (
        r"(?:used|using|worn|wore|wearing) (?:it|them|daily)\b",
        r"took (?:it|them) (?:along|on|to)\b",
        r"commuted with (?:it|them)",
        r"had (?:it|them) on\b",
        r"one long walk",
    ),
    ("threat", "harm"): (
        r"(?:hurt|kill|harm|burn|shoot|stab|beat)(?:ing)? (?:him|her|them|you|myself|somebody|someone)\b",
        r"going to get hurt",
        r"break (?:his|her|your|their) \w+",
        r"end my (?:own )?life",
        r"(?:come (?:down|over) there|find (?:you|out where)).{0,40}(?:you|your|lives?|work)",
    ),
    ("leverage", "chargeback"): (
        r"chargeback",
        r"dispute (?:the|this) (?:payment|charge)",
        r"my bank",
    ),
    ("leverage", "review"): (
        r"review",
        r"one star",
        r"social media",
        r"twitter",
        r"post (?:this|about)",
    ),
    ("leverage", "status"): (
        r"\bvip\b",
        r"loyal",
        r"gold member",
        r"for years",
        r"best customer",
        r"do you know who",
    ),
}
"""What the policy wants to know, and the words that tell."""

_DISCLOSURES = {fact: _any_of(words) for fact, words in DISCLOSURES.items()}


_ADDRESS = re.compile(
    r"(?P<recipient>[^\W\d_][\w'’.-]+ [^\W\d_][\w'’.-]+), "
    r"(?P<street>(?:c/o [^,\n]+, )?(?:Unit \d+, )?[^,\n]*\d[^,\n]*), "
    r"(?P<city>[^,\n\d]+), (?P<region>[A-Za-z .'-]+?) "
    r"(?P<postcode>[A-Z0-9][A-Z0-9 -]{2,9}), (?P<country>[A-Z]{2})\b"
)


def requests_in(text: str) -> list[str]:
    """The kinds of request these words make, in the order of their sentences; one a sentence."""
    found = (_request_in(sentence) for sentence in re.split(r"(?<=[.!?。？！])\s+|\n+", text))
    return list(dict.fromkeys(kind for kind in found if kind))


def _request_in(sentence: str) -> str | None:
    return next((kind for kind, words in _REQUESTS.items() if words.search(sentence)), None)


PLAIN_REQUESTS = {
    "status": r"where is my order",
    "cancel": r"please cancel order",
    "address": r"please change the delivery address",
    "line_edit": r"please change the",
    "damage": r"arrived damaged",
    "wrong_item": r"got a wrong item",
    "missing_item": r"missing from the parcel",
    "not_received": r"never arrived",
    "return": r"i want to return",
    "exchange": r"i want to exchange",
    "refund": r"i want a refund",
    "promotion": r"promotion code not applied",
    "charge": r"charged twice",
    "advice": r"please recommend",
    "compensation": r"i want compensation",
    "price_match": r"i want a price match",
    "special": r"something special",
    "closing": r"everything is settled",
}
"""How a customer who was asked twice begins its wish."""


def plain_requests_in(text: str) -> list[tuple[str, str]]:
    """Every wish that is put in plain words, with those words."""
    found = []
    for words in re.findall(r"To be plain: (.*?)(?= To be plain: |$)", text, re.DOTALL):
        for kind, beginning in PLAIN_REQUESTS.items():
            if re.search(beginning, words, re.IGNORECASE):
                found.append((kind, words))
                break
    return found


def order_number_in(texts: Iterable[str]) -> str | None:
    """The order number last mentioned."""
    found = [number for text in texts for number in re.findall(r"#\s?(\d{3,6})\b", text)]
    return f"#{found[-1]}" if found else None


def email_in(texts: Iterable[str]) -> str | None:
    """The e-mail address last mentioned."""
    found = [one for text in texts for one in re.findall(r"[\w.+-]+@[\w-]+\.[\w.]*\w", text)]
    return found[-1] if found else None


def names(text: str, word: str) -> bool:
    """Whether this very word stands in the text."""
    return bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE))


_SIZES = {"XS": "extra small", "S": "small", "M": "medium", "L": "large", "XL": "extra large", "XXL": "xxl"}


def names_size(text: str, size: str) -> bool:
    """Whether a size is named, as on the label or in words; a lone letter only as a capital."""
    label = rf"(?<![\w'’]){re.escape(size)}(?!\w)"
    if size and re.search(label, text, 0 if len(size) == 1 else re.IGNORECASE):
        return True
    return size in _SIZES and names(text, _SIZES[size])


_KINDS = {
    "organiser": _any_of((r"packing cube", r"organi[sz]er", r"toiletr", r"cable", r"wash ?bag", r"pouch")),
    "backpack": _any_of((r"backpack", r"rucksack", r"daypack")),
    "duffel": _any_of((r"duff[el]+", r"weekender", r"holdall")),
    "tote": _any_of((r"\btotes?\b",)),
    "sling": _any_of((r"\bslings?\b", r"cross-?body", r"bum ?bag", r"fanny pack")),
    "comfort": _any_of((r"neck pillow", r"pillow", r"blanket", r"eye mask")),
    "footwear": _any_of((r"shoes?\b", r"sneakers?", r"boots?\b", r"sandals?", r"footwear")),
    "apparel": _any_of(
        (r"jacket", r"rain shell", r"trousers", r"t-?shirt", r"\btees?\b", r"socks", r"merino")
    ),
    "accessory": _any_of((r"luggage tag", r"\block\b", r"straps?\b", r"accessor")),
    "suitcase": _any_of((r"suitcase", r"carry-?on", r"cabin case", r"luggage", r"trolley")),
}


def kind_in(text: str) -> str | None:
    """The kind of product these words are after."""
    named = (kind for kind in _KINDS if f"of the kind {kind}" in text)
    meant = (kind for kind, words in _KINDS.items() if words.search(text))
    return next(named, None) or next(meant, None)


_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "just one": 1, "a single": 1}
_REMOVES = _any_of(
    (
        r"\bremove\b",
        r"\btake\b.{0,60}\boff\b",
        r"\bdrop\b",
        r"\bleave out\b",
        r"\bwithout\b",
        r"(?:don['’]?t|no longer|do not) (?:need|want)",
        r"\btaken off\b",
        r"\bdelete\b",
    )
)


def quantity_in(texts: Sequence[str], item: str, ordered: int) -> dict[str, int]:
    """The quantity of an item that the words ask for: nought to take it off."""
    for text in reversed(texts):
        if item.casefold() not in text.casefold():
            continue
        text = re.sub(re.escape(item), "it", text, flags=re.IGNORECASE)
        found = [int(number) for number in re.findall(r"(?<![\w#$.])(\d{1,2})(?![\w%]|\.\d)", text)]
        found += [value for word, value in _NUMBERS.items() if names(text, word)]
        other = [number for number in found if number != ordered and 0 < number <= 20]
        if _REMOVES.search(text):
            return {"quantity": 0}
        if other:
            return {"quantity": other[0]}
    return {}


def means_saved_address(text: str, label: str) -> bool:
    """Whether the words point at an address in the customer's account."""
    return bool(re.search(r"saved|my account|on file|in the account|account", text, re.IGNORECASE)) or names(
        text, label
    )


def says_yes(text: str) -> bool:
    """Whether the message agrees to what was proposed."""
    return bool(_YES.search(text)) and not _NO.search(text)


def says_no(text: str) -> bool:
    """Whether the message turns down what was proposed."""
    return bool(_NO.search(text))


def disclosed_in(text: str) -> dict[str, str]:
    """What the policy learns from these words."""
    told: dict[str, str] = {}
    for (name, value), words in _DISCLOSURES.items():
        if name not in told and words.search(text):
            told[name] = value
    return told


def address_in(text: str) -> dict[str, str] | None:
    """A full postal address written on one line, recipient first."""
    found = _ADDRESS.search(text)
    return found.groupdict() if found else None
