"""Reading: what an agent's English message says, as a closed set of observations code can act on.

A message becomes plain sentences. Each is searched for acts, and the words that lead up to an act
give its mood; only then is it decided what was offered and what was claimed as done.
"""

import re
from collections.abc import Iterator
from typing import Literal

from supportagentbench.case import Act, News, Topic
from supportagentbench.talk.lexicon import (
    ACTS,
    ASKS_LEAVE,
    ASKS_LEAVE_NEAR_ACT,
    BULLET,
    BY_US,
    CLAIMED,
    CLAUSE,
    CONDITION,
    CONTRACTED,
    CUE,
    DATA,
    EMOJI,
    ENDINGS,
    FAREWELL,
    FINISHED,
    FULFILLED,
    LONG_AGO,
    MONEY,
    NEWS,
    NO_REQUEST,
    NOISE,
    NOT_TIMING,
    NOUN,
    OPEN_QUESTION,
    PERFECT,
    PREFIX,
    REFUSAL,
    REQUEST,
    SENTENCE,
    SHORT,
    THANKS,
    TOPICS,
    TYPOGRAPHY,
    UNTOLD,
)
from supportagentbench.transcript import Heard

Mood = Literal["done", "will", "can", "bare", "not", "moot"]
"""`bare`: a mention that only a question can turn into an offer; `moot`: nobody's deed here."""

COMMITMENT: tuple[Mood, ...] = ("done", "will", "can", "bare", "not", "moot")

LIMIT = 3_000
"""Characters read: nobody answers a longer message point by point, and junk must stay cheap."""

PIECE = 800
"""The longest sentence read as one."""


def hear(text: str) -> Heard:
    """What the customer takes from this message."""
    asks: set[Topic] = set()
    tells: set[News] = set()
    acts: dict[Mood, set[Act]] = {mood: set() for mood in COMMITMENT}
    offers: set[Act] = set()
    claimed: set[Act] = set()
    refuses = farewell = listing = consent = loose = False
    for sentence in _sentences(text):
        moods = _moods(sentence)
        listed = listing and sentence.startswith("-")
        listing = listed or (sentence.endswith(":") and bool(REQUEST.search(sentence)))
        topics = _topics(sentence, listed)
        leave = bool(ASKS_LEAVE.search(sentence)) and not OPEN_QUESTION.search(sentence)
        if leave and not PERFECT.search(sentence):
            # "Say the word and it is cancelled" claims nothing yet.
            moods = {act: "bare" if mood == "done" else mood for act, mood in moods.items()}
        proposed = _proposed(sentence, moods, topics, leave)
        if proposed:
            topics &= {"wish"}
        for act, mood in moods.items():
            waits = mood in ("will", "can") and (topics or CONDITION.search(sentence))
            acts["bare" if waits else mood].add(act)
        if CLAIMED.search(sentence):
            claimed |= {act for act, mood in moods.items() if mood == "done"}
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
    if consent:
        # Whoever asks for a go-ahead has done nothing yet, unless it says so outright.
        offers |= acts["done"] - claimed
        done = claimed | acts["will"] - offers
    else:
        done = acts["done"] | acts["will"] - offers
    offers -= done
    return Heard(
        asks=tuple(sorted(asks)),
        offers=tuple(sorted(offers)),
        done=tuple(sorted(done)),
        tells=tuple(sorted(tells)),
        refuses=refuses,
        farewell=farewell and not asks and not offers,
        consent=consent or bool(offers),
    )


def _proposed(sentence: str, moods: dict[Act, Mood], topics: set[Topic], leave: bool) -> set[Act]:
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
    plain = DATA.sub(" ", plain)
    plain = BULLET.sub("- ", EMOJI.sub("\n", NOISE.sub(" ", plain)))
    plain = PREFIX.sub(r"\1", plain)
    plain = CONTRACTED.sub(lambda found: SHORT.get(found[0]) or ENDINGS[found[0]], plain)
    plain = re.sub(r"(?<=[a-z])-(?=[a-z])", " ", plain)
    plain = re.sub(r"[ \t]+", " ", plain)
    for sentence in SENTENCE.split(plain):
        # Moods look back over the sentence, so one without an end is read in pieces.
        for at in range(0, len(sentence), PIECE):
            if piece := sentence[at : at + PIECE].strip():
                yield piece


def _moods(sentence: str) -> dict[Act, Mood]:
    """Every act the sentence speaks of, in its most committed mood."""
    moods: dict[Act, Mood] = {}
    taken: set[int] = set()
    for act, patterns in ACTS.items():
        found = [match for pattern in patterns for match in pattern.finditer(sentence)]
        # One verb, one act: what an earlier act has claimed is not read again.
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
    last = cues[-1] if cues else ""
    if NOUN.search(verb) and "wanted" not in cues:
        if " not " in sentence[start : start + 30]:
            return "not"
        if "hypothetical" not in cues and FULFILLED.search(sentence, begin):
            return "done"
        cues += [cue.lastgroup for cue in CUE.finditer(sentence, start)]
        return "will" if "will" in cues else "can" if "can" in cues else "bare"
    if "hypothetical" in cues:
        return "bare"
    if last == "will":
        return "will"
    if last == "can":
        return "can"
    if not FINISHED.search(verb) and last in ("", "attributive"):
        # A base form without a subject is a noun: "the address change has gone through".
        return "done" if FULFILLED.match(sentence, start + len(verb) + 1) else "bare"
    if not FINISHED.search(verb) or last in ("wanted", "attributive"):
        return "bare"
    if LONG_AGO.search(sentence):
        return "moot"
    opens = before.strip(" -") in ("", "now")
    return "done" if last == "done" or opens or not verb.endswith("ing") else "bare"


def _topics(sentence: str, listed: bool) -> set[Topic]:
    """What the sentence asks the customer about."""
    body = THANKS.sub("", sentence)
    if NO_REQUEST.search(body):
        return set()
    if not (listed or "?" in body or REQUEST.search(body)):
        return set()
    if REFUSAL.search(body) and not re.search(r"\?|please", body):
        return set()  # "That is why I can't send it" asks for no reason.
    topics = {topic for topic, pattern in TOPICS.items() if pattern.search(body)}
    if "or" in body.split() and MONEY.search(body):
        topics.add("wish")
    if "variant" in topics and "name" not in body:
        topics -= {"wish", "item"}
    return topics


def _news(sentence: str, moods: dict[Act, Mood], asking: bool) -> set[News]:
    """What the sentence lets the customer know."""
    if "?" in sentence or re.fullmatch(r"-[\w ]+", sentence):
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
