"""What an agent's words claim: that something was done, passed on, or stands so with an order.

Offers, conditions, refusals and rules are no claims. Where words leave room, they are read in the agent's
favour.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from supportagentbench.score.actions import ORDER_WRITES
from supportagentbench.score.evidence import clause_around

SENDING = ("reship", "replace_item")
GOODS = (*SENDING, "edit_line")
REACH = 300
"""How far a sentence is read."""

_NOW = r"(?: (?:now|just|already|also|then|both|gone ahead and|went ahead and|successfully|fully|duly))*"
_I = rf"\b(?:i|we)(?:'ve|'m|'re| have| am| are)?{_NOW} "
_BEEN = rf"\b(?:was|were|has been|have been|has now been|is now|is being|is already){_NOW} "
_GAP = r"[^.;!?\n]{0,80}?"
_NEW = (
    r"\b(?:replacement|re-?shipment|exchange|new (?:one|parcel|item|pair|shipment|bag|case)|second (?:one"
    r"|parcel)"
    r"|another(?! e-?mail| message| link| note)|again|missing|(?:right|correct) (?:one|item|pair))\b"
)
_TARGET = r"(?:colleague|team|specialist|human|manager|supervisor|department|representative|someone"
r"|somebody|person)"


class Claim(NamedTuple):
    """Words that say that something was done, and the calls of which one would make them true."""

    act: str
    tools: tuple[str, ...]
    signs: tuple[str, ...]
    """Without one of these there is nothing to look for."""
    own: re.Pattern[str]
    """The agent says that it did it."""
    state: re.Pattern[str]
    """It says that it is done."""


CLAIMS = (
    Claim(
        "a cancellation",
        ("cancel_order",),
        ("cancel",),
        re.compile(
            rf"{_I}cancell?(?:ed|ing)\b|{_I}(?:processed|completed|submitted|confirmed) (?:the"
            rf"|your) cancellation"
            r"|\bi (?:can |hereby )?confirm (?:the|your) cancellation"
        ),
        re.compile(
            rf"(?:\border\b|#\d|\bit\b|\bthat\b|\bthis\b){_GAP}(?:{_BEEN}|\bis )cancell?ed\b|(?:^|\n"
            rf"|[.!?:] )cancell?ed\b"
            rf"|\bcancellation (?:is|has been|was|went|has gone){_NOW} (?:complete|done|confirmed"
            rf"|processed|through)"
        ),
    ),
    Claim(
        "a change of address",
        ("edit_address",),
        ("address", "redirect", "rerout"),
        re.compile(
            rf"{_I}(?:chang|updat|correct|edit|amend|switch|modif)(?:ed|ing|ied|ying)\b{_GAP}\baddress\b"
            rf"|{_I}(?:redirect|re-?rout)(?:ed|ing)\b"
        ),
        re.compile(
            rf"\baddress\b{_GAP}{_BEEN}(?:changed|updated|corrected|amended)|{_BEEN}(?:redirect|rerout)ed"
        ),
    ),
    Claim(
        "a change of the order's goods",
        GOODS,
        ("chang", "updat", "switch", "swap", "remov", "adjust", "add", "take", "taking"),
        re.compile(
            rf"{_I}(?:remov|swapp)(?:ed|ing)\b(?! nothing)|{_I}(?:taken|taking|took) {_GAP}\b(?:off|out of) "
            rf"|{_I}(?:chang|updat|switch|adjust|add|modif|increas|reduc)(?:ed|ing|ied|ying)\b(?! nothing)"
            rf"(?!{_GAP}\b(?:address|note|photo|file|ticket|comment)){_GAP}\b(?:colou?r|size|quantity"
            rf"|line|variant"
            rf"|item|to your order|on (?:your )?order)"
        ),
        re.compile(
            rf"\b(?:colou?r|size|quantity|line|item)\b{_GAP}(?:{_BEEN}|\bis )(?:changed|updated|switched"
            rf"|removed|adjusted)"
        ),
    ),
    Claim(
        "goods sent",
        SENDING,
        ("ship", "sen", "replac", "exchang", "dispatch"),
        re.compile(
            rf"{_I}(?:re-?ship(?:ped|ping)|re-?sen(?:t|ding)|replac(?:ed|ing)|exchang(?:ed|ing))\b"
            rf"|{_I}(?:sent|sending"
            rf"|shipped|shipping|set up|setting up|put|(?:dispatch|post|arrang|order|creat|process|issu"
            rf"|plac|book"
            rf"|organi[sz]|initiat|schedul|approv)(?:ed|ing))\b(?!{_GAP}\b(?:e-?mail|link"
            rf"|message)){_GAP}{_NEW}"
        ),
        re.compile(
            rf"\b(?:replacement|re-?shipment|exchange|new (?:one|parcel"
            rf"|shipment))\b{_GAP}(?:{_BEEN}(?:sent|shipped"
            r"|ordered|created|processed|dispatched|placed)|(?:\bis|\bwas|\bhas been)(?: now| already"
            r"| all)* (?:set up"
            r"|arranged|booked|on (?:its|the) way|under ?way))"
        ),
    ),
    Claim(
        "a refund or credit",
        (),
        ("refund", "credit", "reimburs", "voucher", "money", "discount", "compensation"),
        re.compile(
            rf"{_I}(?:refund|reimburs|credit)(?:ed|ing)\b|{_I}(?:sent|sending|made|(?:issu|process"
            rf"|initiat|submitt"
            rf"|arrang|request|start|approv|trigger|complet|appl)(?:ed|ing|ied|ying))\b{_GAP}"
            r"\b(?:refund|reimbursement|credit|voucher|money|discount|compensation)\b"
        ),
        re.compile(
            rf"\b(?:refund|money|reimbursement)\b{_GAP}(?:{_BEEN}(?:issued|processed|initiated|approved"
            rf"|refunded"
            r"|returned|sent|submitted|completed|credited)|\bis (?:already )?(?:on its way|under ?way"
            r"|complete))"
            r"|\byou(?:'ve| have) been (?:refunded|credited|reimbursed)"
        ),
    ),
    Claim(
        "something done",
        (*ORDER_WRITES, "hand_over", "close_ticket"),
        ("done", "all set", "taken care"),
        re.compile(r"(?!)"),
        re.compile(
            r"(?:^|\n|[.!?] )(?:all |it's |that's |that is |it is |both |great, |perfect, )?"
            r"(?:done|all set|taken care of)(?=[.!,:;]|$)(?!.{0,20}\b(?:look|check|found))"
        ),
    ),
)

_PASSED = (
    r"(?:pass|hand|escalat|forward|transferr|referr|rais|assign|rout|flagg|shar|submitt|connect|bring|giv)"
    r"(?:ed|ing|en)|sent|sending|brought"
)
_TOLD = r"(?:asked|asking|informed|informing|notified|notifying|alerted|alerting|told)"
_TO_TARGET = rf"\b(?:to|with|over|on|in)\b (?:[\w'-]+ ){{0,4}}{_TARGET}"
_ONE = r"(?:a|an|the|our|my|another|one of (?:our|my))"
_HANDED = re.compile(
    rf"{_I}(?:{_PASSED})\b{_GAP}{_TO_TARGET}|{_I}escalat(?:ed|ing)\b"
    rf"|{_I}{_TOLD} {_ONE} (?:[\w'-]+ ){{0,2}}{_TARGET}"
    r"|\b(?:i|we)(?:'ll| will|'m going to| am going to| have to| need to| must)(?: now| also| therefore)? "
    r"(?:pass|hand|escalate|forward|transfer|refer|raise|assign|route|flag|send|bring|connect|submit|share)\b"
    rf"{_GAP}{_TO_TARGET}|\b(?:i'll|i will) (?:have|get|ask|let|notify"
    rf"|alert) {_ONE} (?:[\w'-]+ ){{0,2}}{_TARGET}"
    rf"|\b(?:i'll|i will|i'm going to) escalate\b|{_I}(?:pass|hand)(?:ed|ing) (?:this|it|that"
    rf"|your [\w-]+) (?:on|over)\b"
)
_HANDED_STATE = re.compile(
    rf"\b(?:case|request|message|ticket|matter|this|it|issue|claim)\b{_GAP}{_BEEN}(?:passed|escalated"
    rf"|handed|forwarded"
    rf"|transferred|referred|assigned)\b|\bis (?:now )?with {_ONE} (?:[\w'-]+ ){{0,2}}{_TARGET}"
    rf"|\b{_TARGET}s?\b"
    r"[^.;!?\n]{0,30}?(?: will|'ll| is going to)(?: \w+)? (?:contact|get back|write|reach out|be in touch"
    r"|take over"
    r"|look|review|reply|respond|follow up|call|decide|e-?mail|handle|check)\b"
)

_CONDITION = re.compile(r"\b(?:if|once|when|whenever|after|before|until|unless|as soon as|whether)\b")
_UNREAL = re.compile(
    r"\b(?:if|once|when|after|before|until|unless|as soon as|whether|had|would|should|could|might|shall"
    r"|cannot|not"
    r"|never|no|nobody|without|only|want|able|can (?!confirm|see|tell)|you (?:say|said|wrote|write"
    r"|mention|told)"
    r"|(?:an|any|every) order|orders)\b|n't\b"
)
_LATER_CONDITION = re.compile(
    r"\b(?:(?:once|if|when|after|as soon as) (?:you|we|i|it|the)|only|unless|against|nothing|anything)\b"
)
_OFFERED = re.compile(
    r"\b(?:i|we) (?:can|could|may|might|would)(?! ?not|'t|n't)\b|\b(?:shall|may|should|can) i\b|\b(?:if"
    r"|once|when|unless"
    r"|want me|like me|happy to|no|carrier)\b|\bi'd\b"
)

_SHIPPED = re.compile(
    r"(?:\bhas|\bhave|'s|\bis|\bwas|\bare)(?: already| now| just| since| been)* (?:shipped|dispatched"
    r"|left (?:us|our|the)"
    r"|on (?:its|the|their) way|in transit|out for delivery)\b|\b(?:order"
    r"|parcel)(?: #\d+)? (?:already )?shipped\b"
)
_NOT_SHIPPED = re.compile(
    r"(?:n't|\bnot)(?: yet| actually| indeed| even)?(?: been)? (?:yet )?(?:shipped|dispatched|left"
    r"|gone out|been sent)\b"
    r"|\bstill (?:being (?:prepared|processed|packed)|in (?:our|the) warehouse|with us)\b"
    r"|\byet to (?:be )?ship"
)
_DELIVERED = re.compile(
    r"\b(?:was|were|has been|have been|is|as|got)(?: already| now| successfully| marked| recorded"
    r"| as)* delivered\b"
    r"|\bshows? (?:a|the|it was|it as) deliver(?:y|ed)\b|(?:\bhas|'s)(?: already)? arrived\b"
    r"|\bmarked delivered\b"
)
_SIGNED = re.compile(
    r"\b(?:was|were|been|is|and)(?: \w+)? signed(?: for)?\b|\bsigned (?:for )?by\b|\bsigned delivery\b"
)
_UNSIGNED = re.compile(
    r"\b(?:nobody|no one|no-one) (?:has )?signed|\b(?:without|no|lacks) (?:a |any )?signature|n(?:o"
    r"|')t signed\b"
)
_CANCELLED = re.compile(
    r"(?:\border\b|#\d|\bit\b)[^.;,!?\n]{0,40}?\b(?:is|was|has been)(?: now| already)* cancell?ed\b"
)
_ELSEWHERE = re.compile(
    r"\b(?:replacement|re-?ship\w*|new (?:one|parcel|shipment|pair)|second|exchange|e-?mail|refund"
    r"|other order|promis)"
)

STATES = {
    "shipped": (_SHIPPED, ("ship", "patch", "left", "way", "transit", "out for")),
    "not shipped": (_NOT_SHIPPED, ("n't", "not", "still", "yet")),
    "delivered": (_DELIVERED, ("deliver", "arrived")),
    "signed for": (_SIGNED, ("sign",)),
    "not signed for": (_UNSIGNED, ("sign",)),
    "cancelled": (_CANCELLED, ("cancel",)),
}
"""What may be said of an order, how, and the letters without which there is nothing to look for."""


class Said(NamedTuple):
    """A claim in the agent's words."""

    claim: Claim
    words: str
    sentence: str
    own: bool
    """Whether the agent says that it did it, and not only that it is done."""


def deeds_said(text: str) -> list[Said]:
    """Everything the words say was done."""
    low = _lowered(text)
    return [
        Said(claim, _quoted(text, low, match), _whole_sentence(text, low, match), own)
        for claim in CLAIMS
        if any(sign in low for sign in claim.signs)
        for pattern, own in ((claim.own, True), (claim.state, False))
        for match in pattern.finditer(low)
        if _is_meant(low, match, own)
    ]


def _lowered(text: str) -> str:
    """In small letters, each in its old place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(one.lower()[:1] for one in text)


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


def _whole_sentence(text: str, low: str, match: re.Match[str]) -> str:
    head, tail = _sentence_around(low, match)
    return text[match.start() - len(head) : match.end() + len(tail)]


def _quoted(text: str, low: str, match: re.Match[str]) -> str:
    _, after = clause_around(low, *match.span())
    return text[match.start() : match.end() + len(after)].strip(" .!?:\n")[:120]


def handovers_said(text: str) -> Iterator[str]:
    """Every place that says the case is with a colleague, or will be."""
    low = _lowered(text)
    for match in _HANDED.finditer(low):
        before, _ = clause_around(low, *match.span())
        head, tail = _sentence_around(low, match)
        asked = "?" in tail and "will" in match[0]
        if not (_UNREAL.search(before) or _LATER_CONDITION.search(tail) or _CONDITION.search(head) or asked):
            yield _quoted(text, low, match)
    for match in _HANDED_STATE.finditer(low):
        head, tail = _sentence_around(low, match)
        if not _OFFERED.search(head) and not _LATER_CONDITION.search(tail) and "?" not in tail:
            yield _quoted(text, low, match)


def states_said(text: str) -> Iterator[tuple[str, str, str]]:
    """What the words say of an order: the state, the words, and their sentence."""
    low = _lowered(text)
    for state, (pattern, signs) in STATES.items():
        for match in pattern.finditer(low) if any(sign in low for sign in signs) else ():
            before, after = clause_around(low, *match.span())
            head, tail = _sentence_around(low, match)
            denied = _UNREAL.search(before) and not state.startswith("not")
            other = _ELSEWHERE.search(f"{before}{match[0]}{after}")
            if not (
                denied or other or _CONDITION.search(head) or "?" in tail or _LATER_CONDITION.search(after)
            ):
                yield state, _quoted(text, low, match), _whole_sentence(text, low, match)
