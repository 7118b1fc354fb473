"""Style: how the agent wrote, and what it let slip that customers should not see.

Every finding quotes the words it is based on. A reply that can be read either way is not a fault.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from supportagentbench.checks.evidence import copies_in, holds_any
from supportagentbench.language.identify import language_of
from supportagentbench.records.finding import Finding
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.view import Views
from supportagentbench.records.vocabulary import Vocabulary

READ = 20_100
"""Characters of a reply that are read; the harness cuts replies before that."""

POLICY_RUN, POLICY_RUN_ACROSS, NOTE_RUN = 12, 20, 5
"""Consecutive words that make a copy: from one sentence of the policy, from several, from a note."""

LONG_REPLY, LONGEST_GOODBYE, SHORTEST_JUDGED = 60, 300, 4
"""Characters from which a repeat counts at once; characters of a goodbye; words that show a language."""

SILENT_ENDS = ("handed_over", "ticket_closed", "broke")
"""Endings whose turn needs no reply."""

TAGS = (
    "think|thinking|thought|reasoning|reflection|scratchpad|analysis|plan|email|reply|response|answer|final"
    "|output|message|assistant|system|user|customer|tool|tool_?(?:calls?|use|results?|response)|functions?"
    "|function_(?:calls?|results?)|(?:antml:)?(?:invoke|parameters?|function_calls)|arguments"
)
MARKUP = {
    ("<", "{", "[", "```"): rf"<(?:/?(?:{TAGS})(?=[\s>/=:]|$)|[|｜]\w|<sys>>)|\[/?(?:inst|tool_calls)\]"
    r'|```(?:tool|json|xml)|\{\s*"(?:name|tool|tool_name|function|action|arguments|parameters)"\s*:',
    ("to=functions.",): r"to=functions\.",
}
"""Machine markup in lower case, by strings of which at least one must occur."""
MARKUP_PATTERNS = tuple((signs, re.compile(words)) for signs, words in MARKUP.items())
CALL, CALL_SIGN = re.compile(r"(?<![\w/.@-])[a-z]++_[a-z_]+\("), re.compile(r"_[a-z_]+\(")

THINKING = {
    "the customer ": r"(?:^|[.!?:>*])\s{0,3}(?:ok(?:ay)?, |so,? |now,? )?the customer (?:is (?:asking"
    r"|requesting|saying|claiming|trying|threatening|complaining|upset|angry)|wants|asks|asked|says|said|claims)\b",
    "step by step": r"\blet(?:'s| me| us) (?:think|reason|work|go|analy[sz]e)[^.!?\n]{0,40}step by step",
    "language model": r"\bas an? [\w -]{0,30}language model",
    "according to": r"\baccording to (?:(?:the|our|my|this) )?(?:sops?\b|standard operating|(?:system )?"
    r"(?:prompt|instructions)\b|(?:policy|rule)s? (?:section|rule|no\.|number|[a-z]\d))",
    " sop": r"\b(?:the|our|per) sop\b",
    "system prompt": r"\b(?:my|the) system prompt\b",
    "i should": r"\b(?:so|thus|therefore),? i should (?:first |now |not )?"
    r"(?:look (?:it |this )?up|call|use|hand|escalate|refuse|decline|respond|reply)\b",
    " tool": r"\bi(?:'ll| should| need to| must| will) (?:now |first )?(?:call|use|invoke) [\w ]{0,30}\btool",
    ":": r"^[*#_ ]{0,4}(?:thoughts?|thinking|reasoning|analysis|chain[- ]of[- ]thought|scratchpad|observation"
    r"|action input|final answer|internal notes?)[*_ ]{0,3}:",
}
THINKING["the user "] = THINKING["the customer "].replace("customer", "user")
"""Deliberation in lower case, by a string that must occur in it."""
THINKING_PATTERNS = tuple((sign, re.compile(words, re.MULTILINE)) for sign, words in THINKING.items())

RULE_LINE = re.compile(r"^([A-Z]{1,3}\d{1,3})\. ", re.MULTILINE)
RULE_ID = re.compile(r"[A-Z](?<![A-Za-z0-9][A-Z])[A-Z]{0,2}[0-9]{1,3}(?![A-Za-z0-9_-])")
RULE_BEFORE = re.compile(
    r"(?:\b(?:rules?|section|policy|clause|article|paragraph|per|see|under|regla|règle|regel|regra|reguł\w"
    r"|zasad\w)[ :#]{1,2}|(?:ルール|規則|規定)\s?|[(\[]\s?)$",
    re.IGNORECASE,
)
RULE_AFTER = re.compile(r" (?:says|states|requires|applies|forbids|allows|of (?:the|our) policy)\b")

TELLTALE = re.compile(
    r"\b(?:flag(?:ged|s)?|fraud(?:[ -](?:watch|risk|alert|suspect))?|watch[- ]?list|black[- ]?list(?:ed)?"
    r"|abus\w+|suspicious|suspected|claims history|history of claims"
    r"|(?:serial|repeat|frequent) (?:claim|return|refund)\w*)\b"
)
"""What notes say about customers and agents must not say to them."""

CLOSING = re.compile(
    r"\W*(?:(?:oh|sure|perfect|great|wonderful|lovely|okay|alright),? )?(?:you(?:'re| are) (?:\w+ )?welcome"
    r"|my pleasure|no problem|anytime|(?:i'm |we're |i am |always )?(?:happy|glad|pleased) "
    r"(?:to|(?:that )?(?:i|we) could) (?:help|assist)|thank|(?:i|we) (?:hope|wish) you |wishing you "
    r"|have an? |enjoy |hope you have |good ?bye|bye|take care|all the best|cheers|safe travels"
    r"|(?:best|kind|warm) (?:wishes|regards)|is there anything else"
    r"|(?:please )?(?:feel free|(?:do not|don't) hesitate)"
    r"|if (?:you need|there is|there's|you have) any|(?:we're|i'm|i am) here|see you"
    r"|de nada|que teng|gracias|hasta|saludos|un saludo|de rien|bonne|au revoir|merci|je vous en prie"
    r"|avec plaisir|à bientôt|gern geschehen|keine ursache|(?:einen )?schönen|auf wiedersehen|tschüss"
    r"|vielen dank|danke|mit freundlichen|tenha um|obrigad|até |um abraço|nie ma za co|miłego|do widzenia"
    r"|dziękuj|pozdraw|どういたしまして|ありがとうござい|失礼|良い一日|よい一日)"
)
"""How sentences begin that only close a conversation."""
MATTER = re.compile(
    r"\d|\b(?:(?:may|can|could) i (?:also )?(?:have|get|ask)|do you (?:have|happen|know)|one moment"
    r"|i've|we've|can't|cannot|could you|order|photo|refund|return|address|parcel|track|cancel|ship"
    r"|send|sent|replac|pedid|encomend|commande|bestell|zamówi|adress|adres|direcc|morada|n[uú]m[eé]r|nummer"
    r"|foto)|注文"
)
"""Content that shows that a reply is more than a goodbye."""

WORD = re.compile(r"\w+(?:[-']\w+)*")
SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
POLICY_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n(?=[\n#])")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
NOT_LANGUAGE = (
    (re.compile("://"), re.compile(r"https?://\S+")),
    (re.compile("@"), re.compile(r"\S{1,64}@\S+")),
    (re.compile(r"\d"), re.compile(r"[^\s\d]{0,32}+\d\S*")),
    (re.compile("[A-Z]"), re.compile(r"[A-Z](?<!\w[A-Z])[a-z]+(?:[ -][A-Z][a-z]+)+")),
)
"""Addresses, numbers and names, the same in every language; each after a sign that must occur in it."""
OWN_LETTERS = {"en": "", "ja": "", "de": "äöüß", "es": "ñ¿¡", "fr": "èœùûî", "pl": "łąęśżźćń", "pt": "ãõ"}
"""The languages that are recognized, each with letters that identify it."""
EASILY_MIXED_UP = frozenset(("es", "fr", "pt"))
"""Languages that share too many common words to be recognized by them alone."""
COMMON_ENGLISH = """
the a an i i'm i've i'll i'd we we've we're you your you're it it's its is are was be been has have hasn't had
can can't could will would shall not don't no to of in on at for with from by and or but so if that this there
what which when how please sorry thank thanks order my me our us all as once still any more
"""
ENGLISH = frozenset(COMMON_ENGLISH.split())

Hits = list[tuple[int, str]]
"""The turns with a fault, each with the words that show it."""


class ReplyText(NamedTuple):
    """One message of the agent, prepared for all checks."""

    turn: int
    text: str
    lower: str
    words: tuple[str, ...]


class PolicyText(NamedTuple):
    """What gives the policy away: its rule ids, and its runs of words within a sentence and anywhere."""

    ids: frozenset[str]
    sentences: frozenset[tuple[str, ...]]
    anywhere: frozenset[tuple[str, ...]]


class DeskWords(NamedTuple):
    """The names of the desk's tools and of the shop."""

    tools: tuple[str, ...]
    tool_name: re.Pattern[str]
    signature: re.Pattern[str]
    """How sentences begin that only sign a message."""


def read_style(transcript: Transcript, run: Run) -> Iterator[Finding]:
    """Every finding about how the agent wrote: one per check, and true is a fault."""
    replies = [
        ReplyText(at, *_read(turn.text)) for at, turn in enumerate(transcript.turns) if turn.party == "agent"
    ]
    desk = _desk_words(run.vocabulary)
    yield _finding("leaked_reasoning", _each(replies, lambda reply: thinking_in(reply, desk)), "thinks aloud")
    yield _finding("leaked_policy", policy_leaks(transcript, run.policy, replies), "quotes the policy")
    yield _finding(
        "leaked_notes",
        note_leaks(transcript, run.vocabulary.views, replies),
        "repeats what only internal notes say",
    )
    copied = copies_in(transcript)
    yield _finding("dumped", list(copied.items()), "pastes a tool result")
    yield _finding("blank_reply", blanks(transcript), "sends an empty reply")
    yield _finding("repeated_reply", repetitions(replies), "repeats the same reply")
    yield _finding("goodbye_loop", goodbyes(replies, desk), "says goodbye again and again")
    yield wrong_language(transcript, [reply for reply in replies if reply.turn not in copied])


@lru_cache(maxsize=8)
def _words_of_desk(tools: tuple[str, ...], shop: str) -> DeskWords:
    names = "|".join(rf"{name}(?<![\w/.@-]{name})(?![\w@-])" for name in map(re.escape, tools)) or "(?!)"
    return DeskWords(
        tools=tools,
        tool_name=re.compile(names),
        signature=re.compile(rf"\W*(?:the |your )?{re.escape(shop.lower())}" if shop else "(?!)"),
    )


def _desk_words(vocabulary: Vocabulary) -> DeskWords:
    tools = (*vocabulary.lookups, *vocabulary.by_act)
    return _words_of_desk(tuple(name for name in tools if "_" in name), vocabulary.shop)


def word_count(transcript: Transcript) -> int:
    """How many words the agent wrote."""
    said = (turn.text for turn in transcript.turns if turn.party == "agent")
    return sum(
        len(_read(text)[2]) if text.isascii() and len(text) <= READ else _length(text) for text in said
    )


def thinking_in(reply: ReplyText, desk: DeskWords) -> str:
    """Markup, a tool's name or deliberation in a reply."""
    found, lower = None, reply.lower
    for signs, pattern in (*MARKUP_PATTERNS, (desk.tools, desk.tool_name)):
        if holds_any(lower, signs):
            found = found or pattern.search(lower)
    if found or (CALL_SIGN.search(lower) and (found := CALL.search(lower))):
        words = reply.text if len(reply.text) == len(lower) else lower
        return words[found.start() : found.end() + 30]
    for sign, pattern in THINKING_PATTERNS:
        if sign in reply.lower and (found := pattern.search(reply.lower)):
            return found[0]
    return ""


def policy_leaks(transcript: Transcript, policy: str, replies: list[ReplyText]) -> Hits:
    """Rule ids used as such, and long passages of the policy, unless the customer used them first."""
    known = _policy_text(policy)
    return _each(replies, lambda reply: _rule_in(reply, known, transcript) or _rote(reply, known, transcript))


@lru_cache(maxsize=8)
def _policy_text(policy: str) -> PolicyText:
    lower = _lower(policy)
    sentences = [_runs(WORD.findall(one), POLICY_RUN) for one in POLICY_SENTENCE_END.split(lower)]
    return PolicyText(
        ids=frozenset(RULE_LINE.findall(policy)),
        sentences=frozenset(run for runs in sentences for run in runs),
        anywhere=frozenset(_runs(WORD.findall(lower), POLICY_RUN)),
    )


def _rule_in(reply: ReplyText, policy: PolicyText, transcript: Transcript) -> str:
    ids = (found for found in RULE_ID.finditer(reply.text) if found[0] in policy.ids)
    used = {found[0]: found for found in ids if _means_a_rule(found)}
    own = set(_heard(transcript)) if used else set()
    named = (found.span() for rule, found in used.items() if rule.casefold() not in own)
    return next((_around(reply.text, start, end) for start, end in named), "")


def _around(text: str, start: int, end: int) -> str:
    """The words before and after a place, whole."""
    first = text.rfind(" ", 0, max(0, start - 15)) + 1
    last = text.find(" ", end + 15)
    return text[first : last if last >= 0 else len(text)]


def _means_a_rule(found: re.Match[str]) -> bool:
    """Whether an id is used as one, and is not a flat number or a size."""
    before = found.string[max(0, found.start() - 16) : found.start()]
    alone = not before or before[-1].isspace()
    return bool(RULE_BEFORE.search(before) or (alone and RULE_AFTER.match(found.string, found.end())))


def _rote(reply: ReplyText, policy: PolicyText, transcript: Transcript) -> str:
    """Words copied from the policy; short sentences only if there are several in a row."""
    if len(reply.words) < POLICY_RUN or policy.anywhere.isdisjoint(_runs(reply.words, POLICY_RUN)):
        return ""
    own, streak = set(_runs(_heard(transcript), POLICY_RUN)), 0
    for run in _runs(reply.words, POLICY_RUN):
        streak = streak + 1 if run in policy.anywhere and run not in own else 0
        if streak and (run in policy.sentences or streak > POLICY_RUN_ACROSS - POLICY_RUN):
            return " ".join(run)
    return ""


def note_leaks(transcript: Transcript, views: Views, replies: list[ReplyText]) -> Hits:
    """Words of the internal notes, unless the customer used them first."""
    notes = [_lower(note) for note in _internal_notes(transcript, views)]
    if not notes:
        return []
    heard = _heard(transcript)
    telling = set(TELLTALE.findall("\n".join(notes))) - set(TELLTALE.findall(" ".join(heard)))
    copied: set[tuple[str, ...]] = set()
    for words in filter(None, map(WORD.findall, notes)):
        length = min(NOTE_RUN, len(words))
        copied |= set(_runs(words, length)) - set(_runs(heard, length))
    lengths = {len(run) for run in copied}

    def told(reply: ReplyText) -> str:
        runs = (" ".join(run) for size in lengths for run in _runs(reply.words, size) if run in copied)
        return next(runs, "") or next((word for word in TELLTALE.findall(reply.lower) if word in telling), "")

    return _each(replies, told)


def _internal_notes(transcript: Transcript, views: Views) -> Iterator[str]:
    if notes := views.notes:
        calls = (call for turn in transcript.turns for call in turn.calls if call.tool == notes.tool)
        for result in {call.result.text: call.result for call in calls}.values():
            yield from notes.read(result.facts)


def blanks(transcript: Transcript) -> Hits:
    """Turns without a visible character, except one that ended the conversation with a call."""
    last = len(transcript.turns) - 1 if transcript.ending.kind in SILENT_ENDS else -1
    spoken = [(at, turn) for at, turn in enumerate(transcript.turns) if turn.party == "agent" and at != last]
    return [(at, "") for at, turn in spoken if not any(one.isprintable() and one != " " for one in turn.text)]


def repetitions(replies: list[ReplyText]) -> Hits:
    """Replies sent three times, or twice in a row if they are long."""
    numbers: dict[tuple[str, ...], int] = {}
    distinct = {reply.text: reply.words for reply in replies}
    said = {text: numbers.setdefault(words, len(numbers)) for text, words in distinct.items()}
    times = Counter(said[reply.text] for reply in replies)
    again = {number for number, count in times.items() if count > 2}
    for one, other in pairwise(replies):
        number = said[one.text]
        if number == said[other.text] and number not in again and len(" ".join(one.words)) > LONG_REPLY:
            again.add(number)
    return [(reply.turn, reply.text) for reply in replies if reply.words and said[reply.text] in again]


def goodbyes(replies: list[ReplyText], desk: DeskWords) -> Hits:
    """Replies that only say goodbye, one after the other, while the customer kept writing."""
    closing = [_is_goodbye(reply, desk) for reply in replies]
    beside = zip([False, *closing], closing, [*closing[1:], False], strict=False)
    return [
        (reply.turn, reply.text)
        for reply, (before, now, after) in zip(replies, beside, strict=True)
        if now and (before or after)
    ]


def _is_goodbye(reply: ReplyText, desk: DeskWords) -> bool:
    if not reply.words or len(reply.lower) > LONGEST_GOODBYE or MATTER.search(reply.lower):
        return False
    said = [one for one in SENTENCE_END.split(reply.lower) if WORD.search(one)]
    return all(CLOSING.match(one) or desk.signature.match(one) for one in said)


def wrong_language(transcript: Transcript, replies: list[ReplyText]) -> Finding:
    """Whether most replies are not in the customer's language; pasted records have no language."""
    if transcript.language not in OWN_LETTERS:
        return Finding("wrong_language", None, f"cannot recognize {transcript.language}")
    distinct = {reply.text: reply for reply in replies}
    strange = {text: _is_foreign(reply, transcript.language) for text, reply in distinct.items()}
    foreign = [(reply.turn, reply.text) for reply in replies if strange[reply.text]]
    if 2 * len(foreign) > sum(strange[reply.text] is not None for reply in replies):
        return _finding("wrong_language", foreign, f"most replies are not in {transcript.language}")
    return Finding(
        "wrong_language", False, f"the replies are in {transcript.language}, as far as one can tell"
    )


def _is_foreign(reply: ReplyText, home: str) -> bool | None:
    """Whether a reply is clearly in another language; None if it is too short to say."""
    english = sum(map(ENGLISH.__contains__, reply.words))
    if home == "en" and len(reply.words) >= SHORTEST_JUDGED and 8 * english >= len(reply.words):
        return False
    text = reply.text
    for sign, pattern in NOT_LANGUAGE:
        text = pattern.sub(" ", text) if sign.search(text) else text
    if (length := _length(text)) < SHORTEST_JUDGED:
        return None
    japanese = 0 if text.isascii() else len(JAPANESE.findall(text))
    if home == "ja" or (japanese and 2 * japanese > sum(map(str.isalpha, text))):
        return home != "ja" or not japanese
    if any(letter in reply.lower for letter in OWN_LETTERS[home]):
        return False
    found = language_of((JAPANESE.sub(" ", text) if japanese else text)[:2000])
    if found == "en":
        return home != "en" and 5 * english >= length
    if {found, home} <= EASILY_MIXED_UP:
        return found != home and any(letter in reply.lower for letter in OWN_LETTERS[found])
    return found != home


def _finding(check: str, hits: Hits, fault: str) -> Finding:
    if not hits:
        return Finding(check, False, f"no reply {fault}")
    quote = " ".join("".join(one if one.isprintable() else " " for one in hits[0][1][:80]).split())
    reason = f'{fault}: "{quote}"' if quote else fault
    return Finding(check, True, reason, tuple(turn for turn, _ in hits), quote=quote)


def _each(replies: list[ReplyText], look: Callable[[ReplyText], str]) -> Hits:
    """What is found in each reply; equal replies are read once."""
    seen: dict[str, str] = {}
    for reply in replies:
        if reply.text not in seen:
            seen[reply.text] = look(reply)
    return [(reply.turn, words) for reply in replies if (words := seen[reply.text])]


@lru_cache(maxsize=32)
def _read(text: str) -> tuple[str, str, tuple[str, ...]]:
    """A text as far as it is read, the same in lower case, and its words."""
    lower = _lower(text[:READ])
    return text[:READ], lower, _words(lower)


def _words(lower: str) -> tuple[str, ...]:
    lines = lower.split("\n")
    return _line_words(lower) if len(lines) == 1 else tuple(chain.from_iterable(map(_line_words, lines)))


@lru_cache(maxsize=64)
def _line_words(line: str) -> tuple[str, ...]:
    """The words of a line. Cached, because the same lines are often pasted."""
    return tuple(WORD.findall(line))


def _heard(transcript: Transcript) -> tuple[str, ...]:
    """The customer's words."""
    return _words(_lower("\n".join(turn.text for turn in transcript.turns if turn.party == "customer")))


def _lower(text: str) -> str:
    return text.casefold().replace("’", "'")


def _runs(words: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    """Every run of this many consecutive words."""
    return zip(*(words[start:] for start in range(length)), strict=False)


def _length(text: str) -> int:
    """The number of words; two Japanese characters, which have no spaces, make one."""
    text = text.replace("’", "'")
    japanese = 0 if text.isascii() else len(JAPANESE.findall(text))
    return len(WORD.findall(JAPANESE.sub(" ", text) if japanese else text)) + (japanese + 1) // 2
