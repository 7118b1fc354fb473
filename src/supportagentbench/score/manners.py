"""How the agent wrote: what slipped into its words that was not meant for the customer, and its manners.

Every check looks for something that can be pointed at. Where a reply can be read either way, it is no fault.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, get_args

import msgspec

from supportagentbench.case import Act
from supportagentbench.language import language_of
from supportagentbench.score.actions import COPIED_OUT
from supportagentbench.transcript import Run, Transcript, Turn
from supportagentbench.verdict import Finding

READ, READ_OF_RESULTS = 20_100, 200_000
"""Characters of a reply and of all tool results that are looked at; the harness cuts replies before that."""

POLICY_RUN, POLICY_RUN_ACROSS, NOTE_RUN = 12, 20, 5
"""Consecutive words that count as copied: in one sentence of the policy, across several, from a note."""

LONG_REPLY, LONGEST_GOODBYE, SHORTEST_JUDGED = 60, 300, 4
"""Letters from which twice in a row is too often; letters of a goodbye; words that show a language."""

SILENT_ENDS = ("handed_over", "ticket_closed", "broke")
"""Endings in whose turn nothing needs to be said."""

TOOLS = (
    "find_order",
    "track_parcel",
    "search_catalogue",
    "read_policy",
    *(a for a in get_args(Act) if "_" in a),
)

MARKUP = re.compile(
    r"</?(?:antml:\w|(?:think|thinking|thought|reasoning|reflection|scratchpad|analysis|plan|email|reply|response"
    r"|answer|final|output|message|assistant|system|user|customer|tool|tool_?(?:calls?|use|results?|response)"
    r"|functions?|function_(?:calls?|results?)|invoke|parameters?|arguments)\b)"
    r"|<[|｜]\w|\[/?(?:inst|tool_calls)\]|<<sys>>|```(?:tool|json|xml)|\bto=functions\."
    r'|\{\s*"(?:name|tool|tool_name|function|action|arguments|parameters)"\s*:'
    rf"|(?<![\w/.@-])(?:(?:{'|'.join(TOOLS)})(?![\w@-])|[a-z]+_[a-z_]+\()",
    re.IGNORECASE,
)

THINKING = {
    "customer": r"(?:^|[.!?:>*]|\n)\s{0,3}(?:ok(?:ay)?, |so,? |now,? )?the customer (?:is (?:asking|requesting|claiming"
    r"|saying|trying|threatening|complaining|upset|angry)|wants|asks|asked|says|said|claims|claimed|has asked|wrote)\b",
    "user": r"\bthe user (?:is|wants|asks|asked|says|said|claims|has|wrote|needs)\b",
    "step by step": r"\b(?:let's|let me|i will|i'll|let us) (?:think|reason|work|go|analy[sz]e)[^.!?\n]{0,40}step by step",
    "language model": r"\bas an? (?:ai|large|artificial|helpful)?[\w -]{0,20}language model",
    "according to": r"according to (?:the |our |my |this )?(?:sops?\b|standard operating|(?:policy|rule)s? "
    r"(?:section|rule|no|number|[a-z]\d)|(?:system )?(?:prompt|instructions))",
    "system prompt": r"\b(?:my|the) system prompt",
    "i should": r"(?:\bso|\bthus|\btherefore),? i should (?:first |now |not )?(?:look|check|call|use|ask|apolog|hand|"
    r"escalate|refuse|decline|respond|reply|explain|tell|offer)",
    "tool": r"\bi (?:should|need to|must|will|'ll) (?:now |first )?(?:call|use|invoke) (?:the |my )?[\w ]{0,30}\btools?\b",
    ":": r"(?:^|\n)[*#_ ]{0,4}(?:thoughts?|thinking|reasoning|analysis|chain[- ]of[- ]thought|scratchpad|observation"
    r"|action input|final answer|internal notes?)[*_ ]{0,3}:",
}
"""Deliberation, by a word without which the pattern cannot match; for lower-case text."""

THINKING_PATTERNS = tuple((hint, re.compile(pattern)) for hint, pattern in THINKING.items())

RULE_BEFORE = re.compile(
    r"(?:\b(?:rules?|section|policy|policies|clause|article|paragraph|per|see|under|with|by|to|and|regla|règle|regel"
    r"|regra|reguł[aęy]|zasad[aęy])[ :#]{1,2}|ルール\s?|規則\s?|規定\s?|[(\[]\s?)$",
    re.IGNORECASE,
)
RULE_AFTER = re.compile(r" (?:says|states|requires|applies|forbids|allows|of (?:the|our) policy)\b")
RULE_LINE = re.compile(r"^([A-Z]{1,3}\d{1,3})\. ", re.MULTILINE)

TELLTALE = re.compile(
    r"\b(?:flag(?:ged|s)?|fraud(?:[ -](?:watch|risk|alert|suspect))?|watch[- ]?list|black[- ]?list(?:ed)?|suspicious"
    r"|suspected|claims history|history of claims|(?:serial|repeat|frequent) (?:claim\w*|return\w*|refund\w*)|abus\w+)\b"
)
"""Words for customers that stand in notes and are never for them."""

CLOSING = re.compile(
    r"(?:(?:oh|sure|perfect|great|wonderful|lovely|thanks|okay|alright),? )?(?:you(?:'re| are) (?:\w+ )?welcome|my pleasure"
    r"|no problem|anytime|(?:i'm |we're |i am |always )?(?:happy|glad|pleased) (?:to|i could|we could|that i could) "
    r"(?:help|assist|be)|thanks?(?: you)?\b(?! for (?:the|letting|confirming|your (?:order|photo|address)))|(?:i (?:hope|wish) "
    r"you|we wish you|wishing you|have|hope you have) (?:an? |the )?\w+ \w+|enjoy (?:your|the)|good ?bye|bye|take care"
    r"|all the best|(?:best|kind|warm) (?:wishes|regards)|cheers|safe travels|is there anything else|(?:please )?(?:feel "
    r"free|do not hesitate|don't hesitate)|if (?:you need|there is|there's|you have) any(?:thing)?|(?:we're|i'm|i am) here|see you"
    r"|de nada|que tengas?|que tenga|gracias|hasta|saludos|un saludo|de rien|bonne|au revoir|merci|je vous en prie|avec plaisir"
    r"|à bientôt|gern geschehen|keine ursache|(?:einen )?schönen|auf wiedersehen|tschüss|vielen dank|danke|mit freundlichen"
    r"|tenha um|obrigad|até (?:logo|breve|à)|um abraço|nie ma za co|miłego|do widzenia|dziękuj|pozdraw"
    r"|どういたしまして|ありがとうござい|失礼いたします|失礼します|良い一日|よい一日)"
)
"""How a sentence begins that only closes; for lower-case text."""

WORD = re.compile(r"\w+(?:[-']\w+)*")
SENTENCE_END = re.compile(r"[.!?。！\n]+(?:\s|$)|[。！？]|\n")
NOT_LANGUAGE = re.compile(r"https?://\S+|\S{1,64}@\S+|\S*\d\S*|\b[A-Z][a-z]+(?:[ -][A-Z][a-z]+)+")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
OWN_LETTERS = {"en": "", "ja": "", "de": "äöüß", "es": "ñ¿¡", "fr": "èœùûî", "pl": "łąęśżźćń", "pt": "ãõ"}
"""The languages that can be told apart, each with letters that settle it."""

ENGLISH = frozenset(
    "the a an i i'm i've i'll i'd we we've we're you your you're it it's its is are was be been has have hasn't had can can't "
    "could will would shall not don't no to of in on at for with from by and or but so if that this there what which when how "
    "please sorry thank thanks order my me our us all as once still any more".split()
)


class Reply(NamedTuple):
    """One of the agent's messages, made ready for all checks."""

    turn: int
    text: str
    lower: str
    words: list[str]


Hits = list[tuple[int, str]]
"""The turns that show a fault, each with the words that show it."""


def read_manners(transcript: Transcript, run: Run) -> Iterator[Finding]:
    """Every finding about how the agent wrote; one each, and true is a fault."""
    replies = [_reply(index, turn) for index, turn in enumerate(transcript.turns) if turn.party == "agent"]
    yield _finding("leaked_reasoning", _each(replies, thinking_in), "thinks aloud", "no deliberation shows")
    yield _finding(
        "leaked_policy", policy_leaks(transcript, run, replies), "quotes the policy", "none quoted"
    )
    yield _finding(
        "leaked_notes", note_leaks(transcript, replies), "gives internal notes away", "no note told"
    )
    yield _finding("dumped", dumps(transcript, replies), "copies a tool result out", "no result copied out")
    yield _finding("blank_reply", blanks(transcript), "says nothing", "every reply has words")
    yield _finding("repeated_reply", repetitions(replies), "says the same again", "no reply comes again")
    yield _finding("goodbye_loop", goodbyes(replies), "only says goodbye, again", "no round of goodbyes")
    yield wrong_language(transcript, replies)


def word_count(transcript: Transcript) -> int:
    """How many words the agent wrote; where none are parted, two Japanese characters make one."""
    return sum(_length(turn.text) for turn in transcript.turns if turn.party == "agent")


def _length(text: str) -> int:
    if text.isascii() or not (characters := len(JAPANESE.findall(text))):
        return len(WORD.findall(text.replace("’", "'")))
    return len(WORD.findall(JAPANESE.sub(" ", text))) + (characters + 1) // 2


def _reply(index: int, turn: Turn) -> Reply:
    text = turn.text[:READ]
    lower = text.casefold().replace("’", "'")
    return Reply(index, text, lower, WORD.findall(lower))


def _each(replies: list[Reply], look: "Callable[[Reply], str]") -> Hits:  # noqa: F821
    return [(reply.turn, words) for reply in replies if (words := look(reply))]
