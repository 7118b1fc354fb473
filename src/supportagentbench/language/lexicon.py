"""Lexicon: the English words by which an agent's message is read, as tables of wordings.

Everything is matched against lower-case text with its contractions undone.
"""

import re

from supportagentbench.language.sentence import TableShelf, WordingTable
from supportagentbench.language.spelling import SHORT
from supportagentbench.records.case import Act, News, Topic

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


def lines_of(table: str) -> list[str]:
    """The wordings of a table as patterns.

    Parentheses only group; `@(` captures. A line that ends in a backslash goes on in the next.
    """
    joined = re.sub(r"\\\n\s*", "", table)
    plain = re.sub(r"(?<![\\@])\((?!\?)", "(?:", joined).replace("@(", "(")
    return [line.strip() for line in plain.splitlines() if line.strip()]


def each(table: str, sign: str = "") -> tuple[WordingTable, ...]:
    """A table of its own for each line."""
    return tuple(WordingTable([line], sign) for line in lines_of(table))


def words(table: str) -> WordingTable:
    """One table of all lines."""
    return WordingTable(lines_of(table))


CUT_SHORT = WordingTable(SHORT)
"""Words that have to be written out before anything else is looked for."""

# What an agent can do. The verb, or its noun, is captured: its form and place give the mood.

CHANGE = inflect("change update amend correct edit modify switch alter adjust revise fix")
STOP = inflect("stop void scrap pull halt withdraw annul")
SEND = inflect("ship dispatch post deliver mail pop") + "|send(s|ing)?|sent|get|put"
PASS = (
    inflect("transfer pass hand connect refer forward assign reassign involve ask move submit")
    + "|"
    + inflect("report direct raise route loop flag rope notify alert consult kick bump turn send")
    + "|bring|bringing|sent|brought|give|given|giving|take|taken|taking|put|putting|get|getting|got"
    + "|chat|speak|talk|have(?= (a|one|our|my|someone) )"
)
PLACE = (
    "(?<!email )address|post ?code|zip ?code|street|(house|flat|apartment|door|unit|apt) number"
    r"|(delivery|shipping) (details|info\w*|location)|destination|recipient|where it goes"
)
GOODS = "one|bag|suitcase|case|backpack|duffel|item|product|unit|strap|piece|set|cubes?|pouch"
LINE = (
    "colou?rs?|sizes?|quantity|qty|lines?|variants?|versions?|small|medium|large|cabin"
    rf"|\d+ ?(l|cm)|({GOODS})s?"
)
PEOPLE = (
    "colleagues?|specialists?|supervisors?|managers?|human|person|teams?|department|someone|agent"
    "|representative|senior|head of|lead|boss|crew|desk|second line|back office|people|staff"
    "|experts?|advis[oe]r|support|management|member of (staff|the team)"
)
TICKET = "tickets?|case|request|conversation|chat|thread|[ei]nquiry|query|this|it|issue|matter"
MISSING = r"(missing|right|correct|forgotten) \w+( \w+)?"
WAY = "on (its|the|their) way"
NEAR = "[^.?!;,]{0,40}?"

_ACTS: dict[Act, tuple[WordingTable, ...]] = {
    "cancel_order": each(rf"""
        @({inflect("cancel")}|cancell?ations?)(?! (policy|fee))
        @({inflect("call")}) (it|{GAP}order) off
        @({STOP}|undo) (it|(the|your|this|\
        that) (\w+ )?order)
        order\b{NEAR} @({STOP}|called off)
    """),
    "edit_address": each(rf"""
        @({CHANGE}|set|put)\b{GAP} ({PLACE}|typo)
        ({PLACE})\b{NEAR} @({CHANGE}|now reads|now set)
        @({inflect("redirect reroute divert")}|new address)
        @(send|sent|go|going|deliver(ed)?|ship(ped)?) (it |them |out )?to (your|the|\d+)\b{GAP}('s|\
        instead|rather than|office|hotel|address)
        now (be )?@(go|going|sent|delivered|shipped|headed|heading|bound) (to|for)
        @(send|ship|deliver|go|going|heading) (\w+ ){{0,3}}to (your|the) (work|office|hotel|home|\
        neighbou?r|new|other|parents|mum|sister|brother|friend|pick)\w*
    """),
    "edit_line": each(r"@(\w+ > \w+)", sign=">")
    + each(rf"(order|you)\b{NEAR} @(now (getting|contains|includes|has|shows|lists|reads|says))", " now ")
    + each(rf"""
        @({inflect("remove swap delete upsize downsize")})
        @(take|taking|taken|took|knock(ed|ing)?)\b{GAP} (off|out of)
        @({inflect("drop add include")}|put|strike|cut)\b{GAP} (from|to|off|on|in|onto) (your|the|\
        this|that) (order|basket)
        @({CHANGE}|{inflect("reduce increase bump lower raise upgrade up")}|set|make|cut|\
        bring)\b((?!{PLACE})[^.?!;]){{0,60}}? ({LINE}|switch|swap)
        ({LINE})\b{NEAR} @({CHANGE})
    """),
    "reship": each(rf"""
        @({inflect("reship redeliver redispatch resend repost")}|resent|reshipments?|redelivery)
        @((new|another|second|fresh) (shipment|parcel|package|delivery))
        @({SEND})\b{GAP} (again|once more|anew|a second time|second (one|parcel|set)|duplicate|\
        {MISSING}|new one in the post|(new|another) (parcel|package|shipment))
        {MISSING}{GAP} @({WAY}|in the post|sent|shipped)
    """),
    "replace_item": each(rf"""
        @({inflect("replace exchange")}|replacements?|substitutes?)(?! the (lost|missing))
        @({SEND}) (you )?(out )?(an?|another|one) (brand )?(new |fresh |identical )?(\w+ )?({GOODS})
        new ({GOODS})\b{GAP} @({WAY}|heading (to|your)|coming your way|sent|shipped)
    """),
    "hand_over": each(rf"""
        @({inflect("escalate")}|escalations?)
        @({PASS})\b{GAP} ({PEOPLE})
        ({PEOPLE})\b{GAP} @(tak(e|es|ing) (\w+ )?(over|on)|takes? (it|this) from here)
        (?<!our )({PEOPLE})\b( \w+){{0,4}}? will @(be in touch|be contacting|contact|get back|\
        reach out|pick (this|it) up|follow up|call you|write to you|look (at|into)|review)
        (is|are) @(now with|(now )?in the hands of) {GAP}({PEOPLE})
    """),
    "close_ticket": each(rf"""
        (?<!before )(?<!before i )(?<!before we )\
        @({inflect("close conclude archive complete wrap resolve end")}|shut)\b{GAP} ({TICKET})
        ({TICKET})\b{NEAR} @(closed|(re)?solved|shut|archived|completed?|concluded|wrapped up)
        @(mark(ed|ing)?|set|flag(ged)?|put)\b{NEAR} (as|to) \W?((re)?solved|closed|done|completed?)
    """),
}
ACTS: TableShelf[Act] = TableShelf(_ACTS)

# How it is meant: of the cues before the verb, within its clause, the last one decides.

CLAUSE = re.compile(
    r"[;:] |\b(?:but|so|because|while|although|though|since|which) "
    r"|, (?=(?:and |or )?(?:i|we|you|it|the|your|please|just) )"
)
CUE = words(r"""
    (?P<moot>understand|you (asked|requested|mentioned|wanted)|\
    (would|should|could|might) (not )?have|(may|can|could|might|must) (\w+ )?be|\
    (you|customers?|they|airline|bank) (can|may|could|will|might|must))
    (?P<wanted>help|look(ed|ing)? into|check(ed|ing)?|about|regarding|(could|can|would|will) you|\
    want|like|rather|prefer|to be)
    (?P<attributive>(the|your|an?) $)
    (?P<not>not|no|never|nothing|nobody|none|unable|without|instead of|rather than|neither|nor|only)
    (?P<can>can( have)?|could|able to|(happy|glad|delighted|pleased|ready|prepared|willing) to|\
    suggest|offer|propose|recommend|option|possible to|possibility|how about|what about)
    (?P<will>will|let me|let us|shall|(going|about|needs?|have) to)
    (?P<hypothetical>would|if|once|when|before|after|until|had|whether|(please|you) confirm)
    (?P<done>have|has|am|are|is|was|were|been|being|got|(arranged|asked) for [^,;]{0,40}to be)
""")
FINISHED = re.compile(
    r"(?:ed|ing|en|sent|way|the post)\b|^(?:now|in the|set|put|shut|cut|took|brought|got|heading)\b"
)
NOUN = re.compile(r"(?:ment|ation|ery|address|parcel|package)s?$")
FULFILLED = words(r"""
    (have|has|am|are|is|was)\b(?! (not|able)\b)[^,;]{0,25}? (\w+ed|\w+ing|\w+en|made|done|gone|\
    saved|in place|sent|set up|put|complete|in progress|under ?way|through)
    on (its|the|their) way|in the post|(i|we)( can| hereby)? confirm
    (sent|shipped|created|arranged|booked|ordered|processed|confirmed|done|complete|underway|\
    under way|coming|raised|requested|approved)\b[^,;]{0,25}$
""")
PERFECT = words("have|has|been|am|are")
LONG_AGO = words(r"""
    records? shows?|last (week|month|year|night)|yesterday|ago|previously|by you|on (\d|\w+day)
    on (january|february|march|april|may|june|july|august|september|october|november|december)
    (that|which) was (already )?(re)?(sent|shipped)|a colleague (already )?(sent|shipped)
""")
CONDITION = words("if|once|when|as soon as|after|until|unless|provided|in case")

# Asking leave: the first table does so whatever it stands beside, the second only beside an act.

NOD = (
    "ok|yes|permission|approval|consent|agreement|confirmation|go ahead|green light|nod|blessing"
    "|say so|word|thumbs up|all clear|sign off|authori[sz]ation|decision|instructions?|answer"
)
FINE = (
    "ok|alright|all right|fine|good|correct|right|acceptable|happy|comfortable|agreeable|cool"
    "|great|in order|up for (it|that)|keen|on board|certain|ready|fair|reasonable|accurate"
    "|what you want|content|satisfied|sure"
)
ASKS_LEAVE = words(rf"""
    (?<!how )(?<!what )(?<!where )(?<!when )(shall|should|may|can|could|might) (i|we)\b(?! (ask|\
    know|help|assist|see|check|do for|be|expect|(have|get) (your|the)))
    (would|do|did) you (still |really |perhaps )?(like|want|prefer|rather|\
    need)( that| this| one)?( me| us| i| we|\?)
    (want|(?<!what you would )like|wish|happy for|ok for|prefer|need|care for|rather) ((me|us) to|\
    that (i|we)|it if (i|we))
    (am i|are we)( \w+)? ({FINE}|clear|free|allowed)|what if (i|we)|mind if (i|we)
    (hold off|will wait)
    (check|checking|sure|certain|verify|assume|take it)( that| whether| if)? you (are|want|would|\
    do|really|still)
    when(ever)? you are ready
    (please|you|to) confirm( the)? (cancellation|change|swap|switch|replacement)
    which (do|would) you (prefer|rather)|which (option|suits|works|sounds)\b[^?]{{0,20}}\?
    ({FINE}) (to (go|proceed|cancel|change|close|send|continue|press|start)|if (i|we)|for (me|\
    us) to)
    (is|are|does|do|would|if|will|assuming|provided) (that|this|it|you|everything|\
    all)( is| are| be| would| would be| look| seem| looks| sounds| with you| sound| all| still)* \
    ({FINE}|works?|suits?|helps?)
    (?<!how you would )(?<!how would you )(?<!how do you )(like|want|wish|ready|\
    happy) to (go ahead|proceed|continue)
    y(es)?(/| or )no?|if (so|yes),? (i|we)|ready to (go|proceed)
    ({FINE}|sounds? good|good to go|deal|agreed|confirmed?|go ahead|proceed|yes|\
    y/n)( with you| by you)? ?\?
    (do|would) you (mind|object) if|would it help|do you (agree|approve|consent)
    (please|kindly|you|just|to) confirm( (that|you|this|it|if|whether|and|so|to proceed)\b|[,.!?]|$)
    your (explicit |clear |final )?({NOD})(?! (e?mail|number|page))|your (call|choice)|up to you
    (the|a) (go ahead|green light|nod|ok|yes|all clear)|thumbs up
    awaiting your|await your|if you approve|(how|what) about (i|we|if)|why do not (i|we)
    are you sure|what do you (think|say)|you (sure|certain)|any objections?|unless you object
    (as soon as|once|when|until) ((i|we) (have|get|hear) (your|back)|you (say|give|tell))
    (reply|type|say|text|write|answer|respond)( with| back)? [^.?!]{{1,20}} (and|to|if)
    (say|give) (yes|the word)|simple \W?yes|subject to your|once you (confirm|agree|approve)
    (let (me|us) know|tell (me|us))( which| either way| whether you)?(,? and (i|we)| if (that|this|\
    so)\b|[.!]|$)
    (which|what) (one |option )?(would|do) you (like|want|prefer)( us| me)
""")
OPEN_QUESTION = words(r"""
    ^(so |and |but |now |please )?(what|how)(?! about)
    which (one|item|product|bag|line|colou?r|size|variant)
""")
CLAIMED = words(r"""
    (i|we) have (just |now |already |gone ahead and )*(?!to |not )\w+|ha(s|ve) (now |just |already )?been
    is now|are now|all done|done!
""")
ASKS_LEAVE_NEAR_ACT = words(r"""
    (would|do) you (still |really )?(like|want|prefer|rather|wish)|suit you
    (would|are) you (be )?(open|willing|interested|accept|agree|consider|go for|welcome)
    if (you (would |so )?(like|prefer|want|wish|rather|agree|choose)|so|desired)|interested|fancy
    care for|(in )?case you (would )?(like|want|prefer)|whether you (would )?(like|want|prefer)
    should you (so )?(wish|prefer|want|like)|(ok|fine) to
""")
MONEY = words(r"refund(ed)?|money back|store credit|reimburse\w*")
BY_US = words("i|we|me|us")

# Asking for something: a topic counts only in a sentence that asks.

REQUEST = words(r"""
    please|(could|can|would) you|(may|might|can|could) (i|we) ask|let (me|us) know|tell (me|us)
    (send|give|show|share|provide|advise|describe|attach|upload|pop)(?! you)
    (i|we)( just| will| would| do| still| also)* (need|require)(?! to (?!know|see|have))
    (love|like|good|helpful|need|help|useful) to (know|see|have|hear)
    would (\w+ )?(help|do|suffice|be (\w+ ){0,2}(useful|great|helpful|good|handy|appreciated|ideal|\
    perfect|lovely|enough|help|nice))
    look(ing)? forward to (your|the|seeing)|would (love|like|need) (an?|the|some|your)
    not (come through|attached|load)
    (add|specify|state|mention|choose|pick|select|name) (the|your|which|a)|grateful|appreciate
    if you (could|do not mind|would)|without (an?|the|your)|take a|confirm|enter|quote|supply|submit
    include|forward|remind|wonder(ing)?|curious|drop (me|us)|shoot (me|us)|fire (me|over|across)
    any chance|got (a|any)|so kind|(am|are|is) (missing|waiting for)
    (once|when|if|as soon as|until) (i|we) (have|know|see|get|receive)
    mind (if|telling|sending|sharing|letting)|(would|do) you (have|happen|know|recall|remember)
    (let|get) (me|us) have|need(ed)? from you|reply with|write back
""")
NO_REQUEST = words(r"""
    (no|not) need|not (have to|require)|not necessary|(should|could) have|how many times
    (asking|ask|asked|checking with) (the|our)|please (allow|note|expect|find|rest assured|bear)
""")
THANKS = words(r"(thanks|thank you|sorry) (\w+ )?(for|about)\b[^,.;!?]*")

_TOPICS: dict[Topic, WordingTable] = {
    "order_number": words(r"""
        order( is|'s)? (number|no|ref(erence)?|id)|number (on|of|for|from) (the|your) order
        (confirmation|reference|purchase|booking|invoice) (number|no|code)|(?<!carrier )ref(erence)?
        order #|order#\?|which order|(four|five|4|5) digit|number (in|at|that|it|starting|beginning)
        digits
    """),
    "identity": words(r"""
        (full|first|last|your) name|surname|whose name|(what|which) name
        who (placed|was|is|ordered|bought|am i|the order)|e ?mail|phone number|identity
        (?<!product )(?<!street )name (on|under|used|and)|date of birth
    """),
    "address": words(r"""
        (?<!email )address|post ?code|zip(?= code|\?|,)|which (flat|street|building|city|country)
        street|where to|destination|(unit|door|building) number|where (is|are) (it|you)
        (house|flat|apartment|apt) number
        where (you|we|it|should|shall|would)[^?]*(stay|staying|sen[dt]|go|deliver(ed)?)
    """),
    "photo": words(r"""
        photos?|photograph\w*|proof|pics?|pictures?|images?|video|clip|footage|shots?|snaps?
        snapshots?|show (me|us)|jpe?g|visual|screenshots?
    """),
    "item": words(rf"""
        which (of (your|the) \w+s|(wheel|strap|zip|handle|lock|pocket|side|corner|pieces)|\
        (\w+ )?({GOODS}|article|thing|part)s?)
        (product|item) name|name of the
        what (items?|products?|bags?|exactly (did|is|was|arrived)|have you (ordered|bought)|\
        is it you|broke|arrived|came|is (broken|faulty|damaged|affected)|(did|have) you (get|got|\
        receive|ordered|bought|purchase)d?|(was|is) (in|it)|(is|was) missing|did you (order|buy))
        (?<!order )(is|are) (this|it|that|you \w+) (about|regarding|the)|do you mean
        are you (referring|talking)|is it the|the (\w+ )?(bag|suitcase|backpack|duffel)s? or the
    """),
    "variant": words(r"""
        sizes?|colou?rs?|shades?|variants?|versions?|colou?rway|finish|capacity|litres?|dimensions?
        models?|which (model|of the (two|three))
        (\d+ ?(cm|l)|small|medium|large|cabin|black|sand|olive|forest|charcoal|navy|gr[ae]y|blue|\
        green|red) or
    """),
    "quantity": words(r"""
        how many|quantity|qty|number of (units|items|pieces|bags)|just (the )?one or
        one or (two|both|more)|(all|both) of them or|or both|or all
    """),
    "reason": words(r"""
        why|reasons?|what (made|is behind|prompted|led|caused|put you off|changed)|how come|what for
        motiv\w+|grounds
    """),
    "when": words(r"""
        when (did|do|does|was|were|is|are|you(?! (get|have|can))|it|the|exactly|will|have)
        how long( ago)?|(what|which) (time|day|date)|(by|since|until) when
        need (it|them) (by|before|for)|dates?|deadline|how soon|when\?
        when( is| are| was| would)? (your|that|this|they|we)|which week
    """),
    "condition": words(r"""
        condition|unused|unworn|wear|dents?|wrapped|what state|state of|still (in|have|has|got)
        signs of|how bad|brand new|did you use|been on|any (damage|scratch\w*|marks|stains|scuffs)
        does (it|the \w+) still|how does (it|the)|how badly|original packaging|how the [^?]*? looks?
        still (sealed|attached|unopened|unused)
        (is|are|was|were|has|have|had|whether) (the|it|they|you|there|any)\b[^?]*? (used|worn|\
        taken|intact|torn|dented|bent|functional|working|missing|clean|packaging|stains?|cracked|\
        damaged|opened|attached|loose|scratch\w*|tags|broken|sealed)
    """),
    "wish": words(r"""
        how (can|may|could|might) (i|we) (help|assist|be|make|best)
        what (would|could|can) (make|put|set|be)|what brings|what (should|shall) (i|we)
        what would (help|work)|help (you )?with|what are you (hoping|after|looking)
        your prefer(ence|red)|you (would )?rather have|what (can|could|may) (i|we) (do|help)
        what (exactly |precisely )?(would you|you would|do you) (like|want|prefer|\
        need)( us| me)?( to| help| from| done| in|\?|[.]|$)
        how (would you|you would|do you|should we|you want)\b[^?]*(proceed|resolve|handle|this|\
        sort|settle|continue|move)
        which (solution|option|outcome|you would prefer)|what (outcome|solution)
        anything else (i|we) can
    """),
    "details": words(r"""
        (more|further|additional|extra|any|some) (details?|info|information|context)
        (more|little|some)( more)? detail|what (happened|went wrong|is wrong)
        (the|your) (problem|issue)|describe the (damage|fault|defect)|walk\w* (me|us) through
        anything else you can|tell (me|us) (a (bit|little) )?more|elaborate|clarify|specifics|expand
        explain|own words|what is (the matter|up|wrong|going)|how (did )?(it|this|that) happen\w*
        describe what|say more|fill (me|us) in|background|what do you mean|as much (detail|info)
        full story|what (exactly )?(has |is )?(happen|going|gone)\w*|everything
    """),
}
TOPICS: TableShelf[Topic] = TableShelf(_TOPICS)

# Saying no, giving news, signing off.

LABEL = re.compile(r"-[\w ]+")
"""A line of a list that only names something."""

REFUSAL = words(r"""
    can( \w+)? not (?![^.]*(until|without)|access|trace|stress|promise|guarantee|identify|imagine|\
    find|see|locate|open|agree|wait|thank|view|read|be undone|verify|tell|help|be happier)\w+
    (unable|not able|not allowed) to (?!find|see|locate|verify|open|view|read)\w+
    (not|no longer) (be (able|cancel|chang|possible)\w*|possible|something (we|i)|authori[sz]ed|\
    an option|eligible|in a position|qualify|covered)
    (do|does) not (ship|offer|accept|provide|allow|qualify|cover|deliver|permit|have (any |a |an )?(gift|\
    express|next|expedit|rush)\w*|sell|do (that|this))
    not (a service|something|an? \w+) (we|i) (offer|can|do|provide)
    only (able to|possible)|can only|no way (of|to|for)|hands are tied|nope|(?<!not )too late
    would have (cancel|chang)\w+|outside (of )?what (we|i) can|against (our )?policy
    not be (granted|accepted|refunded|approved)|(must|have to|need to) (decline|refuse|say no|turn)
    not (within|in) (my|our) power|ruled out|off the table|the answer is no|afraid not
    not (entitled|valid for)|will not (be )?(refund|replac|accept|cover|approv)\w*
    out of (warranty|the question)|non refundable|final sale|no (exceptions?|refunds?)
    not have the authority|outside (the|our) \w+ window
""")
STATE = (
    "shipped|dispatched|delivered|lost|packed|in transit|out for delivery|on the move|en route"
    "|on (its|the|their) way|being (prepared|packed|processed)|left (our|us|the|with)|awaiting"
    "|(handed|passed|given) (over )?to the (courier|carrier)|gone astray|picked up|collected"
    "|scanned|signed for|at the depot|customs|warehouse|on hold|delayed|stuck|returned to"
    "|ready to ship|with the (courier|driver|carrier)"
)
_NEWS: dict[News, WordingTable] = {
    "status": words(rf"""
        (is|are|has|have|was|were|had|shows?|status|it|be|\d{{3,}})\b[^,;?]{{0,30}}?[ :]({STATE})
        (courier|carrier) already has|(was|been) cancell?ed
    """),
    "tracking": words(r"""
        tracking( number| no| info\w*| id| code| link|:)|https?://\S*track\S*|to track|waybill
        consignment|(follow|track) (it|your|the) \w*|carrier ref|[a-z][a-z][a-z]?[a-z]?\d{7,}[a-z]{0,2}
    """),
    "timing": words(r"""
        (\d+|one|two|three|four|five|six|seven|ten)( ?(-|to) ?\d+)? (extra )?(working |\
        business )?(hours?|days?|weeks|months)
        couple of (days|weeks|hours)|fortnight|eta|next week|end of (the )?(week|day|month)
        (arrive|there|reach|ship|leave|go out|with you|dispatch\w*|land)\b[^,;?]{0,25}(\w+day|\
        tomorrow|tonight|the \d+)
        overnight|estimated
        (by(?! our)|due|expected|(arrives?|reach you) on)\b[^,;?]{0,15} (\w+day|tomorrow|\d+ ?[ap]m)
    """),
    "returns": words(r"returns?|returned|sen[dt]( \w+){0,3} back|withdraw\w*|prepaid label"),
    "promotion": words(r"""
        (?<!zip )codes?|vouchers?|promo\w*|discounts?|coupons?|gift cards?|applied|sale
        min(imum)? spend|expired?|\d+ ?% off|redeem\w*|subscribers?
    """),
    "charge": words(r"""
        charged|billed|debit\w*|invoice[ds]?|vat|dut(y|ies)|conversion|exchange rate
        taken twice|(?<=\w )hold|deducted|(second|actual|double|duplicate|pending) charges?
        (pre|re|de)?authori[sz]ation|reservation|card check|(take|took|real) payment|exchange fee
        pending (amount|payment)
    """),
    "product": words(r"""
        \d+(\.\d+)? ?(g|kg|cm|l|litres?|liters?)|recommend|weighs?|lightweight|pockets?|litres?
        polycarbonate|nylon|leather|aluminium|recycled|wheels (are|spin)|measures?|dimensions|holds
        fits (in|under)|suitable|would (suit|go (for|with))|compatible|roomier|it is lighter
        overhead|compartments?|waterproof|made (of|from)|designed|straps|sleeve|comes in|folds?
    """),
}
NEWS: TableShelf[News] = TableShelf(_NEWS)
UNTOLD = words(r"^if|may be|asking|\d days ago")
NOT_TIMING = words(r"return window|(of|from) (delivery|receipt)|ago|back within|withdraw\w*")
FAREWELL = words(r"""
    good ?bye|bye|farewell|bon voyage|take care(?! of)|all the best (with|for)|enjoy (your|the)
    have (an? )?(\w+ )?(good|great|lovely|nice|wonderful|fantastic|pleasant|safe|fun|brilliant|\
    super|fab\w*)
    cheerio|so long|ciao|see you|until next time|happy packing|signing off|speak soon
    (safe|happy|pleasant|good) (travels?|journeys?|trips?|trails|flights?|holidays?|travell?ing|\
    landings?|weekend)
    wish(ing)? you (a|all|safe|pleasant)
""")
