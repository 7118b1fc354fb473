"""Reading: what an agent's English message says, as a closed set of observations code can act on.

A message becomes plain sentences. Each is searched for acts, and the words that lead up to an act
give its mood; only then is it decided what was offered and what was claimed as done.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Literal

from supportagentbench.language.lexicon import (
    ACTS,
    ASKS_LEAVE,
    ASKS_LEAVE_NEAR_ACT,
    BY_US,
    CLAIMED,
    CLAUSE,
    CONDITION,
    CUE,
    CUT_SHORT,
    FAREWELL,
    FINISHED,
    FULFILLED,
    LABEL,
    LONG_AGO,
    MONEY,
    NEWS,
    NO_REQUEST,
    NOT_TIMING,
    NOUN,
    OPEN_QUESTION,
    PERFECT,
    REFUSAL,
    REQUEST,
    THANKS,
    TOPICS,
    UNTOLD,
)
from supportagentbench.language.sentence import Sentence
from supportagentbench.language.spelling import in_full, sentences
from supportagentbench.records.case import Act, News, Topic
from supportagentbench.records.transcript import SpeechActs

Mood = Literal["done", "will", "can", "bare", "not", "moot"]
"""`bare`: a mention that only a question can turn into an offer; `moot`: nobody's deed here."""

COMMITMENT: tuple[Mood, ...] = ("done", "will", "can", "bare", "not", "moot")

LIMIT = 3_000
"""Characters read: nobody answers a longer message point by point, and junk must stay cheap."""

PIECE = 800
"""The longest sentence read as one."""


def hear(text: str) -> SpeechActs:
    """What the customer takes from this message."""
    asks: set[Topic] = set()
    tells: set[News] = set()
    acts: dict[Mood, set[Act]] = {mood: set() for mood in COMMITMENT}
    offers: set[Act] = set()
    claimed: set[Act] = set()
    refuses = farewell = listing = consent = loose = False
    for sentence in _sentences(text):
        moods = _moods(sentence)
        listed = listing and sentence.text.startswith("-")
        listing = listed or (sentence.text.endswith(":") and sentence.says(REQUEST))
        topics = _topics(sentence, listed)
        leave = sentence.says(ASKS_LEAVE) and not sentence.says(OPEN_QUESTION)
        if leave and moods and not sentence.says(PERFECT):
            # "Say the word and it is cancelled" claims nothing yet.
            moods = {act: "bare" if mood == "done" else mood for act, mood in moods.items()}
        proposed = _proposed(sentence, moods, topics, leave) if moods else set()
        if proposed:
            topics &= {"wish"}
        for act, mood in moods.items():
            waits = mood in ("will", "can") and (topics or sentence.says(CONDITION))
            acts["bare" if waits else mood].add(act)
        if moods and sentence.says(CLAIMED):
            claimed |= {act for act, mood in moods.items() if mood == "done"}
        offers |= proposed
        consent |= leave
        loose |= leave and not proposed and topics <= {"wish"}
        asks |= topics
        tells |= _news(sentence, moods, bool(proposed or topics))
        refuses = refuses or sentence.says(REFUSAL)
        farewell = farewell or sentence.says(FAREWELL)
    offers |= acts["can"]
    if loose:
        offers |= acts["will"] | acts["bare"]
    if consent:
        # Whoever asks for a go-ahead has done nothing yet, unless it says so outright.
        offers |= acts["done"] - claimed
        done = claimed | acts["will"] - offers
    else:
        done = acts["done"] | acts["will"] - offers
    offers -= done
    return SpeechActs(
        asks=tuple(sorted(asks)),
        offers=tuple(sorted(offers)),
        done=tuple(sorted(done)),
        tells=tuple(sorted(tells)),
        refuses=refuses,
        farewell=farewell and not asks and not offers,
        consent=consent or bool(offers),
    )


def _proposed(sentence: Sentence, moods: dict[Act, Mood], topics: set[Topic], leave: bool) -> set[Act]:
    """The acts this sentence itself asks leave for."""
    if sentence.says(MONEY) and not sentence.says(BY_US):
        return set()  # "A refund or a replacement?" asks for a wish, and proposes neither.
    if not leave and (topics - {"wish"} or not sentence.says(ASKS_LEAVE_NEAR_ACT)):
        return set()
    live = {act for act, mood in moods.items() if mood in ("will", "can", "bare")}
    # "I have not cancelled it yet, I want your OK first": what is held back is what is proposed.
    return live or {act for act, mood in moods.items() if mood == "not" and leave}


def _sentences(text: str) -> Iterator[Sentence]:
    """The message sentence by sentence."""
    for sentence in sentences(text[:LIMIT]):
        # Moods look back over the sentence, so one without an end is read in pieces.
        for at in range(0, len(sentence), PIECE):
            if piece := sentence[at : at + PIECE].strip():
                read = Sentence(piece)
                yield Sentence(in_full(piece)) if read.says(CUT_SHORT) else read


def _moods(sentence: Sentence) -> dict[Act, Mood]:
    """Every act the sentence speaks of, in its most committed mood."""
    moods: dict[Act, Mood] = {}
    if not (places := sentence.places(ACTS)):
        return moods
    taken: set[int] = set()
    for act, found in groupby(places, key=itemgetter(0)):
        # One verb, one act: what an earlier act has claimed is not read again.
        fresh = [match for _, match in found if match.start(1) not in taken]
        if fresh:
            taken.update(match.start(1) for match in fresh)
            heard = {_mood(sentence, match.start(1), match[1]) for match in fresh}
            moods[act] = min(heard, key=COMMITMENT.index)
    return moods


def _mood(sentence: Sentence, start: int, verb: str) -> Mood:
    """How the act is meant whose verb begins at `start`."""
    text = sentence.text
    begin = max((cut.end() for cut in CLAUSE.finditer(text, 0, start)), default=0)
    cues = [cue.lastgroup for cue in sentence.between(CUE, begin, start)]
    if "moot" in cues:
        return "moot"
    if "not" in cues:
        return "not"
    last = cues[-1] if cues else ""
    if NOUN.search(verb) and "wanted" not in cues:
        if " not " in text[start : start + 30]:
            return "not"
        if "hypothetical" not in cues and sentence.between(FULFILLED, begin):
            return "done"
        cues += [cue.lastgroup for cue in sentence.between(CUE, start)]
        return "will" if "will" in cues else "can" if "can" in cues else "bare"
    if "hypothetical" in cues:
        return "bare"
    if last == "will":
        return "will"
    if last == "can":
        return "can"
    if not FINISHED.search(verb) and last in ("", "attributive"):
        # A base form without a subject is a noun: "the address change has gone through".
        return "done" if FULFILLED.pattern.match(text, start + len(verb) + 1) else "bare"
    if not FINISHED.search(verb) or last in ("wanted", "attributive"):
        return "bare"
    if sentence.says(LONG_AGO):
        return "moot"
    opens = text[begin:start].strip(" -") in ("", "now")
    return "done" if last == "done" or opens or not verb.endswith("ing") else "bare"


def _topics(sentence: Sentence, listed: bool) -> set[Topic]:
    """What the sentence asks the customer about."""
    thanks = sentence.says(THANKS)
    body = Sentence(THANKS.pattern.sub("", sentence.text)) if thanks else sentence
    plain = body.text
    if body.says(NO_REQUEST):
        return set()
    if not (listed or "?" in plain or body.says(REQUEST)):
        return set()
    if body.says(REFUSAL) and not ("?" in plain or "please" in plain):
        return set()  # "That is why I can't send it" asks for no reason.
    topics = body.said(TOPICS)
    if body.says(MONEY) and "or" in plain.split():
        topics.add("wish")
    if "variant" in topics and "name" not in plain:
        topics -= {"wish", "item"}
    return topics


def _news(sentence: Sentence, moods: dict[Act, Mood], asking: bool) -> set[News]:
    """What the sentence lets the customer know."""
    if "?" in sentence.text or (sentence.text[0] == "-" and LABEL.fullmatch(sentence.text)):
        return set()
    news = sentence.said(NEWS)
    if not news:
        return news
    if "done" in moods.values() or sentence.says(UNTOLD):
        news.discard("status")
    if sentence.says(NOT_TIMING):
        news.discard("timing")
    if "done" in moods.values():
        news.discard("product")
    if sentence.says(REFUSAL):
        news.discard("returns")
    return news & {"status", "tracking"} if asking else news
