"""Short chat: a conversation in at most six bubbles that show what went wrong, word for word.

The customer's message that decides, the answer to it, and what came before it in short. The rest out is
marked; every sentence is checked against the record.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count, takewhile
from typing import Literal, NamedTuple

from supportagentbench.language.customer import SENTENCE
from supportagentbench.language.reader import reader_of
from supportagentbench.records.counts import counted
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import CLOSE_TICKET, HAND_OVER, Vocabulary
from supportagentbench.site.data.moment import IssueMoment
from supportagentbench.site.data.quote import Cite, Quote, Said, checked
from supportagentbench.site.data.worth import worth

LONGEST = 150
"""The most characters of a bubble, as long as a single sentence is not longer."""

LONGEST_HARM = 190
"""The same where it goes wrong: what is offered needs its words."""

SMALL = ("no", "once", "twice")

BubbleKind = Literal["customer", "agent", "gap", "did"]
"""`gap`: the rest out; `did`: what was carried out."""


class Bubble(NamedTuple):
    """A part of one message, or a line between messages."""

    kind: BubbleKind
    text: str
    is_harm: bool = False


class ShortChat(NamedTuple):
    """A conversation in a few bubbles."""

    bubbles: tuple[Bubble, ...]
    link: str
    """The reader, open at the message that shows what went wrong."""
    case: str
    run: int
    is_danger: bool
    """Whether a person was in danger: it is shown only to readers who choose to."""


def short_chat(moment: IssueMoment, slug: str, said: Said, vocabulary: Vocabulary) -> ShortChat | None:
    """The chat around an issue; None: its words are not in the folder."""
    if moment.exchange is None:
        return None
    turns = _turns(Cite(slug, moment.case, moment.run, 0), said)
    answered = Cite(slug, moment.case, moment.run, moment.exchange.said_at)
    if len(turns) <= moment.exchange.said_at:
        return None
    teller = _Teller(turns, moment, slug, said, vocabulary)
    bubbles = tuple(teller.unheeded() if moment.check == "escalated" else teller.led_to())
    return ShortChat(bubbles, answered.link, moment.case, moment.run, moment.is_danger)


def _turns(first: Cite, said: Said) -> list[Turn]:
    found = (said(first._replace(turn=at)) for at in count())
    return [turn for turn in takewhile(lambda turn: turn is not None, found) if turn is not None]


class _Teller(NamedTuple):
    """Tells one conversation in short."""

    turns: Sequence[Turn]
    moment: IssueMoment
    slug: str
    said: Said
    vocabulary: Vocabulary

    def unheeded(self) -> Iterator[Bubble]:
        """A customer who needed a person, and what came back."""
        heard, answered = self._places
        yield self._bubble(heard, self._is_told)
        later = [at for at in range(answered + 2, len(self.turns)) if self._is_new(at)]
        yield self._bubble(answered, is_harm=self.moment.is_danger or not later)
        shown = answered
        if later:
            yield from self._gap(answered, later[0] - 1)
            yield self._bubble(later[0] - 1)
            yield self._bubble(later[0], is_harm=True)
            shown = later[0]
        if (last := len(self.turns) - 1) > answered and self.turns[last].party == "customer":
            yield from self._gap(shown, last)
            yield self._bubble(last)

    def _is_new(self, at: int) -> bool:
        """Whether it is a reply with a sentence that no earlier one had: repeats show nothing."""
        if self.turns[at].party != "agent" or not self.turns[at].text.strip():
            return False
        before = {one for turn in self.turns[:at] for one in SENTENCE.split(turn.text)}
        return bool({*SENTENCE.split(self.turns[at].text)} - before)

    def led_to(self) -> Iterator[Bubble]:
        """What the customer wanted, what the agent said first, and what it did in the end."""
        heard, answered = self._places
        last = -1
        for at, tells in self._before(heard):
            yield from self._gap(last, at)
            yield self._bubble(at, tells)
            last = at
        yield from self._gap(last, heard)
        yield self._bubble(heard, is_last=True)
        yield self._bubble(answered, self._is_shown, is_harm=True, is_last=True)
        if self.moment.check == "resolved":
            yield from self._gap(answered, len(self.turns))
        if did := self._did:
            yield Bubble("did", f"→ {did}", is_harm=True)

    def _before(self, heard: int) -> Iterator[tuple[int, Callable[[str], bool]]]:
        """What is shown of the messages before the one that decides, and what each is shown for."""
        if heard > 0:
            yield 0, self._is_wish
        if refusals := [at for at in self._refusals if at < heard]:
            yield refusals[0], self._is_refusal
        elif self._has_asked and heard > 2:
            yield self._asked_at, lambda sentence: "?" in sentence
            if self.turns[self._asked_at + 1].attachments and self._asked_at + 1 != heard:
                yield self._asked_at + 1, _nothing
        elif heard == 2:
            yield 1, _nothing
        if (shown := self._proof_before(heard)) and shown > (refusals[0] if refusals else self._asked_at + 1):
            yield shown, _nothing

    def _gap(self, last: int, following: int) -> Iterator[Bubble]:
        """What the agent wrote between two messages that are shown: the same no, questions, or the rest."""
        between = [at for at in range(last + 1, following) if self.turns[at].party == "agent"]
        if not between:
            return
        refusals = self._refusals
        earlier = [at for at in refusals if at <= last]
        same = [at for at in between if any(self._repeats(one, at) for one in earlier)]
        noes = [at for at in between if at in refusals or at in same]
        other = len(noes) - len(same)
        asked = [at for at in between if at not in noes and "?" in self.turns[at].text]
        rest = len(between) - len(noes) - len(asked)
        said = [
            f"it asks back, {_times(len(asked))}" if asked else "",
            f"the same no, {_times(len(same))} more" if same else "",
            f"{'another no' if earlier else 'a no'}, {_times(other)}" if other else "",
            counted(rest, "other reply", "other replies") if rest else "",
        ]
        yield Bubble("gap", "; ".join(filter(None, said)))

    def _repeats(self, first: int, later: int) -> bool:
        """Whether a reply has a sentence of an earlier one that says no."""
        one, other = ({part.strip() for part in SENTENCE.split(self.turns[at].text)} for at in (first, later))
        return any(self._is_refusal(part) for part in one & other)

    @property
    def _places(self) -> tuple[int, int]:
        """The customer's message that decides, and the reply to it."""
        assert self.moment.exchange is not None
        return self.moment.exchange.heard_at, self.moment.exchange.said_at

    @property
    def _refusals(self) -> list[int]:
        """The agent's replies that the customer heard as a no."""
        return [
            at - 1
            for at, turn in enumerate(self.turns)
            if at and turn.conduct and turn.conduct.heard.refuses and self.turns[at - 1].party == "agent"
        ]

    @property
    def _has_asked(self) -> bool:
        return self.moment.asked_for_proof and self._asked_at > 0

    @property
    def _asked_at(self) -> int:
        """The agent's first reply that asked for something; 0: there is none."""
        asked = (at - 1 for at, turn in enumerate(self.turns) if turn.conduct and turn.conduct.heard.asks)
        return next((at for at in asked if at > 0), 0)

    def _proof_before(self, heard: int) -> int:
        """The message in which a customer who is right showed a proof; 0: there is none."""
        if self.moment.check != "resolved":
            return 0
        shown = (at for at in range(1, heard) if self.turns[at].attachments)
        return next((at for at in shown if self.turns[at].party == "customer"), 0)

    @property
    def _did(self) -> str:
        """What was carried out."""
        act = self.moment.act
        if act == HAND_OVER:
            return "it handed over to a person"
        if act == CLOSE_TICKET:
            return "it closed the ticket"
        verb = self.vocabulary.by_act.get(act)
        if not verb:
            return ""
        cost = worth(act, self.turns, self.vocabulary)
        return f"it went on to {verb.title}{f', worth {cost}' if cost else ''}"

    def _is_told(self, sentence: str) -> bool:
        """Whether the customer tells a fact that decides the case."""
        told = self.turns[self._places[0]].conduct
        known = {*told.discloses} if told else set()
        return bool(known & {*reader_of(self.vocabulary).customer.disclosed(sentence)})

    def _is_wish(self, sentence: str) -> bool:
        return bool(reader_of(self.vocabulary).customer.requests(sentence))

    def _is_refusal(self, sentence: str) -> bool:
        return "n't" in sentence or "n’t" in sentence or " not " in sentence

    def _is_shown(self, sentence: str) -> bool:
        return bool(self.moment.quote) and self.moment.quote in sentence

    def _bubble(
        self,
        at: int,
        tells: Callable[[str], bool] = lambda sentence: False,
        *,
        is_harm: bool = False,
        is_last: bool = False,
    ) -> Bubble:
        """Part of a message: around the sentence that tells, or else its begin or its end."""
        turn = self.turns[at]
        most = LONGEST_HARM if is_harm else LONGEST
        words, before, after = _gist(turn.text.strip(), tells, most, is_last=is_last)
        cite = Cite(self.slug, self.moment.case, self.moment.run, at)
        checked(Quote(cite, words, (before, after)), self.said)
        text = " ".join(words.split()) or "(an empty message)"
        shown = f"{'… ' if before else ''}{text}{' …' if after else ''}"
        return Bubble("agent" if turn.party == "agent" else "customer", shown, is_harm)


def _gist(text: str, tells: Callable[[str], bool], most: int, *, is_last: bool) -> tuple[str, bool, bool]:
    """Whole sentences in a row around the first that tells; and whether the text goes on at either end."""
    if len(text) <= most:
        return text, False, False
    starts = [0, *(found.end() for found in SENTENCE.finditer(text))]
    ends = [*starts[1:], len(text)]
    some = [(start, end) for start, end in zip(starts, ends, strict=True) if text[start:end].strip()]
    otherwise = len(some) - 1 if is_last else 0
    first = last = next((at for at, (start, end) in enumerate(some) if tells(text[start:end])), otherwise)
    while True:
        wider = [(first, last + 1)] if last + 1 < len(some) else []
        wider += [(first - 1, last)] if first > 0 else []
        wider = [one for one in wider if some[one[1]][1] - some[one[0]][0] <= most]
        if not wider:
            break
        first, last = wider[-1] if is_last else wider[0]
    return text[some[first][0] : some[last][1]].strip(), first > 0, last + 1 < len(some)


def _nothing(sentence: str) -> bool:
    """No sentence is better than another."""
    return False


def _times(number: int) -> str:
    return SMALL[number] if number < len(SMALL) else f"{number} times"
