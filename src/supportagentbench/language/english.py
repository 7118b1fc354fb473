"""English: the grammar by which an agent's message is read, as tables in the notation of `notation.py`.

It knows moods, requests, refusals and goodbyes; what an act, a question or a piece of news is called is in a
world's vocabulary.
"""

import re

from supportagentbench.language.notation import patterns
from supportagentbench.language.sentence import TableIndex
from supportagentbench.language.spelling import SHORT

# How it is meant: of the cues before the verb, within its clause, the last one decides.

CLAUSE = re.compile(
    r"[;:] |\b(?:but|so|because|while|although|though|since|which) "
    r"|, (?=(?:and |or )?(?:i|we|you|it|the|your|please|just) )"
)
CUE = r"""
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
"""
FINISHED = re.compile(
    r"(?:ed|ing|en|sent|way|the post)\b|^(?:now|in the|set|put|shut|cut|took|brought|got|heading)\b"
)
NOUN = re.compile(r"(?:ment|ation|ery|address|parcel|package)s?$")
FULFILLED = r"""
    (have|has|am|are|is|was)\b(?! (not|able)\b)[^,;]{0,25}? (\w+ed|\w+ing|\w+en|made|done|gone|\
    saved|in place|sent|set up|put|complete|in progress|under ?way|through)
    on (its|the|their) way|in the post|(i|we)( can| hereby)? confirm
    (sent|shipped|created|arranged|booked|ordered|processed|confirmed|done|complete|underway|\
    under way|coming|raised|requested|approved)\b[^,;]{0,25}$
"""
PERFECT = "have|has|been|am|are"
LONG_AGO = r"""
    records? shows?|last (week|month|year|night)|yesterday|ago|previously|by you|on (\d|\w+day)
    on (january|february|march|april|may|june|july|august|september|october|november|december)
    (that|which) was (already )?(re)?(sent|shipped)|a colleague (already )?(sent|shipped)
"""
CONDITION = "if|once|when|as soon as|after|until|unless|provided|in case"

# Asking leave: the first table does so in any context, the second only next to an act.

NOD = (
    "ok|yes|permission|approval|consent|agreement|confirmation|go ahead|green light|nod|blessing"
    "|say so|word|thumbs up|all clear|sign off|authori[sz]ation|decision|instructions?|answer"
)
FINE = (
    "ok|alright|all right|fine|good|correct|right|acceptable|happy|comfortable|agreeable|cool"
    "|great|in order|up for (it|that)|keen|on board|certain|ready|fair|reasonable|accurate"
    "|what you want|content|satisfied|sure"
)
ASKS_LEAVE = rf"""
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
"""
OPEN_QUESTION = r"""
    ^(so |and |but |now |please )?(what|how)(?! about)
    which (one|item|product|bag|line|colou?r|size|variant)
"""
CLAIMED = r"""
    (i|we) have (just |now |already |gone ahead and )*(?!to |not )\w+|ha(s|ve) (now |just |already )?been
    is now|are now|all done|done!
"""
ASKS_LEAVE_NEAR_ACT = r"""
    (would|do) you (still |really )?(like|want|prefer|rather|wish)|suit you
    (would|are) you (be )?(open|willing|interested|accept|agree|consider|go for|welcome)
    if (you (would |so )?(like|prefer|want|wish|rather|agree|choose)|so|desired)|interested|fancy
    care for|(in )?case you (would )?(like|want|prefer)|whether you (would )?(like|want|prefer)
    should you (so )?(wish|prefer|want|like)|(ok|fine) to
"""
MONEY = r"refund(ed)?|money back|store credit|reimburse\w*"
BY_US = "i|we|me|us"

# Asking for something: a topic counts only in a sentence that asks.

REQUEST = r"""
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
"""
NO_REQUEST = r"""
    (no|not) need|not (have to|require)|not necessary|(should|could) have|how many times
    (asking|ask|asked|checking with) (the|our)|please (allow|note|expect|find|rest assured|bear)
"""
THANKS = r"(thanks|thank you|sorry) (\w+ )?(for|about)\b[^,.;!?]*"

# Saying no, giving news, signing off.

LABEL = re.compile(r"-[\w ]+")
"""A line of a list that only names something."""

REFUSAL = r"""
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
"""
FAREWELL = r"""
    good ?bye|bye|farewell|bon voyage|take care(?! of)|all the best (with|for)|enjoy (your|the)
    have (an? )?(\w+ )?(good|great|lovely|nice|wonderful|fantastic|pleasant|safe|fun|brilliant|\
    super|fab\w*)
    cheerio|so long|ciao|see you|until next time|happy packing|signing off|speak soon
    (safe|happy|pleasant|good) (travels?|journeys?|trips?|trails|flights?|holidays?|travell?ing|\
    landings?|weekend)
    wish(ing)? you (a|all|safe|pleasant)
"""

# What may be counted on: who did it, that it is done, and nothing that makes it depend on something.

NOW = "(?: (?:now|just|already|also|then|both|gone ahead and|went ahead and|successfully|fully|duly|all))*"
BY_AGENT = re.compile(rf"\b(?:i(?: have| am)?|we(?: have| are)?){NOW} $")
UNCHANGING = ("put", "set", "shut", "cut")
"""Verbs whose past looks like their present: only with “have” is it certain."""
IS_DONE = re.compile(
    rf"\b(?:was|were|has been|have been|has now been|is now|is being|is already|is|are){NOW} $"
)
CARRIED_OUT = (
    "process|complet|submitt|confirm|arrang|order|creat|issu|plac|book|organi[sz]|initiat|schedul|approv|start"
    "|dispatch|post|shipp|send|request|trigger|appl|set up|sett|mak"
)
NOUN_BY_AGENT = re.compile(
    rf"\b(?:i(?: have| am)?|we(?: have| are)?){NOW} "
    rf"(?:(?:{CARRIED_OUT})(?:ed|ied|ing|ying)|sent|set up|setting up|put|made)\b"
    r"(?:(?! (?:email|link|message|wish\w*|regards?|and|so|but)\b)[^.;!?,]){0,60}?$"
    r"|\b(?:i|we)(?: can| hereby)? confirm (?:the|your) $"
)
NOUN_IS_DONE = re.compile(
    r"(?:(?! and )[^.;!?]){0,80}?\b"
    rf"(?:(?:was|were|has been|have been|has now been|is now|is being|is already){NOW} "
    r"(?:sent|shipped|ordered|created|processed|dispatched|placed|issued|initiated|approved|returned|submitted"
    r"|credited|confirmed|set up)"
    rf"|(?:is|was|has been|went|has gone){NOW} (?:set up|arranged|booked|on (?:its|the) way|under ?way"
    r"|complete|done|confirmed|processed|through))\b"
)
BREAK = re.compile(r"[;:()]|, |\b(?:and|but|so|because|though) ")
"""Where a clause ends, strictly."""
UNREAL = re.compile(
    r"\b(?:if|once|when|after|before|until|unless|as soon as|whether|had|would|should|could|might|shall|not"
    r"|never|no|nobody|without|only|want|able|orders|(?:an|any|every) order|can(?! confirm| see| tell)"
    r"|you (?:say|said|wrote|write|mention|told)|according to)\b"
)
LATER_CONDITION = re.compile(
    r"\b(?:(?:once|if|when|after|as soon as) (?:you|we|i|it|the)|only|unless|against|nothing|anything)\b"
)
DEPENDS = re.compile(r"\b(?:if|once|when|whenever|after|before|until|unless|as soon as|whether)\b")
OFFERED = re.compile(
    r"\b(?:(?:i|we) (?:can|could|may|might|would)(?! not)|(?:shall|may|should|can) i|if|once|when|unless"
    r"|want me|like me|happy to|no|carrier)\b"
)
READ_OFF = re.compile(r"\b(?:i|we) (?:can )?see\b")
"""Text read off a record does not report an act."""
ALL_DONE = re.compile(
    r"(?:all |it is |that is |both |great, |perfect, )?(?:done|all set|taken care of)(?=[.!,:;]|$)"
    r"(?!.{0,20}\b(?:look|check|found))"
)
"""A report that does not say of what."""

# A customer's leave, said explicitly.

GO_AHEAD = re.compile(
    r"\b(?:yes|go ahead|please proceed|i (?:hereby )?(?:confirm|agree)|you (?:have|have got) my "
    r"(?:ok(?:ay)?|permission|consent|go ahead|blessing)|no need to (?:ask|check|confirm)|by all means)\b"
)
RESERVE = re.compile(
    r"\?|\b(?:no|not|never|nobody|without|if|unless|only|once|when|as long as|provided|until|but"
    r"|said|told|would|might|maybe)\b(?! need to (?:ask|check|confirm)| asking)"
)

# Rules by which what something costs is a reason to ask somebody else.

BY_VALUE = re.compile(
    r"\bhigh(?:er|ly)?[ -](?:value|priced|ticket|end)\b|\b(?:expensive|pric(?:e?y|ier)|costly|valuable)\b"
    r"|\b(?:orders?|items?|purchases?|products?|goods|anything|exchanges?|replacements?|claims?)\b"
    r"[^.!?\n]{0,30}?\b(?:over|above|exceeding|more than|worth(?: over)?) (?:us)?[$£€] ?\d"
    r"|\bof (?:this|that|such a?) ?(?:value|price|amount)\b"
    r"|\b(?:because of|due to|given|based on|considering) (?:the|its|your|their) (?:[\w-]+ ){0,2}?"
    r"(?:value|price|cost|amount)\b"
)
DECIDES = re.compile(
    r"\b(?:(?:colleague|team|specialist|human|manager|supervisor|department|representative|someone|somebody|person)s?"
    r"|escalat\w+|approv\w+|authori[sz]\w+|reviewe?d?|sign(?:ed)?[ -]off)\b"
)
HAS_TO = re.compile(
    r"\b(?:ha(?:s|ve) to|must|needs?|requires?|required|always|subject to|goe?s? to"
    r"|are (?:\w+ )?(?:reviewed|checked|approved))\b"
)
NO_RULE = re.compile(
    r"\?|\b(?:no|not|never|nothing|neither|whatever|however|regardless|cheaper|match\w*|difference|you|if)\b"
)
VALUE_SIGNS = (
    *("value", "valuable", "pric", "expensive", "costly", "cost", "worth"),
    *("over ", "above ", "more than ", "exceed"),
)
"""Letters without which there is no such rule."""


class MoodGrammar:
    """The tables by which an act's mood is found, on one index."""

    def __init__(self, index: TableIndex) -> None:
        self.cut_short = index.table(SHORT)
        """Words that have to be written out before anything else is looked for."""
        self.cue = index.table(patterns(CUE))
        self.fulfilled = index.table(patterns(FULFILLED))
        self.long_ago = index.table(patterns(LONG_AGO))


class EnglishGrammar(MoodGrammar):
    """All tables, on one index."""

    def __init__(self, index: TableIndex) -> None:
        super().__init__(index)
        self.perfect = index.table(patterns(PERFECT))
        self.condition = index.table(patterns(CONDITION))
        self.asks_leave = index.table(patterns(ASKS_LEAVE))
        self.open_question = index.table(patterns(OPEN_QUESTION))
        self.claimed = index.table(patterns(CLAIMED))
        self.asks_leave_near_act = index.table(patterns(ASKS_LEAVE_NEAR_ACT))
        self.money = index.table(patterns(MONEY))
        self.by_us = index.table(patterns(BY_US))
        self.request = index.table(patterns(REQUEST))
        self.no_request = index.table(patterns(NO_REQUEST))
        self.thanks = index.table(patterns(THANKS))
        self.refusal = index.table(patterns(REFUSAL))
        self.farewell = index.table(patterns(FAREWELL))
