"""What an agent's words claim: that something was done, passed on, or stands so with an order.

Offers, conditions, refusals and rules are no claims. Where words leave room, they are read in the agent's
favour.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from supportagentbench.checks.actions import ORDER_WRITES
from supportagentbench.checks.evidence import Words, clause_around, holds_any

SENDING = ("reship", "replace_item")
GOODS = (*SENDING, "edit_line")
REACH = 300
"""How far a sentence is read."""

SAID_AGAIN = 256
"""So many replies are kept in mind, since many agents have few sentences."""


def _any(words: str) -> str:
    """A group that matches any of these, given with bars between them."""
    return f"(?:{words})"


def _whole(words: str, tail: str = "") -> str:
    """The same where a word begins, and what follows each; the engine can leap from letter to letter."""
    return "|".join(rf"{word}(?<!\w{word}){tail}" for word in words.split("|"))


_NOW = _any("now|just|already|also|then|both|gone ahead and|went ahead and|successfully|fully|duly|all")
_NOW = rf"(?: {_NOW})*"
_WHO = _any(_whole("i|we"))
_HAVE = rf"(?:'ve|'m|'re| have| am| are)?{_NOW} "
_WILL = rf"(?:'ll| will|'m going to| am going to| have to| need to| must){_NOW} "
_I = _WHO + _HAVE
_BEEN = rf"\b(?:was|were|has been|have been|has now been|is now|is being|is already){_NOW} "
_GAP = r"[^.;!?\n]{0,80}?"
_ED = r"(?:ed|ing|ied|ying)\b"
_NEW_GOODS = (
    rf"\b(?:replacement|re-?shipment|exchange|new {_any('one|parcel|item|pair|shipment|bag|case')}"
    r"|again|missing|second (?:one|parcel)|another(?! e-?mail| message| link| note)"
    r"|(?:right|correct) (?:one|item|pair))\b"
)


class ClaimPattern(NamedTuple):
    """Words that say that something was done, and the calls of which one would make them true."""

    act: str
    tools: tuple[str, ...]
    signs: tuple[str, ...]
    """Without one of these there is nothing to look for."""
    own: re.Pattern[str]
    """The agent says that it did it."""
    state: re.Pattern[str]
    """It says that it is done."""


CANCELLATION = ClaimPattern(
    "a cancellation",
    ("cancel_order",),
    ("cancell", "canceled", "canceling"),
    re.compile(
        rf"{_WHO}(?:{_HAVE}(?:cancell?{_ED}|{_any('processed|completed|submitted|confirmed')} "
        r"(?:the|your) cancellation)| (?:can |hereby )?confirm (?:the|your) cancellation)"
    ),
    re.compile(
        rf"(?:\border\b|#\d|\bit\b|\bthat\b|\bthis\b){_GAP}(?:{_BEEN}|\bis )cancell?ed\b"
        r"|(?:^|\n|[.!?:] )cancell?ed\b"
        rf"|\bcancellation (?:is|has been|was|went|has gone){_NOW} "
        r"(?:complete|done|confirmed|processed|through)"
    ),
)
NEW_ADDRESS = ClaimPattern(
    "a change of address",
    ("edit_address",),
    ("address", "redirect", "rout"),
    re.compile(
        rf"{_I}(?:{_any('chang|updat|correct|edit|amend|switch|modif')}{_ED}{_GAP}\baddress\b"
        rf"|(?:redirect|re-?rout){_ED})"
    ),
    re.compile(
        rf"\baddress\b{_GAP}{_BEEN}(?:changed|updated|corrected|amended)|{_BEEN}(?:redirected|re-?routed)\b"
    ),
)
NEW_LINE = ClaimPattern(
    "a change of the order's goods",
    GOODS,
    ("chang", "updat", "switch", "swap", "remov", "adjust", "add", "tak", "took", "increas", "reduc"),
    re.compile(
        rf"{_I}(?:(?:remov|swapp){_ED}(?! nothing)|(?:taken|taking|took) {_GAP}\b(?:off|out of) "
        rf"|{_any('chang|updat|switch|adjust|add|modif|increas|reduc')}{_ED}(?! nothing)"
        rf"(?!{_GAP}\b{_any('address|note|photo|file|ticket|comment')})"
        rf"{_GAP}\b{_any('colou?r|size|quantity|line|variant|item|to your order|on (?:your )?order')})"
    ),
    re.compile(
        rf"\b{_any('colou?r|size|quantity|line|item')}\b{_GAP}(?:{_BEEN}|\bis )"
        rf"{_any('changed|updated|switched|removed|adjusted')}"
    ),
)
GOODS_SENT = ClaimPattern(
    "goods sent",
    SENDING,
    ("ship", "sen", "replac", "exchang", "patch", "set up", "new one", "missing", "right", "correct"),
    re.compile(
        rf"{_I}(?:(?:re-?ship(?:ped|ping)|re-?sen(?:t|ding)|(?:replac|exchang){_ED})\b"
        rf"|(?:sent|sending|shipped|shipping|set up|setting up|put"
        rf"|{_any('dispatch|post|arrang|order|creat')}{_ED}|{_any('process|issu|plac|book|organi[sz]|initiat|schedul|approv')}{_ED})"
        rf"(?!{_GAP}\b(?:e-?mail|link|message|wish|regard)){_GAP}{_NEW_GOODS})"
    ),
    re.compile(
        rf"\b(?:replacement|re-?shipment|exchange|new (?:one|parcel|shipment))\b{_GAP}"
        rf"(?:{_BEEN}{_any('sent|shipped|ordered|created|processed|dispatched|placed')}"
        rf"|\b(?:is|was|has been){_NOW} {_any('set up|arranged|booked|on (?:its|the) way|under ?way')})\b"
    ),
)
MONEY_BACK = ClaimPattern(
    "a refund or credit",
    (),
    ("refund", "credit", "reimburs", "voucher", "money", "discount", "compensation"),
    re.compile(
        rf"{_I}(?:(?:refund|reimburs|credit){_ED}"
        rf"|(?:sent|sending|made|{_any('issu|process|initiat|submitt|arrang|request|start|approv')}{_ED}"
        rf"|(?:trigger|complet|appl){_ED}){_GAP}"
        rf"\b{_any('refund|reimbursement|credit|voucher|money|discount|compensation')}\b)"
    ),
    re.compile(
        rf"\b(?:refund|money|reimbursement)\b{_GAP}"
        rf"(?:{_BEEN}{_any('issued|processed|initiated|approved|refunded|returned|sent|submitted|credited')}"
        r"|\bis (?:already )?(?:on its way|under ?way|complete))\b"
        r"|\byou(?:'ve| have) been (?:refunded|credited|reimbursed)\b"
    ),
)
DONE = ClaimPattern(
    "anything",
    (*ORDER_WRITES, "hand_over", "close_ticket"),
    ("done", "all set", "taken care"),
    re.compile(r"(?!)"),
    re.compile(
        r"(?:^|\n|[.!?] )(?:all |it's |that's |that is |it is |both |great, |perfect, )?"
        r"(?:done|all set|taken care of)(?=[.!,:;]|$)(?!.{0,20}\b(?:look|check|found))"
    ),
)
CLAIMS = (CANCELLATION, NEW_ADDRESS, NEW_LINE, GOODS_SENT, MONEY_BACK, DONE)

_COLLEAGUE = _any(
    "colleague|team|specialist|human|manager|supervisor|department|representative|someone|somebody|person"
)
COLLEAGUE_SIGNS = (
    *("colleague", "team", "specialist", "human", "manager", "supervis", "department", "represent"),
    *("someone", "somebody", "person", "escalat", "pass", "hand"),
)
_ONE = r"(?:a|an|the|our|my|another|one of (?:our|my))"
_TO_COLLEAGUE = rf"{_GAP}\b(?:to|with|over|on|in) (?:[\w'-]+ ){{0,4}}{_COLLEAGUE}"
_A_COLLEAGUE = rf"(?:{_ONE} (?:[\w'-]+ ){{0,2}}{_COLLEAGUE}|someone|somebody)"
_HANDED = re.compile(
    rf"{_WHO}(?:{_HAVE}(?:"
    rf"(?:{_any('pass|hand|forward|transferr|referr|rais|assign|rout|flagg|shar|submitt|connect')}{_ED}"
    rf"|sent|sending|brought|bringing|given|giving)\b{_TO_COLLEAGUE}"
    rf"|(?:escalat{_ED}|(?:pass|hand)(?:ed|ing) (?:this|it|that|your [\w-]+) (?:on|over)\b)"
    rf"|{_any('asked|asking|informed|informing|notified|notifying|alerted|alerting|told')} {_A_COLLEAGUE})"
    rf"|{_WILL}(?:{_any('pass|hand|forward|transfer|refer|raise|assign|route|flag|send|bring|connect|share')}"
    rf"\b{_TO_COLLEAGUE}|escalate\b|{_any('have|get|ask|let|notify|alert|inform')} {_A_COLLEAGUE}))"
)
_WITH_COLLEAGUE = re.compile(
    rf"\b{_any('case|request|message|ticket|matter|this|it|issue|claim')}\b{_GAP}{_BEEN}"
    rf"{_any('passed|escalated|handed|forwarded|transferred|referred|assigned')}\b"
    rf"|\bis (?:now )?with {_A_COLLEAGUE}"
    rf"|\b{_COLLEAGUE}s?\b[^.;!?\n]{{0,30}}?(?: will|'ll| is going to)(?: \w+)? "
    rf"(?:{_any('contact|get back|write|reach out|be in touch|take over|look|review|reply|respond')}"
    r"|follow up|call|decide|e-?mail|handle|check)\b"
)

_CONDITION = re.compile(rf"\b{_any('if|once|when|whenever|after|before|until|unless|as soon as|whether')}\b")
_UNREAL = re.compile(
    rf"\b(?:{_any('if|once|when|after|before|until|unless|as soon as|whether|had|would|should|could|might')}"
    rf"|{_any('shall|cannot|not|never|no|nobody|without|only|want|able|orders|(?:an|any|every) order')}"
    r"|can(?! confirm| see| tell|'t)|you (?:say|said|wrote|write|mention|told)|according to)\b|n't\b"
)
_LATER_CONDITION = re.compile(
    r"\b(?:(?:once|if|when|after|as soon as) (?:you|we|i|it|the)|only|unless|against|nothing|anything)\b"
)
_OFFERED = re.compile(
    r"\b(?:i|we) (?:can|could|may|might|would)(?! ?not|'t|n't)\b|\b(?:shall|may|should|can) i\b|\bi'd\b"
    rf"|\b{_any('if|once|when|unless|want me|like me|happy to|no|carrier')}\b"
)
_ELSEWHERE = re.compile(
    r"\b(?:replacement|re-?ship|new (?:one|parcel|shipment|pair)|second|exchange|e-?mail|refund|other order"
    r"|promis)"
)
"""Words by which a clause speaks of something else than the order's own parcel."""

_IS_UNDER_WAY = (
    r"(?: already| now| just| since| been| currently)* (?:shipped|dispatched|left (?:us|our|the)"
    r"|on (?:its|the|their) way|in transit|out for delivery)\b"
)
_HAS_LEFT = (
    r"(?: yet| actually| indeed| even)?(?: been)? (?:yet )?(?:shipped|dispatched|left|gone out|sent)\b"
)
_IS_DELIVERED = r"(?: already| now| successfully| marked| recorded| as)* delivered\b"
_HAS_ARRIVED = r"(?: already)? arrived\b"
STATES = {
    "shipped": re.compile(
        f"{_whole('has|have|is|was|are', _IS_UNDER_WAY)}|'s{_IS_UNDER_WAY}|"
        + _whole("order|parcel|package", r"(?: #\d+)? (?:already )?(?:shipped|left (?:us|our|the))\b")
    ),
    "not shipped": re.compile(
        f"n't{_HAS_LEFT}|{_whole('not', _HAS_LEFT)}|{_whole('yet to', ' (?:be )?ship')}|"
        + _whole("still", r" (?:being (?:prepared|processed|packed)|in (?:our|the) warehouse|with us)\b")
    ),
    "delivered": re.compile(
        _whole("was|were|has been|have been|is|as|got|marked", _IS_DELIVERED)
        + f"|{_whole('has', _HAS_ARRIVED)}|'s{_HAS_ARRIVED}|"
        + _whole("show", r"s? (?:a|the|it was|it as) deliver(?:y|ed)\b")
    ),
    "signed for": re.compile(
        r"\b(?:was|were|been|is|and)(?: \w+)? signed(?: for)?\b|\bsigned (?:for )?by\b|\bsigned delivery\b"
    ),
    "not signed for": re.compile(
        r"\b(?:nobody|no one|no-one) (?:has )?signed|\b(?:without|no|lacks) (?:a |any )?signature"
        r"|n(?:o|')t signed\b"
    ),
    "cancelled": re.compile(
        r"(?:\border\b|#\d|\bit\b)[^.;,!?\n]{0,40}?\b(?:is|was|has been)(?: now| already)* cancell?ed\b"
    ),
}
"""What may be said of an order, and how."""

STATE_SIGNS = {
    "shipped": ("shipped", "dispatched", "left ", " way", "transit", "out for"),
    "not shipped": ("shipped", "dispatched", "left", "gone out", "sent", "yet to", "still "),
    "delivered": ("deliver", "arrived"),
    "signed for": ("signed",),
    "not signed for": ("sign",),
    "cancelled": ("cancelled", "canceled"),
}
"""The letters without which there is nothing to look for."""


VALUE_SIGNS = (
    *("value", "valuable", "pric", "expensive", "costly", "cost of", "worth"),
    *("over ", "above ", "more than ", "exceed"),
)
_SUM = r"(?:us)?[$£€] ?\d"
_VALUE = re.compile(
    r"\bhigh(?:er|ly)?[ -](?:value|priced|ticket|end)\b|\b(?:expensive|pric(?:e?y|ier)|costly|valuable)\b"
    r"|\b(?:orders?|items?|purchases?|products?|goods|anything|exchanges?|replacements?|claims?)\b"
    rf"[^.!?\n]{{0,30}}?\b(?:over|above|exceeding|more than|worth(?: over)?) {_SUM}"
    r"|\bof (?:this|that|such a?) ?(?:value|price|amount)\b"
    r"|\b(?:because of|due to|given|based on|considering) (?:the|its|your|their) (?:[\w-]+ ){0,2}?"
    r"(?:value|price|cost|amount)\b"
)
_DECIDES = re.compile(
    rf"\b(?:{_COLLEAGUE}s?|escalat\w+|approv\w+|authori[sz]\w+|reviewe?d?|sign(?:ed)?[ -]off)\b"
)
_HAS_TO = re.compile(
    r"\b(?:ha(?:s|ve) to|must|needs?|requires?|required|always|subject to|goe?s? to"
    r"|are (?:\w+ )?(?:reviewed|checked|approved))\b"
)
_SENTENCE = re.compile(r"[^.!?\n]{10,400}[.!?]?")
_NO_RULE = re.compile(
    r"\?|n't\b|\b(?:no|not|never|nothing|neither|whatever|however|regardless|cheaper|match\w*|difference|you|if)\b"
)


class ClaimMade(NamedTuple):
    """A claim in the agent's words."""

    claim: ClaimPattern
    words: str
    sentence: str
    own: bool
    """Whether the agent says that it did it, and not only that it is done."""


@lru_cache(maxsize=SAID_AGAIN)
def deeds_said(words: Words) -> tuple[ClaimMade, ...]:
    """Everything the words say was done."""
    return tuple(
        ClaimMade(claim, _quoted(words, match), _whole_sentence(words, match), own)
        for claim in CLAIMS
        if holds_any(words.low, claim.signs)
        for pattern, own in ((claim.own, True), (claim.state, False))
        for match in pattern.finditer(words.low)
        if _is_meant(words.low, match, own)
    )


def _is_meant(low: str, match: re.Match[str], own: bool) -> bool:
    """Whether a match is said as a fact: neither asked, nor denied, nor made to depend on something."""
    before, after = clause_around(low, *match.span())
    if _LATER_CONDITION.search(after) or _UNREAL.search(before):
        return False
    if own:
        return True
    head, tail = _sentence_around(low, match)
    return not _CONDITION.search(head) and not _UNREAL.search(match[0]) and "?" not in tail


def _sentence_around(low: str, match: re.Match[str]) -> tuple[str, str]:
    head = re.split(r"[.!?]\s|\n", low[max(0, match.start() - REACH) : match.start()])[-1]
    tail = re.split(r"(?<=[.!?])\s|\n", low[match.end() : match.end() + REACH], maxsplit=1)[0]
    return head, tail


def _whole_sentence(words: Words, match: re.Match[str]) -> str:
    head, tail = _sentence_around(words.low, match)
    return words.text[match.start() - len(head) : match.end() + len(tail)]


def _quoted(words: Words, match: re.Match[str]) -> str:
    _, after = clause_around(words.low, *match.span())
    return words.text[match.start() : match.end() + len(after)].strip(" .!?:\n")[:120]


@lru_cache(maxsize=SAID_AGAIN)
def handovers_said(words: Words) -> tuple[str, ...]:
    """Every place that says the case is with a colleague, or will be."""
    return tuple(_handovers_said(words)) if holds_any(words.low, COLLEAGUE_SIGNS) else ()


@lru_cache(maxsize=SAID_AGAIN)
def value_rules_said(words: Words) -> tuple[str, ...]:
    """Every sentence by which somebody else has to decide because of what something costs."""
    if not holds_any(words.low, VALUE_SIGNS):
        return ()
    return tuple(
        words.text[match.start() : match.end()].strip()
        for match in _SENTENCE.finditer(words.low)
        if _VALUE.search(match[0])
        and _DECIDES.search(match[0])
        and _HAS_TO.search(match[0])
        and not _NO_RULE.search(match[0])
    )


def _handovers_said(words: Words) -> Iterator[str]:
    low = words.low
    for match in _HANDED.finditer(low):
        before, _ = clause_around(low, *match.span())
        head, tail = _sentence_around(low, match)
        asked = "?" in tail and "will" in match[0]
        if not (_UNREAL.search(before) or _LATER_CONDITION.search(tail) or _CONDITION.search(head) or asked):
            yield _quoted(words, match)
    for match in _WITH_COLLEAGUE.finditer(low):
        head, tail = _sentence_around(low, match)
        if not _OFFERED.search(head) and not _LATER_CONDITION.search(tail) and "?" not in tail:
            yield _quoted(words, match)


@lru_cache(maxsize=SAID_AGAIN)
def states_said(words: Words) -> tuple[tuple[str, str, str], ...]:
    """What the words say of an order: the state, the words, and their sentence."""
    return tuple(_states_said(words))


def _states_said(words: Words) -> Iterator[tuple[str, str, str]]:
    low = words.low
    for state, pattern in STATES.items():
        for match in pattern.finditer(low) if holds_any(low, STATE_SIGNS[state]) else ():
            before, after = clause_around(low, *match.span())
            head, tail = _sentence_around(low, match)
            denied = _UNREAL.search(before) and not state.startswith("not")
            other = _ELSEWHERE.search(f"{before}{match[0]}{after}")
            if not (
                denied or other or _CONDITION.search(head) or "?" in tail or _LATER_CONDITION.search(after)
            ):
                yield state, _quoted(words, match), _whole_sentence(words, match)
