"""Chat: how one person types there. Short lines, several in a row, few full stops, numbers when asked.

An opening that was written as an e-mail is cut down to what it requests and discloses, using the common
reader: the policy learns the same facts from the same turn.
"""

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from supportagentbench.language.customer import PLAINLY, SENTENCE, CustomerWords
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief, Wish

LONG = 11
"""Number of words above which a line is split, if possible."""

GREETED = 0.45
"""The share of chats that begin with a greeting."""

GREETINGS = (
    "Hi.",
    "Hello.",
    "Hi there!",
    "Hey.",
    "Hi!",
    "Hello there.",
    "Good morning.",
    "Hello!",
    "Good afternoon.",
)

NAME = re.compile(r"(?<=[a-z,;] )[A-Z][\w'’-]+")
NUMBER = re.compile(r"\d[\d.,]*\d|\d|\S+@\S+")
GREETING = re.compile(
    r"(?:hi+|hiya|hey+|hello|dear|greetings|good (?:morning|afternoon|evening|day)|to whom|yo)\b",
    re.IGNORECASE,
)
PARTING = re.compile(
    r"(?:many |kind |best |warm(?:est)? |with |friendly )*"
    r"(?:thanks?|thaa+nks|regards|wishes|greetings|yours|cheers|sincerely|xx?)\b(?! you for)",
    re.IGNORECASE,
)
SIGNATURE = re.compile(r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,2}(?: x+)?")
JOINT = re.compile(r"(?<=[,;:–—])\s+|\s+(?=(?:and|but|so|because|since|although|which|while|if|when)\s)")
"""Where a sentence can be cut."""
BREATH = re.compile(
    r"[,;]?\s+(?=(?:and|but|so|because)\s)|(?<=[,;–—])\s+"
    r"(?=(?:i|i['’]?m|i['’]?ve|it|it['’]?s|we|they|he|she|there|that|this|the|my|you|can|could|no|not|just)\b)",
    re.IGNORECASE,
)
"""Where a person who types presses return."""
LOOSE_END = re.compile(
    r"^(?:(?:and|but|so|because|since|also|then|now|well|first|second)\b[,:]?\s+)+|[,;:–—\s]+$", re.I
)
BARE = re.compile(r"(?:[\w'’]+ ){1,4}?(?:is|under) (?P<value>\S*[#@\d].*|[A-Z]\w+ [A-Z]\S+, \S+@\S+?)\.?")
"""A sentence that gives one value and nothing else."""
PLEASE = re.compile(r",? please(?=[.!?,]|$)|^please (?=[a-z])| please(?= )", re.IGNORECASE)


class ChatOpening(NamedTuple):
    """The first message in a chat, and what an e-mail would have added."""

    text: str
    later: tuple[str, ...] = ()
    """Said with the next message."""
    wishes: tuple[Wish, ...] = ()
    """Those that were stated in a separate sentence."""


class ChatHabits:
    """How one person types."""

    def __init__(self, brief: Brief, rng: Random) -> None:
        self.rng = rng
        self.language = brief.language
        self.goods = brief.goods
        self.lowers = brief.manner == "curt" or rng.random() < 0.15
        self.plays_down = self.lowers or rng.random() < 0.6
        """Whether it writes the names of goods in small letters."""
        self.flows = rng.random() < 0.7
        """Whether it writes several sentences before it presses return."""
        self.sends_once = self.flows and rng.random() < 0.3
        """Whether everything it says in a turn is one message."""
        self.stops = rng.random() < 0.35
        """Whether it ends lines with a full stop."""
        self.omits = self.lowers and rng.random() < 0.25
        """Whether it leaves apostrophes out."""
        self.introduces = rng.random() < 0.55
        """Whether it gives its name as soon as it is asked for a number."""
        self.waits = rng.random() < 0.5
        """Whether it tells what happened and waits to be asked what it wants."""
        self.gap = "  " if rng.random() < 0.15 else " "
        """What it puts between two sentences."""
        self.commas = rng.random() < 0.45
        """Whether it sets commas."""
        self.pleads = rng.random() < 0.1
        """Whether it keeps its pleases."""

    def asked(self, text: str) -> list[str]:
        """A question that needs its question mark."""
        return [f"{line}?" if "?" not in line else line for line in self.typed(text)]

    def typed(self, text: str) -> list[str]:
        """The same words as lines of a chat; a request in plain words is one line."""
        if text.startswith(PLAINLY):
            return [self._cased(text.removeprefix(PLAINLY).rstrip("."))]
        lines = (line for sentence in self._together(text) for line in self._cut(sentence))
        return [line for line in map(self._line, lines) if re.search(r"\w", line)]

    def bare(self, says: str) -> str:
        """A value without the sentence around it, as most people give it."""
        found = BARE.fullmatch(says) if self.rng.random() < 0.8 else None
        return found["value"].replace(", ", ".\n") if found else says

    def opening(self, text: str, brief: Brief, subject: str, reader: Reader) -> ChatOpening:
        """The parts of an e-mail that the first message of a chat keeps."""
        noun = reader.vocabulary.subject
        sentences = list(_sentences(_unnumbered(text, subject, noun, brief.language), noun))
        chosen = _pith(sentences, brief, reader.customer, self.waits) if brief.language == "en" else None
        if chosen is None:
            return ChatOpening("\n".join(line for one in sentences for line in self.typed(one)))
        greeting = [self.rng.choice(GREETINGS)] if self.rng.random() < GREETED else []
        wishes = [_unnumbered(wish.says, subject, noun, brief.language) for wish in chosen.wishes]
        lines = self.joined([line for one in (*greeting, *chosen.says, *wishes) for line in self.typed(one)])
        later = tuple(one for one in sentences if one not in chosen.kept and _is_news(one, brief))
        return ChatOpening("\n".join(lines), later, chosen.wishes)

    def joined(self, lines: Sequence[str]) -> list[str]:
        """The lines, with some of few words put before the next one."""
        found: list[str] = []
        for line in lines:
            short = found and len(found[-1].split()) <= LONG // 2 and len(line.split()) <= LONG
            if (found and self.sends_once) or (short and self.rng.random() < (0.3 if self.flows else 0.1)):
                ended = found[-1][-1] in ".!?"
                lowered = line[:1].lower() + line[1:] if re.match(r"[A-Z][a-z]+ [a-z]", line) else line
                found[-1] += f"{self.gap}{line}" if ended else f", {lowered}"
            else:
                found.append(line)
        return found

    def _together(self, text: str) -> Iterator[str]:
        """Sentence by sentence; short ones often share a line."""
        line, room = "", 2 * LONG if self.flows else LONG // 2
        for sentence in filter(None, (one.strip() for one in SENTENCE.split(text))):
            if line and (len(f"{line} {sentence}".split()) > room or self.rng.random() < 0.2):
                yield line
                line = ""
            line = f"{line}{self.gap}{sentence}".strip()
        yield line

    def _cut(self, sentence: str) -> Iterator[str]:
        """A long sentence in pieces, unless it likes them long."""
        if self.flows:
            yield sentence
            return
        line = ""
        for piece in BREATH.split(sentence):
            if line and len(line.split()) >= LONG // 2 and len(piece.split()) > 2:
                yield line.rstrip(" ,;")
                line = re.sub(r"^and (?=\w)", "", piece, flags=re.IGNORECASE)
            else:
                line = f"{line} {piece}".strip()
        yield line

    def _line(self, line: str) -> str:
        line = line.strip() if self.pleads else PLEASE.sub("", line.strip())
        line = self._named(line)
        if not self.commas:
            line = re.sub(r"(?<=[a-z]),(?= [a-z])", "", line)
        line = re.sub(r"(?<=\d)[.,;]$", "", line)
        if self.rng.random() < 0.5:
            line = re.sub(r"(?<!!)!$", "", line)
        if not self.stops or self.rng.random() < 0.4:
            line = re.sub(r"(?<![.?!])[.,;]$", "", line)
        if line.endswith("?") and self.lowers and len(line.split()) > 3 and self.rng.random() < 0.3:
            line = line[:-1]
        return self._cased(line)

    def _named(self, line: str) -> str:
        """The line with goods as this person calls them; in full only where it could mean others."""
        for name in self.goods if self.plays_down else ():
            short = name if len(self.goods) > 1 else " ".join(re.sub(r" \d+$", "", name).split()[-2:])
            line = line.replace(name, short.lower())
        return line

    def _cased(self, line: str) -> str:
        """The line with capitals and apostrophes as this person sets them."""
        if self.language == "en" and self.lowers and not line.isupper():
            line = re.sub(r"\bI(?=\b|['’])", "i", line)
            line = line if re.match(r"[A-Z]\w+ [A-Z]|[A-Z]\S*[A-Z#@]", line) else line[:1].lower() + line[1:]
        elif line[:1].islower() and self.rng.random() < 0.8:
            line = line[:1].upper() + line[1:]
        return re.sub(r"(?<=[a-z])['’](?=[a-z])", "", line) if self.omits else line


class Pith(NamedTuple):
    """The sentences of an e-mail that a chat begins with, and how they are said there."""

    kept: tuple[str, ...]
    says: tuple[str, ...]
    wishes: tuple[Wish, ...]
    """Requests that the reader does not recognize, and so are made in the brief's sentence."""


def _sentences(text: str, noun: str) -> Iterator[str]:
    """Sentence by sentence, without greeting, signature and lead-ins to a number."""
    for sentence in filter(None, (one.strip() for one in SENTENCE.split(text))):
        words = len(sentence.split())
        greets = words <= 6 and GREETING.match(sentence) and "?" not in sentence
        empty = words <= 6 and re.fullmatch(rf"(?:[\w'’.]+:? ){{0,4}}my {noun}\W*", sentence, re.IGNORECASE)
        empty = empty or (words <= 7 and PARTING.match(sentence)) or SIGNATURE.fullmatch(sentence)
        if not (greets or empty):
            yield re.sub(rf"^(?:{GREETING.pattern})[\w ]{{0,20}}[,!]\s+", "", sentence, flags=re.IGNORECASE)


def _unnumbered(text: str, subject: str, noun: str, language: str) -> str:
    """The text without the number of what it is about, which the desk can ask for."""
    if language != "en":
        return text
    number = rf"#?\s?{re.escape(subject.lstrip('#'))}\b"
    label = rf"(?:{noun}(?:\s+(?:number|no\.?|nr\.?))?|number)"
    named = rf"(?:(?:my|the|our|this|that)\s+)?{label}(?:\s+is)?:?\s*{number}"
    text = re.sub(rf"\s*\((?:{named}|{number})\)", "", text, flags=re.IGNORECASE)
    alone = rf"(?:^|(?<=[.!?]\s)|(?<=\n))[^.!?\n,]{{0,24}}(?:{named}|{number})[.!]?(?=\s|$)"
    text = re.sub(alone, lambda one: "" if len(one[0].split()) <= 5 else one[0], text, flags=re.IGNORECASE)
    return re.sub(rf"{named}|{number}", f" my {noun}", text, flags=re.IGNORECASE).replace("  ", " ").strip()


def _pith(sentences: Sequence[str], brief: Brief, words: CustomerWords, waits: bool) -> Pith | None:
    """The parts that request or disclose something; nothing if they cannot be told from the rest."""
    whole = "\n".join(sentences)
    told, asked = words.disclosed(whole), words.requests(whole)
    if not brief.opening_discloses.items() <= told.items():
        return None
    kept: list[str] = []
    for sense in (*asked, *told.items()):
        kept += [one for one in sentences if sense in _sense_of(one, words)][:1]
    wishes = [wish for wish in brief.wishes if wish.raised == "opening" and wish.request not in asked]
    named = [at for at, one in enumerate(sentences) if any(name in one for name in brief.goods)]
    if wishes or not any(name in one for name in brief.goods for one in kept):
        first = named[0] if named else 0
        kept += _while_short(sentences[first : first + 1 + bool(wishes)], kept)
    ordered = tuple(one for one in dict.fromkeys(sentences) if one in kept)
    if waits and ordered and not asked:
        wishes = []
    says = [_shortened(one, brief, words) for one in ordered]
    if words.disclosed("\n".join([*says, *(wish.says for wish in wishes)])) != told:
        return None
    return Pith(ordered, tuple(says), tuple(wishes))


def _while_short(story: Sequence[str], kept: Sequence[str]) -> list[str]:
    """As much of a story as keeps the message short, at least the first sentence if there is nothing else."""
    room, told = 2 * LONG - sum(len(one.split()) for one in kept), list[str]()
    for sentence in story:
        if room > LONG // 2 or not (told or any(kept)):
            told.append(sentence)
            room -= min(LONG, len(sentence.split()))
    return told


def _sense_of(sentence: str, words: CustomerWords) -> set[object]:
    """The requests that it makes and the facts that it discloses."""
    return {*words.requests(sentence), *words.disclosed(sentence).items()}


def _shortened(sentence: str, brief: Brief, words: CustomerWords) -> str:
    """The sentence without the clauses that neither request nor disclose anything."""

    def sense(text: str) -> tuple[object, ...]:
        return words.requests(text), words.disclosed(text), [name for name in brief.goods if name in text]

    clauses, meant = JOINT.split(sentence), sense(sentence)
    while len(clauses) > 1 and sum(len(one.split()) for one in clauses) > LONG:
        shorter = next((one for one in (clauses[:-1], clauses[1:]) if sense(" ".join(one)) == meant), None)
        if shorter is None:
            break
        clauses = shorter
    short = LOOSE_END.sub("", " ".join(clauses))
    return re.sub(r"\s*\([^)]*$", "", short) + ("?" if sentence.endswith("?") and short[-1:] != "?" else "")


def _is_news(sentence: str, brief: Brief) -> bool:
    """Whether it holds a number or a name that the customer could not be asked for."""
    rest = " ".join([*(fact.says for fact in brief.facts), *brief.goods])
    values = NUMBER.findall(sentence) + NAME.findall(sentence)
    return len(sentence.split()) > LONG // 2 and any(value not in rest for value in values)
