"""Reading: what an agent's English message says, as a closed set of observations code can act on.

A message becomes plain sentences. Each is searched for acts, and the words that lead up to an act
give its mood; only then is it decided what was offered and what was claimed as done.
"""

import re
from collections.abc import Iterator
from re import Pattern
from typing import Literal

from supportagentbench.case import Act, News, Topic
from supportagentbench.transcript import Heard

Mood = Literal["done", "will", "can", "bare", "not", "moot"]
"""`bare`: a mention that only a question can turn into an offer; `moot`: nobody's deed here."""

COMMITMENT: tuple[Mood, ...] = ("done", "will", "can", "bare", "not", "moot")

LIMIT = 8_000
"""Characters read: nobody answers a longer message point by point, and junk must stay cheap."""

GAP = r"[^.?!;]{0,60}?"
"""What may stand between a verb and its object: bounded, so that matching stays linear."""


def inflect(verbs: str) -> str:
    """A pattern for all regular forms of these verbs, American or British."""
    return "|".join(
        f"{verb[:-1]}(?:e[sd]?|ing)"
        if verb.endswith("e")
        else f"{verb[:-1]}(?:y|ies|ied|ying)"
        if verb.endswith("fy")
        else f"{verb}(?:e?s|{verb[-1]}?(?:ed|ing))?"
        for verb in verbs.split()
    )


def words(table: str) -> Pattern[str]:
    """One pattern for a table of wordings, one to a line, matched as whole words."""
    lines = (line.strip() for line in table.splitlines())
    return re.compile(rf"\b(?:{'|'.join(line for line in lines if line)})(?!\w)")


# Spelling. Everything below is matched against lower-case text with its contractions undone.

SHORT = dict(
    pair.split("=")
    for pair in [
        "can't=can not",
        "cannot=can not",
        "cant=can not",
        "won't=will not",
        "wont=will not",
        "dont=do not",
        "isnt=is not",
        "couldnt=could not",
        "im=i am",
        "ive=i have",
        "whats=what is",
        "pls=please",
        "plz=please",
        "thx=thanks",
        "ur=your",
        "u=you",
        "okay=ok",
        "nubmer=number",
        "adress=address",
        "wanna=want to",
        "n't= not",
        "'ll= will",
        "'ve= have",
        "'m= am",
        "'re= are",
        "'d= would",
        "'s= is",
    ]
)
CONTRACTED = re.compile(
    rf"\b(?:{'|'.join(key for key in SHORT if key[0].isalpha() and key != 'n' + chr(39) + 't')})\b"
    r"|(?<=\w)(?:n't|'ll|'ve|'m|'re|'d|(?<=it|at|re|ho|ow|ng)'s|'s(?= (?:been|now|\w+ed)\b))\b"
)
TYPOGRAPHY = str.maketrans("’‘´`“”–—→", "''''\"\"-->")
NOISE = re.compile(
    r"<(\w{1,20})>[^<]{0,500}</\1>|^[ \t]*(?:>|system:).*$|[*_~|]|[^\x00-\xff€]", re.MULTILINE
)
BULLET = re.compile(r"^[ \t]*(?:[-•·]|\(?\d{1,2}[.)])[ \t]+", re.MULTILINE)
PREFIX = re.compile(r"\b(re|e)-(?=[a-z])")
SENTENCE = re.compile(r"(?<=[.!?])[\s\"')]+|\n+")

# What an agent can do. Group 1 is the verb, or the noun that stands for it: its form tells the mood.

CHANGE = inflect("change update amend correct edit modify switch alter adjust revise fix save")
PLACE = (
    r"(?<!email )address|post ?code|zip ?code|street|(?:house|flat|apartment) number"
    r"|(?:delivery|shipping) details|destination"
)
GOODS = r"one|bag|suitcase|case|backpack|duffel|item|product|unit|strap|piece|set|cubes?|pouch"
LINE = (
    r"colou?rs?|sizes?|quantity|qty|lines?|variants?|versions?|small|medium|large|cabin"
    rf"|\d+ ?(?:l|cm)|(?:{GOODS})s?"
)
PEOPLE = (
    r"colleagues?|specialists?|supervisors?|managers?|human|person|teams?|department|someone|agent"
    r"|representative|senior|experts?|advis[oe]r|support|management|member of (?:staff|the team)"
)
TICKET = r"tickets?|case|request|conversation|chat|thread|[ei]nquiry|query|this|it|issue|matter"
SEND = inflect("ship dispatch post deliver mail pop") + r"|send(?:s|ing)?|sent|get|put"
MISSING = r"(?:missing|right|correct|forgotten) \w+(?: \w+)?"

ACTS: dict[Act, tuple[Pattern[str], ...]] = {
    "cancel_order": (
        words(rf"({inflect('cancel')}|cancell?ations?)(?! (?:policy|fee))"),
        words(rf"({inflect('call')}) (?:it|{GAP}order) off"),
    ),
    "edit_address": (
        words(rf"({CHANGE}|set|put){GAP} (?:{PLACE}|typo)"),
        words(rf"(?:{PLACE})\b[^.?!;,]{{0,60}}? ({CHANGE}|now reads|now set)"),
        words(rf"({inflect('redirect reroute')}|new address)"),
        words(
            r"(send|sent|go|going|deliver(?:ed)?|ship(?:ped)?) (?:it |them |out )?to (?:your|the)"
            rf"{GAP}(?:'s|instead|rather than|office|hotel|address)"
        ),
    ),
    "edit_line": (
        words(rf"({inflect('remove swap delete')}|\w+ > \w+)"),
        words(rf"(take|taking|taken|took){GAP} off"),
        words(rf"({inflect('drop add')}){GAP} (?:from|to|off) (?:your|the) order"),
        words(
            rf"({CHANGE}|{inflect('reduce increase')}|set|make)"
            rf"(?:(?!{PLACE})[^.?!;]){{0,60}}? (?:{LINE}|switch|swap)"
        ),
        words(rf"(?:{LINE})\b[^.?!;,]{{0,40}}? ({CHANGE})"),
        words(r"order\b[^.?!;,]{0,30} (now (?:contains|includes|has|shows))"),
    ),
    "reship": (
        words(rf"({inflect('reship redeliver redispatch resend')}|resent|reshipments?|redelivery)"),
        words(
            rf"({SEND}){GAP} (?:again|once more|a second time|{MISSING}|new one in the post"
            r"|(?:new|another) (?:parcel|package|shipment))"
        ),
        words(rf"{MISSING}{GAP} (on (?:its|the) way|in the post|sent|shipped)"),
    ),
    "replace_item": (
        words(rf"({inflect('replace exchange')}|replacements?)(?! the (?:lost|missing))"),
        words(
            rf"({SEND}) (?:you )?(?:out )?(?:a|another) (?:brand )?(?:new )?(?:{GOODS})"
            r"(?! in the post)"
        ),
    ),
    "hand_over": (
        words(rf"({inflect('escalate')}|escalations?)"),
        words(
            rf"({inflect('transfer pass hand connect refer forward assign reassign involve ask')}"
            rf"|{inflect('raise route loop flag')}|bring|brought|put|putting|get|getting|got|speak|talk"
            rf"|have(?= (?:a|one|our|my|someone)\b))\b{GAP} (?:{PEOPLE})"
        ),
    ),
    "close_ticket": (
        words(rf"({inflect('close')}|shut|wrap(?:ped|ping)? up){GAP} (?:{TICKET})"),
        words(rf"(?:{TICKET})\b[^.?!;,]{{0,30}}? (closed|(?:re)?solved)"),
        words(r"(mark(?:ed|ing)?|set)\b[^.?!;,]{0,30}? (?:as|to) \W?(?:(?:re)?solved|closed)"),
    ),
}

# How it is meant: of the cues before the verb, within its clause, the last one decides.

CLAUSE = re.compile(
    r"[;:] |\b(?:but|so|because|while|although|though|since|which) "
    r"|, (?=(?:and |or )?(?:i|we|you|it|the|your|please|just) )"
)
CUE = words(r"""
    (?P<moot>(?:would|should|could|might) (?:not )?have|(?:may|can|could|might|must) (?:\w+ )?be|(?:you|customers?|they|airline|bank) (?:can|may|could|will|might|must))
    (?P<wanted>(?:could|can|would|will) you|want|like|rather|prefer|to be|(?:the|your|an?) $)
    (?P<not>not|no|never|nothing|unable|without|instead of|rather than|neither|nor|only)
    (?P<can>can|could|able to|(?:happy|glad|delighted|pleased) to|suggest|offer|propose|would)
    (?P<will>will|let me|going to|about to)
    (?P<hypothetical>if|once|when|before|after|until|had|whether|(?:please|you) confirm)
    (?P<done>have|has|am|are|is|was|were|been|being|got|consider)
""")
FINISHED = re.compile(r"(?:ed|ing|en|sent|way|post)\b|^(?:now|set|put|shut|took|brought|got)\b")
NOUN = re.compile(r"(?:ment|ation|ery|address)s?$")
FULFILLED = words(r"""
    (?:have|has|am|are|is|was)\b(?! (?:not|able)\b)[^,;]{0,25}? (?:\w+ed|\w+ing|sent|set up)
    on (?:its|the) way|in the post|(?:sent|shipped|created|arranged|booked|ordered)[ !.]*$
""")
LONG_AGO = words("records? shows?|last (?:week|month|year|night)|yesterday|ago|previously")
CONDITION = words("if|once|when|as soon as|after|until|unless|provided|in case")

# Asking leave: the first table does so whatever it stands beside, the second only beside an act.

NOD = "ok|yes|permission|approval|consent|agreement|confirmation|go ahead|green light|nod|blessing"
FINE = "ok|alright|all right|fine|good|correct|right|acceptable|happy|comfortable|agreeable"
ASKS_LEAVE = words(rf"""
    (?<!how )(?<!what )(?<!where )(?<!when )(?:shall|should|may|can|could|might) (?:i|we)\b(?! (?:ask|know|help|assist|see|check|do for|be|expect|(?:have|get) (?:your|the)))
    (?:would|do|did) you (?:like|want|prefer|rather|need)(?: that| this)?(?: me| us| i| we|\?)
    (?:want|(?<!what you would )like|wish|happy for|ok for|prefer|need) (?:me|us) to
    (?:{FINE}) (?:to (?:go|proceed|cancel|change|close|send|continue)|if (?:i|we))
    (?:is|are|does|do|would|if) (?:that|this|it|you|everything|all)(?: is| are| be| look| sound| all| still)* (?:{FINE}|works?|suits?)
    (?:{FINE}|sounds? good|good to go|deal)(?: with you| by you)? ?\?
    (?:do|would) you (?:mind|object) if|would it help|do you (?:agree|approve|consent)
    (?:please|kindly|you|just|to) confirm(?: (?:that|you|this|it|if|whether|and|so|to proceed)\b|[,.!?]|$)
    (?:your|the|a) (?:explicit |clear |final )?(?:{NOD})|thumbs up|your (?:call|choice)|up to you
    (?:reply|type|say|text|write|answer|respond)(?: with| back)? [^.?!]{{1,20}} (?:and|to|if)
    (?:say|give) (?:yes|the word)|simple \W?yes|subject to your|once you (?:confirm|agree|approve)
    (?:let (?:me|us) know|tell (?:me|us))(?: which| either way| whether you)?(?:,? and (?:i|we)| if (?:that|this|so)\b|[.!]|$)
    (?:which|what) (?:one |option )?(?:would|do) you (?:like|want|prefer)(?: us| me)
""")
ASKS_LEAVE_NEAR_ACT = words(r"""
    (?:would|do) you (?:like|want|prefer|rather|wish)|suit you|you would (?:prefer|like)
    if (?:you (?:would |so )?(?:like|prefer|want|wish|rather|agree|choose)|so|desired)
    should you (?:so )?(?:wish|prefer|want|like)|(?:ok|fine) to
""")
MONEY = words(r"refund(?:ed)?|money back|store credit|reimburse\w*")
BY_US = words("i|we|me|us")

# Asking for something: a topic counts only in a sentence that asks.

REQUEST = words(r"""
    please|(?:could|can|would) you|(?:may|might|can|could) (?:i|we) ask|let (?:me|us) know
    tell (?:me|us)|(?:send|give|show|share|provide|advise|describe|attach|upload|pop)(?! you)
    (?:i|we)(?: just| will| would| do| still| also)* (?:need|require)(?! to (?!know|see|have))
    (?:love|like|good|helpful|need|help|useful) to (?:know|see|have|hear)
    would (?:help|be (?:\w+ )?(?:useful|great|helpful|good|handy|appreciated))
    grateful|appreciate|if you (?:could|do not mind|would)|without an?|take a|confirm
""")
NO_REQUEST = words(r"""
    (?:no|not) need|not (?:have to|require)|not necessary|(?:should|could) have|how many times
    (?:asking|ask|asked|checking with) (?:the|our)
""")
THANKS = re.compile(r"\b(?:thanks|thank you|sorry) (?:\w+ )?(?:for|about)\b[^,.;!?]*")

TOPICS: dict[Topic, Pattern[str]] = {
    "order_number": words(r"""
        order (?:number|no|ref(?:erence)?|id)|number (?:on|of|for|from) (?:the|your) order
        (?:confirmation|reference|purchase) number
    """),
    "identity": words(r"""
        (?:full|first|last|your) name|surname|whose name|e ?mail|phone number|identity
        (?<!product )(?<!street )name (?:on|under|used|and)|date of birth
    """),
    "address": words(r"""
        (?<!email )address|post ?code|zip code|which (?:flat|street)|street
        (?:house|flat|apartment|apt) number
        where (?:you|we|it|should|shall|would)[^?]*(?:stay|staying|sen[dt]|go|deliver(?:ed)?)
    """),
    "photo": words("photos?|photographs?|pics?|pictures?|images?|video|clip|snaps?|screenshots?"),
    "item": words(rf"""
        which (?:of your|(?:\w+ )?(?:{GOODS}|article|thing)s?)|(?:product|item) name|name of the
        what (?:item|product|bag|(?:is|was) missing|did you (?:order|buy))
        is (?:this|it|that) about|do you mean (?:the|your)
    """),
    "variant": words(r"""
        sizes?|colou?rs?|shades?|variants?|versions?|which (?:model|of the (?:two|three))
        \d+ ?(?:cm|l) or
    """),
    "quantity": words("how many|quantity|qty|number of (?:units|items|pieces|bags)"),
    "reason": words("why|reasons?|what (?:made|is behind|prompted|led)|how come"),
    "when": words(r"""
        when (?:did|do|does|was|were|is|are|you(?! (?:get|have|can))|it|the|exactly|will|have)|how long(?: ago)?
        (?:what|which) (?:time|day|date)|(?:by|since) when|need it (?:by|before)|date (?:of|you)
    """),
    "condition": words(r"""
        condition|how the [^?]*? looks?|still (?:sealed|attached|unopened|unused)
        (?:is|are|was|were|has|have|had|whether) (?:the|it|they|you|there)\b[^?]*? (?:used|worn|cracked|damaged|opened|attached|loose|scratch\w*|tags|broken|sealed)
    """),
    "wish": words(r"""
        how (?:can|may|could) (?:i|we) (?:help|assist)|what (?:can|could|may) (?:i|we) (?:do|help)
        what (?:would you|you would|do you) (?:like|want|prefer|need)(?: us| me)?(?: to| help|\?|$)
        how (?:would you|you would|do you|should we|you want)\b[^?]*(?:proceed|resolve|handle)
        which (?:solution|option|outcome|you would prefer)|what (?:outcome|solution)|anything else (?:i|we) can
    """),
    "details": words(r"""
        (?:more|further|additional|extra|any) (?:details?|info|information|context)
        (?:more|little|some)(?: more)? detail|what (?:happened|went wrong|is wrong)
        (?:the|your) (?:problem|issue)|walk\w* (?:me|us) through|anything else you can
        tell (?:me|us) (?:a (?:bit|little) )?more|elaborate
    """),
}

# Saying no, giving news, signing off.

REFUSAL = words(r"""
    (?:can|could)(?: \w+)? not (?!find|see|locate|open|agree|wait|thank|view|read|be undone|verify|tell|help)\w+
    (?:unable|not able|not allowed) to (?!find|see|locate|verify|open|view|read)\w+
    (?:not|no longer) (?:possible|something we|an option|eligible|in a position|qualify|covered)
    (?:do|does) not (?:ship|offer|accept|provide|allow|qualify|cover|deliver|permit)
    only (?:able to|possible)|can only|no way (?:of|to|for)|hands are tied|nope|too late
    would have (?:cancel|chang)\w+|outside (?:of )?what (?:we|i) can|against (?:our )?policy
    not be (?:granted|accepted|refunded|approved)|declined?|non refundable|final sale
""")
STATE = (
    r"shipped|dispatched|delivered|lost|packed|in transit|out for delivery|on the move"
    r"|on (?:its|the) way|being (?:prepared|packed|processed)|left (?:our|us|the|with)"
    r"|handed to the (?:courier|carrier)|gone astray|left us"
)
NEWS: dict[News, Pattern[str]] = {
    "status": words(rf"""
        (?:is|are|has|have|was|were|had|shows?|status|it|be|\d{{3,}})\b[^,;?]{{0,30}}?[ :](?:{STATE})
        (?:courier|carrier) already has|(?:was|been) cancell?ed
    """),
    "tracking": words(r"""
        tracking(?: number| no| info\w*| id| code| link|:)|https?://\S*track\S*|to track
        carrier ref|[a-z]{2,4}\d{7,}[a-z]{0,2}
    """),
    "timing": words(r"""
        (?:\d+|one|two|three|four|five|six|seven|ten)(?: ?(?:-|to) ?\d+)? (?:extra )?(?:working |business )?(?:hours?|days?)
        (?:by|due|expected|(?:arrives?|reach you) on)\b[^,;?]{0,15} (?:\w+day|tomorrow|\d+ ?[ap]m)
    """),
    "returns": words(r"returns?|returned|sen[dt](?: \w+){0,3} back|withdraw\w*"),
    "promotion": words(r"(?<!zip )codes?|vouchers?|promo\w*|discounts?|coupons?|gift cards?|applied"),
    "charge": words(r"""
        charged|(?:second|actual|double|duplicate|pending) charges?|\w*authori[sz]ation
        reservation|card check|(?:take|took|real) payment|exchange fee|pending (?:amount|payment)
    """),
    "product": words(r"""
        \d+(?:\.\d+)? ?(?:g|kg|cm|l|litres?|liters?)|recommend|weighs?|lighter|pockets?
        compartments?|waterproof|made (?:of|from)|designed|straps|sleeve|comes in|folds?
    """),
}
UNTOLD = words(r"^if|may be|asking|\d days ago")
NOT_TIMING = words(r"return window|(?:of|from) (?:delivery|receipt)|ago|back within|withdraw\w*")
FAREWELL = words(r"""
    good ?bye|bye|farewell|bon voyage|take care(?! of)|all the best (?:with|for)|enjoy (?:your|the)
    have an? (?:\w+ )?(?:good|great|lovely|nice|wonderful|fantastic|pleasant|safe)
    (?:safe|happy|pleasant|good) (?:travels?|journeys?|trips?|trails|flights?)
    wish(?:ing)? you (?:a|all|safe|pleasant)
""")


def hear(text: str) -> Heard:
    """What the customer takes from this message."""
    return _read(text)[0]


def seeks_consent(text: str) -> bool:
    """Whether the message asks for a go-ahead of any kind, whether or not it names the act."""
    return _read(text)[1]


def _read(text: str) -> tuple[Heard, bool]:
    asks: set[Topic] = set()
    tells: set[News] = set()
    acts: dict[Mood, set[Act]] = {mood: set() for mood in COMMITMENT}
    offers: set[Act] = set()
    refuses = farewell = listing = consent = loose = False
    for sentence in _sentences(text):
        moods = _moods(sentence)
        topics = _topics(sentence, listing and sentence.startswith("-"))
        listing = sentence.endswith(":") and bool(REQUEST.search(sentence)) or (
            listing and sentence.startswith("-")
        )
        leave = bool(ASKS_LEAVE.search(sentence))
        proposed = _proposed(sentence, moods, topics, leave)
        if proposed:
            topics &= {"wish"}
        for act, mood in moods.items():
            waits = mood == "will" and (topics or CONDITION.search(sentence))
            acts["bare" if waits else mood].add(act)
        offers |= proposed
        consent |= leave
        loose |= leave and not proposed and topics <= {"wish"}
        asks |= topics
        tells |= _news(sentence, moods, bool(proposed or topics))
        refuses |= bool(REFUSAL.search(sentence))
        farewell |= bool(FAREWELL.search(sentence))
    offers |= acts["can"]
    if loose:
        offers |= acts["will"] | acts["bare"]
    done = acts["done"] | acts["will"] - offers
    offers -= done
    heard = Heard(
        asks=tuple(sorted(asks)),
        offers=tuple(sorted(offers)),
        done=tuple(sorted(done)),
        tells=tuple(sorted(tells)),
        refuses=refuses,
        farewell=farewell and not asks and not offers,
    )
    return heard, consent or bool(offers)


def _proposed(
    sentence: str, moods: dict[Act, Mood], topics: set[Topic], leave: bool
) -> set[Act]:
    """The acts this sentence itself asks leave for."""
    if MONEY.search(sentence) and not BY_US.search(sentence):
        return set()  # "A refund or a replacement?" asks for a wish, and proposes neither.
    if not leave and (topics - {"wish"} or not ASKS_LEAVE_NEAR_ACT.search(sentence)):
        return set()
    live = {act for act, mood in moods.items() if mood in ("will", "can", "bare")}
    # "I have not cancelled it yet, I want your OK first": what is held back is what is proposed.
    return live or {act for act, mood in moods.items() if mood == "not" and leave}


def _sentences(text: str) -> Iterator[str]:
    """The message as plain lower-case sentences, without echoes, markup and contractions."""
    plain = text[:LIMIT].lower().translate(TYPOGRAPHY)
    plain = BULLET.sub("- ", NOISE.sub(" ", plain))
    plain = PREFIX.sub(r"\1", plain)
    plain = CONTRACTED.sub(lambda found: SHORT[found[0]], plain)
    plain = re.sub(r"(?<=[a-z])-(?=[a-z])", " ", plain)
    plain = re.sub(r"[ \t]+", " ", plain)
    return (part.strip() for part in SENTENCE.split(plain) if part.strip())


def _moods(sentence: str) -> dict[Act, Mood]:
    """Every act the sentence speaks of, in its most committed mood."""
    moods: dict[Act, Mood] = {}
    taken: set[int] = set()
    for act, patterns in ACTS.items():
        found = [match for pattern in patterns for match in pattern.finditer(sentence)]
        fresh = [match for match in found if match.start(1) not in taken]
        taken.update(match.start(1) for match in fresh)
        if fresh:
            heard = {_mood(sentence, match.start(1), match[1]) for match in fresh}
            moods[act] = min(heard, key=COMMITMENT.index)
    return moods


def _mood(sentence: str, start: int, verb: str) -> Mood:
    """How the act is meant whose verb begins at `start`."""
    begin = max((cut.end() for cut in CLAUSE.finditer(sentence, 0, start)), default=0)
    before = sentence[begin:start]
    cues = [cue.lastgroup for cue in CUE.finditer(before)]
    if "moot" in cues:
        return "moot"
    if "not" in cues:
        return "not"
    if NOUN.search(verb):
        if "hypothetical" not in cues and FULFILLED.search(sentence, begin):
            return "done"
        cues += [cue.lastgroup for cue in CUE.finditer(sentence, start)]
        return "will" if "will" in cues else "can" if "can" in cues else "bare"
    if "hypothetical" in cues:
        return "bare"
    last = cues[-1] if cues else ""
    if last == "will":
        return "will"
    if last == "can":
        return "can"
    if not FINISHED.search(verb) or last == "wanted":
        return "bare"
    if LONG_AGO.search(sentence):
        return "moot"
    return "done" if last == "done" or not verb.endswith("ing") or before.strip(" -") in ("", "now") else "bare"


def _topics(sentence: str, listed: bool) -> set[Topic]:
    """What the sentence asks the customer about."""
    body = THANKS.sub("", sentence)
    if NO_REQUEST.search(body):
        return set()
    if not (listed or "?" in body or REQUEST.search(body)):
        return set()
    topics = {topic for topic, pattern in TOPICS.items() if pattern.search(body)}
    if "or" in body.split() and MONEY.search(body):
        topics.add("wish")
    if "variant" in topics and "name" not in body:
        topics -= {"wish", "item"}
    return topics


def _news(sentence: str, moods: dict[Act, Mood], asking: bool) -> set[News]:
    """What the sentence lets the customer know."""
    if "?" in sentence or sentence.startswith("-") and len(sentence) < 20:
        return set()
    news = {topic for topic, pattern in NEWS.items() if pattern.search(sentence)}
    if "done" in moods.values() or UNTOLD.search(sentence):
        news.discard("status")
    if NOT_TIMING.search(sentence):
        news.discard("timing")
    if "done" in moods.values():
        news.discard("product")
    if REFUSAL.search(sentence):
        news.discard("returns")
    return news & {"status", "tracking"} if asking else news
