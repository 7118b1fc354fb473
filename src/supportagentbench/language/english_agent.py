"""An agent's English: what each sentence of a message says.

A message becomes plain sentences. Each is searched for acts, and the words that lead up to an act give its
mood; from that follows what the sentence offers, reports, asks and tells. Both degrees of strictness use
the same mentions of acts: strictly, a mention counts only if it says who did it or that it is done, and if
nothing around it makes that depend on something.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from re import Match
from typing import Literal, NamedTuple

from supportagentbench.language import english
from supportagentbench.language.english import MoodGrammar
from supportagentbench.language.notation import Mark, Wording, patterns, wordings
from supportagentbench.language.sentence import Sentence, TableIndex, TableShelf, WordingTable
from supportagentbench.language.speech_act import COMMITMENT, Mood, SpeechAct, Understood
from supportagentbench.language.spelling import in_full, quoted, sentences
from supportagentbench.records.vocabulary import HAND_OVER, WISH, Heard, Subject, Verb, Vocabulary

LANGUAGE = "en"

LIMIT = 3_000
"""Characters that are read: people do not answer longer messages point by point, and junk must stay cheap."""

SAID_AGAIN = 4096
"""Sentences whose reading is remembered: much of what an agent writes, it writes again."""

Agency = Literal["i", "we", ""]

ActShelf = TableShelf[tuple[str, Wording]]
"""Tables by act and wording."""


class Mention(NamedTuple):
    """A place where a sentence mentions an act."""

    act: str
    match: Match[str]
    mood: Mood
    mark: Mark


class ReadSentence(NamedTuple):
    """A sentence in plain spelling, and what it says by itself."""

    text: str
    understood: Understood
    """Shared by all messages with this sentence: nobody changes it."""
    begins_list: bool
    """Whether the items of a list that follow are asked for."""


class EnglishAgent:
    """Reads agents' messages in English, with one world's words."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._index = TableIndex()
        self._grammar = english.EnglishGrammar(self._index)
        self._acts = _act_shelf(self._index, vocabulary.verbs, "", "maybe")
        self._topics = _subject_shelf(self._index, vocabulary.topics)
        self._over = {topic.name: set(topic.over) for topic in vocabulary.topics if topic.over}
        self._news = _subject_shelf(self._index, vocabulary.news)
        self._excluded = {
            one.name: (one.never_with, _table(self._index, one.unless)) for one in vocabulary.news
        }
        self._strict_index = TableIndex()
        """Strict reading only needs acts and states; with separate tables it does not search the others."""
        self._strict_grammar = english.MoodGrammar(self._strict_index)
        self._countable = _act_shelf(
            self._strict_index, (*vocabulary.verbs, *vocabulary.beyond), "", "maybe", "claim"
        )
        self._loose = _act_shelf(self._strict_index, vocabulary.verbs, "loose")
        self._states = _subject_shelf(self._strict_index, vocabulary.states)
        self._elsewhere = {one.name: _table(self._strict_index, one.unless) for one in vocabulary.states}
        self._alone = lru_cache(SAID_AGAIN)(self._read_alone)

    # What a person understands.

    def understand(self, message: str) -> Understood:
        """What all sentences together say."""
        whole = Understood()
        for one in self.by_sentence(message):
            whole.add(one.understood)
        return whole

    def by_sentence(self, message: str) -> list[ReadSentence]:
        """Each sentence, and what it says by itself or as an item of a list that was asked for."""
        found: list[ReadSentence] = []
        listing = False
        for text, _, _ in sentences(message[:LIMIT]):
            listed = listing and text.startswith("-")
            found.append(self._alone(text, listed))
            listing = listed or found[-1].begins_list
        return found

    def _read_alone(self, text: str, listed: bool) -> ReadSentence:
        sentence = _read(text, self._index, self._grammar)
        begins_list = sentence.text.endswith(":") and sentence.says(self._grammar.request)
        return ReadSentence(sentence.text, self._understood(sentence, listed), begins_list)

    def _understood(self, sentence: Sentence, listed: bool) -> Understood:
        """What one sentence says."""
        whole = Understood()
        grammar, says = self._grammar, sentence.says
        topics = self._asked(sentence, listed)
        leave = says(grammar.asks_leave) and not says(grammar.open_question)
        done = proposed = False
        if mentions := _mentions(sentence, self._acts, grammar):
            moods = _most_committed(mentions)
            whole.mentioned.update(moods)
            if leave and not says(grammar.perfect):
                # "Say the word and it is cancelled" claims nothing yet.
                moods = {act: "bare" if mood == "done" else mood for act, mood in moods.items()}
            if offered := self._proposed(sentence, moods, topics, leave):
                proposed = True
                topics &= {WISH}
                whole.offers |= offered
            if topics or says(grammar.condition):
                moods = {act: "bare" if mood in ("will", "can") else mood for act, mood in moods.items()}
            done = "done" in moods.values()
            if done and says(grammar.claimed):
                whole.claimed.update(act for act, mood in moods.items() if mood == "done")
            whole.note(moods)
        whole.tells = self._told(sentence, done, proposed or bool(topics))
        whole.asks = topics
        whole.leave = leave
        whole.loose = leave and not proposed and topics <= {WISH}
        whole.refuses = says(grammar.refusal)
        whole.farewell = says(grammar.farewell)
        return whole

    def _proposed(
        self, sentence: Sentence, moods: dict[str, Mood], topics: set[str], leave: bool
    ) -> set[str]:
        """The acts that this sentence asks permission for."""
        grammar = self._grammar
        if sentence.says(grammar.money) and not sentence.says(grammar.by_us):
            return set()  # "A refund or a replacement?" asks for a wish, and proposes neither.
        if not leave and (topics - {WISH} or not sentence.says(grammar.asks_leave_near_act)):
            return set()
        live = {act for act, mood in moods.items() if mood in ("will", "can", "bare")}
        # "I have not cancelled it yet, I want your OK first": what is kept back is what is proposed.
        return live or {act for act, mood in moods.items() if mood == "not" and leave}

    def _asked(self, sentence: Sentence, listed: bool) -> set[str]:
        """What the sentence asks the customer about."""
        grammar = self._grammar
        if sentence.says(grammar.thanks):
            sentence = self._index.sentence(grammar.thanks.pattern.sub("", sentence.text))
        plain = sentence.text
        if sentence.says(grammar.no_request):
            return set()
        if not (listed or "?" in plain or sentence.says(grammar.request)):
            return set()
        if sentence.says(grammar.refusal) and not ("?" in plain or "please" in plain):
            return set()  # "That is why I can't send it" asks for no reason.
        topics = sentence.said(self._topics)
        if not topics and " or " not in plain:
            return topics
        if sentence.says(grammar.money) and "or" in plain.split():
            topics.add(WISH)
        for topic, others in self._over.items():
            if topic in topics and "name" not in plain:
                topics -= others
        return topics

    def _told(self, sentence: Sentence, done: bool, asking: bool) -> set[str]:
        """What the sentence lets the customer know."""
        if "?" in sentence.text or (sentence.text[0] == "-" and english.LABEL.fullmatch(sentence.text)):
            return set()
        told = sentence.said(self._news)
        return {news for news in told if self._is_meant(news, sentence, done, asking)} if told else told

    def _is_meant(self, news: str, sentence: Sentence, done: bool, asking: bool) -> bool:
        never_with, unless = self._excluded[news]
        if (done and "done" in never_with) or (asking and "question" in never_with):
            return False
        if "refusal" in never_with and sentence.says(self._grammar.refusal):
            return False
        return unless is None or not sentence.says(unless)

    def named(self, message: str) -> frozenset[str]:
        """The acts that a message mentions, in any mood."""
        return frozenset(act for text, _, _ in sentences(message) for act in self._named_in(text))

    def allowed(self, message: str) -> frozenset[str]:
        """The acts that a customer permits explicitly and without conditions."""
        return frozenset(
            act
            for text, _, _ in sentences(message)
            if english.GO_AHEAD.search(text) and not english.RESERVE.search(text)
            for act in self._named_in(text)
        )

    def _named_in(self, text: str) -> set[str]:
        sentence = _read(text, self._strict_index, self._strict_grammar)
        return {act for shelf in (self._countable, self._loose) for (act, _), _ in sentence.places(shelf)}

    # What may be counted on.

    def sure(self, message: str) -> Iterator[SpeechAct]:
        """What the message says beyond doubt: acts done or handed over, how a record is, rules by value."""
        for text, start, end in sentences(message):
            sentence, whole = _read(text, self._strict_index, self._strict_grammar), message[start:end]
            yield from self._reports(sentence, whole)
            for state, match in sentence.places(self._states):
                if stop := self._stated(state, match):
                    words = quoted(whole, match.start(), stop)
                    yield SpeechAct("states", state, quote=words, sentence=whole)
            if _makes_rule(sentence.text):
                yield SpeechAct("rules", quote=whole.strip(), sentence=whole)

    def _reports(self, sentence: Sentence, whole: str) -> Iterator[SpeechAct]:
        for mention in _mentions(sentence, self._countable, self._strict_grammar):
            by = _agency(mention, sentence.text) if mention.mark != "maybe" else None
            if by is not None:
                start, end = mention.match.span()
                begin = _clause_start(sentence.text, min(start, mention.match.start(1)))
                words = quoted(whole, begin, _clause_end(sentence.text, end))
                yield SpeechAct("done", mention.act, mention.mood, words, whole, by)
        if (found := english.ALL_DONE.match(sentence.text)) and "?" not in sentence.text:
            yield SpeechAct("done", "", "done", quoted(whole, 0, found.end()), whole)

    def _stated(self, state: str, match: Match[str]) -> int:
        """Where the words that state a record's condition end; 0 if they deny it or make it conditional."""
        text, (start, end) = match.string, match.span()
        begin, stop = _clause_start(text, start), _clause_end(text, end)
        unless = self._elsewhere[state]
        if (
            (english.UNREAL.search(text, begin, start) and not state.startswith("not"))
            or (unless and unless.pattern.search(text, begin, stop))
            or english.DEPENDS.search(text, 0, start)
            or "?" in text[end:]
            or english.LATER_CONDITION.search(text, end, stop)
        ):
            return 0
        return stop


def _read(text: str, index: TableIndex, grammar: MoodGrammar) -> Sentence:
    """A sentence on one index, without words cut short."""
    read = index.sentence(text)
    return index.sentence(in_full(text)) if read.says(grammar.cut_short) else read


# Where acts are spoken of, and how they are meant.


def _mentions(sentence: Sentence, shelf: ActShelf, grammar: MoodGrammar) -> list[Mention]:
    """Every place where a sentence mentions an act. One verb, one act: none is read twice."""
    found: list[Mention] = []
    if not (places := sentence.places(shelf)):
        return found
    taken: set[int] = set()
    for act, group in groupby(places, key=lambda place: place[0][0]):
        fresh = [(one, match) for (_, one), match in group if match.start(1) not in taken]
        taken.update(match.start(1) for _, match in fresh)
        found += [
            Mention(act, match, _mood(sentence, match.start(1), match[1], grammar), one.mark)
            for one, match in fresh
        ]
    return found


def _mood(sentence: Sentence, start: int, verb: str, grammar: MoodGrammar) -> Mood:
    """How the act is meant whose verb begins at `start`."""
    text = sentence.text
    begin = max((cut.end() for cut in english.CLAUSE.finditer(text, 0, start)), default=0)
    cues = [cue.lastgroup for cue in sentence.between(grammar.cue, begin, start)]
    if "moot" in cues:
        return "moot"
    if "not" in cues:
        return "not"
    last = cues[-1] if cues else ""
    if english.NOUN.search(verb) and "wanted" not in cues:
        return _mood_of_noun(sentence, start, begin, cues, grammar)
    if "hypothetical" in cues:
        return "bare"
    if last == "will":
        return "will"
    if last == "can":
        return "can"
    finished = english.FINISHED.search(verb)
    if not finished and last in ("", "attributive"):
        # A base form without a subject is a noun: "the address change has gone through".
        return "done" if grammar.fulfilled.pattern.match(text, start + len(verb) + 1) else "bare"
    if not finished or last in ("wanted", "attributive"):
        return "bare"
    if sentence.says(grammar.long_ago):
        return "moot"
    opens = text[begin:start].strip(" -") in ("", "now")
    return "done" if last == "done" or opens or not verb.endswith("ing") else "bare"


def _mood_of_noun(
    sentence: Sentence, start: int, begin: int, cues: list[str | None], grammar: MoodGrammar
) -> Mood:
    if " not " in sentence.text[start : start + 30]:
        return "not"
    if "hypothetical" not in cues and sentence.between(grammar.fulfilled, begin):
        return "done"
    both = cues + [cue.lastgroup for cue in sentence.between(grammar.cue, start)]
    return "will" if "will" in both else "can" if "can" in both else "bare"


def _act_shelf(index: TableIndex, verbs: tuple[Verb, ...], *marks: Mark) -> ActShelf:
    """A separate table for each wording with one of these marks."""
    return TableShelf(
        {
            (verb.act, one): [
                index.table([one.pattern], sign=">" if " > " in one.pattern else "", is_shops=True)
            ]
            for verb in verbs
            for one in wordings(verb.heard.get(LANGUAGE, ()))
            if one.mark in marks
        }
    )


def _subject_shelf(index: TableIndex, subjects: tuple[Subject, ...]) -> TableShelf[str]:
    """One table for each subject."""
    tables = {one.name: _table(index, one.heard) for one in subjects}
    return TableShelf({name: [table] for name, table in tables.items() if table})


def _table(index: TableIndex, heard: Heard) -> WordingTable | None:
    return index.table(found, is_shops=True) if (found := patterns(*heard.get(LANGUAGE, ()))) else None


def _most_committed(mentions: list[Mention]) -> dict[str, Mood]:
    moods: dict[str, Mood] = {}
    for act, group in groupby(mentions, key=itemgetter(0)):
        moods[act] = min((mention.mood for mention in group), key=COMMITMENT.index)
    return moods


def _clause_start(text: str, at: int) -> int:
    return max((cut.end() for cut in english.BREAK.finditer(text, 0, at)), default=0)


def _clause_end(text: str, at: int) -> int:
    found = english.BREAK.search(text, at)
    return found.start() if found else len(text)


def _agency(mention: Mention, text: str) -> Agency | None:
    """Who is said to have done it, possibly no one; None if that is in doubt."""
    match, mood = mention.match, mention.mood
    start = match.start(1)
    if english.UNREAL.search(text, _clause_start(text, start), start):
        return None
    if english.LATER_CONDITION.search(text, match.end(), _clause_end(text, match.end())):
        return None
    before, verb = text[:start], match[1]
    if english.FINISHED.search(verb):
        own = english.BY_AGENT.search(before)
        state = bool(english.IS_DONE.search(before) and not verb.endswith("ing")) or _opens(before, verb)
        said = mood == "done" and (verb not in english.UNCHANGING or " have " in f" {before}")
    else:
        own = english.NOUN_BY_AGENT.search(before)
        state = bool(english.NOUN_IS_DONE.match(text, match.end(1)))
        said = mood != "moot"
    if said and own:
        return "we" if own[0].startswith("we") else "i"
    promised = mention.act == HAND_OVER and (
        mood == "will" or (mention.mark == "claim" and " will " in match[0])
    )
    promised = promised and not english.OFFERED.search(before)
    if promised or (said and state and not english.READ_OFF.search(before)):
        return None if english.DEPENDS.search(before) or "?" in text else ""
    return None


def _opens(before: str, verb: str) -> bool:
    """Whether a sentence, or what follows a colon, begins with what was done: “Cancelled.”"""
    return verb.endswith("ed") and (not before or before.endswith(": "))


def _makes_rule(text: str) -> bool:
    """Whether a sentence says that someone else has to decide because of the price."""
    return bool(
        any(sign in text for sign in english.VALUE_SIGNS)
        and english.BY_VALUE.search(text)
        and english.DECIDES.search(text)
        and english.HAS_TO.search(text)
        and not english.NO_RULE.search(text)
    )
