"""Customer: a ledger and a planner. Code decides what is known, said, shown and agreed to, and when to leave.

A voice hears the agent's words as a closed set of observations; the planner chooses its moves from the
ledger and has the voice word them. It never sees the store,
only which acts were carried out: what is claimed beyond them it asks about once, and then believes.
"""

import re
from collections.abc import Collection, Sequence
from random import Random
from typing import NamedTuple

from supportagentbench.customer.chat import ChatHabits
from supportagentbench.customer.voice import Move, MoveKind, TurnPlan, Voice
from supportagentbench.language.customer import SENTENCE
from supportagentbench.language.listening import Listening
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief, CustomerFact, CustomerFile, Wish
from supportagentbench.records.transcript import Attachment, CustomerState, SpeechActs, Turn
from supportagentbench.records.vocabulary import DETAILS, HAND_OVER, PHOTO, WISH, Vocabulary

ALL_OF_IT = re.compile(r"\b(?:both|all of (?:it|this|these)|these changes|everything)\b", re.IGNORECASE)
"""How an agent asks for one yes to several things."""

FREE_OF_CHARGE = re.compile(
    r"\b(?:free|no (?:extra )?(?:charge|cost|fee)|at our (?:expense|cost)|nothing to pay"
    r"|without (?:charge|cost)|cost you (?:nothing|anything)|on us)\b",
    re.IGNORECASE,
)
"""How an agent says that something costs nothing."""

LONG_NUMBER = 4
"""Characters from which on a number can be mistyped."""

FULL_NAME = re.compile(r"[A-Z][\w'’-]+ [A-Z][\w'’-]+")

FIRST_MOOD = {"warm": 1, "plain": 0, "curt": 0, "cross": -2}


class NextTurn:
    """One turn in the making."""

    def __init__(self, heard: SpeechActs) -> None:
        self.heard = heard
        self.done: set[str] = set()
        """The acts it takes to be done, by these words and the record."""
        self.doubts: set[str] = set()
        """The acts that are said to be done and that it asks about first."""
        self.moves: list[Move] = []
        self.confirms: list[str] = []
        self.discloses: dict[str, str] = {}
        self.shows: list[CustomerFile] = []
        self.progress = False
        """Whether the agent's last words brought the customer any further."""
        self.leaves = False

    def add(self, kind: MoveKind, says: str = "", *, weighty: bool = False) -> None:
        move = Move(kind, says, weighty)
        if move not in self.moves and not (says and says in [made.says for made in self.moves]):
            self.moves.append(move)


class Customer:
    """One customer in one conversation."""

    def __init__(
        self, brief: Brief, voice: Voice, rng: Random, reader: Reader, chat: ChatHabits | None = None
    ) -> None:
        self.brief = brief
        self.reader = reader
        self.vocabulary = reader.vocabulary
        self.chat = chat
        """How it types, if it writes in a chat."""
        self.speaker = voice.speaker(brief, rng, reader, chat)
        self.mood = FIRST_MOOD[brief.manner]
        self.patience = brief.patience
        self._open = [wish for wish in brief.wishes if wish.raised == "opening"]
        self._later = [wish for wish in brief.wishes if wish.raised == "later"]
        self._instead = [wish for wish in brief.wishes if wish.raised == "instead"]
        """What it will want in place of the first, until it has said so."""
        self._answers = 0
        self._said: list[CustomerFact] = []
        self._repeated: list[CustomerFact] = []
        """What it was asked twice: a third time it has no answer but to ask what this is about."""
        self._worded: list[Wish] = []
        """The wishes it has put into words, as often as it has."""
        self._shown: list[CustomerFile] = []
        self._owned_up = False
        """Has said that it holds no proof; from then on it presses instead."""
        self._pressed = 0
        self._pending = False
        """A yes was given and nothing was heard of it since: no moment to leave."""
        self._asked_after = False
        """Has asked whether what it agreed to is done."""
        self._unreported: set[str] = set()
        """Acts that the desk carried out and has not spoken of yet."""
        self._carried_out: set[str] = set()
        self._agreed: set[str] = set()
        self._doubted: set[str] = set()
        """Acts that were said to be done, without being so, and that it has asked about once."""
        self._hesitates = brief.hesitates
        """How it will hesitate, until it has."""
        self._weighs: tuple[str, ...] = ()
        """Acts that it would agree to, if it were not hesitating."""
        self._left_out: list[str] = []
        """What the opening did not say because chats begin with little."""
        self._owed_a_deed = False
        """Whether it was only told something where it wanted something done."""
        self._talk: list[Turn] = []

    def open(self, opening: str, subject: str = "") -> Turn:
        """The first message, with whatever the customer sends along unasked; `subject` is what it is about.

        An e-mail is sent as it is written; in a chat it is said in a few words.
        """
        if self.chat:
            opening, later, worded = self.chat.opening(opening, self.brief, subject, self.reader)
            self._left_out += later
            self._worded += worded
        volunteered = [one for one in self.brief.evidence if one.when == "volunteer"]
        self._shown += volunteered
        conduct = CustomerState(moves=("open",), discloses=self.brief.disclosed_at_first(), mood=self.mood)
        self._talk.append(Turn("customer", opening, attachments=_attached(volunteered), conduct=conduct))
        return self._talk[-1]

    async def answer(self, words: str, carried_out: Collection[str] = ()) -> Turn:
        """The next message, to what the agent wrote and the acts it carried out for it.

        A ModelError, if there is nobody to word it.
        """
        self._talk.append(Turn("agent", words))
        self._unreported |= set(carried_out)
        self._carried_out |= set(carried_out)
        plan = self._decide(words, await self.speaker.hear(words, self._listening(carried_out)))
        self._feel(plan)
        part = self._part_for(plan)
        wording = await self.speaker.word(part)
        conduct = CustomerState(
            moves=tuple(move.kind for move in plan.moves),
            heard=plan.heard,
            shown=wording.shown,
            doubts=tuple(sorted(plan.doubts)),
            confirms=tuple(plan.confirms),
            on_condition=self._weighs if "half_yes" in {move.kind for move in plan.moves} else (),
            discloses=plan.discloses,
            mood=self.mood,
            leaves=plan.leaves,
            worded_by=wording.by,
            faults=wording.faults,
        )
        usage = self.speaker.clear()
        self._talk.append(
            Turn("customer", wording.text, attachments=part.shows, usage=usage, conduct=conduct)
        )
        return self._talk[-1]

    def _listening(self, carried_out: Collection[str]) -> Listening:
        """What it has in mind when a message comes."""
        signals = [signal for wish in self._open for signal in wish.satisfied_by]
        return Listening(
            requests=frozenset(wish.request for wish in self._open),
            acts=frozenset(act for wish in self._open for act in wish.agrees_to),
            news=frozenset(signal.removeprefix("told:") for signal in signals if signal.startswith("told:")),
            carried_out=frozenset(carried_out),
            agreed=frozenset(self._agreed - self._carried_out),
            turn=sum(turn.party == "agent" for turn in self._talk),
        )

    def unsaid(self) -> Turn:
        """In place of a message nobody could word: no words, but what the attempts used."""
        return Turn("customer", "", usage=self.speaker.clear())

    def _part_for(self, plan: NextTurn) -> TurnPlan:
        """This turn as its voice is given it, with what it must not say."""
        kept = [fact.says for fact in self.brief.facts if fact not in self._said]
        kept += [line.says for line in self.brief.pressure[self._pressed :]]
        kept += [wish.says for wish in self._later]
        return TurnPlan(
            moves=tuple(plan.moves),
            talk=tuple(self._talk),
            shows=_attached(plan.shows),
            mood=self.mood,
            leaves=plan.leaves,
            withheld=tuple(kept),
        )

    def _believe(self, plan: NextTurn, words: str) -> None:
        """What is said to be done, compared with what was done.

        A message after an act reports it, however it is worded. A report that the desk's record does not
        bear out is asked about once, and then believed; with a refusal beside it, it speaks of something
        that was done before this conversation.
        """
        heard = plan.heard
        reported = set(self._unreported) if words.strip() else set()
        self._unreported -= reported
        claimed = {act for act in heard.done if self._carried_out.isdisjoint(self.vocabulary.ways(act))}
        plan.doubts = (claimed & {HAND_OVER} if heard.refuses else claimed) - self._doubted
        self._doubted |= claimed
        plan.done = reported | set(heard.done) - plan.doubts

    def _decide(self, words: str, heard: SpeechActs) -> NextTurn:
        plan = NextTurn(heard)
        self._believe(plan, words)
        self._answers += 1
        if self._instead and (heard.consent or heard.offers or self._answers > 1):
            self._change_its_mind(plan)
            return plan
        self._settle(plan)
        if not self._open and not plan.moves and not self._has_to_answer(plan):
            self._part(plan)
        elif plan.doubts and not asks_for_an_answer(plan.heard):
            is_visible = self.brief.language == "en" and HAND_OVER not in plan.doubts
            plan.add("doubt" if is_visible else "verify")
            plan.progress = True
        elif HAND_OVER in plan.done and not asks_for_an_answer(plan.heard):
            self._leave_it_to_others(plan)
        elif not words.strip():
            plan.add("silence")
        else:
            self._respond_to_offers(plan, words)
            self._respond_to_questions(plan)
            self._volunteer(plan)
            if plan.progress and not plan.moves:
                self._remind(plan)
        if not plan.leaves and not plan.progress:
            self._push_back(plan)
        if not plan.leaves:
            plan.moves += [Move("answer", sentence) for sentence in self._left_out]
            self._left_out = []
        return plan

    def _change_its_mind(self, plan: NextTurn) -> None:
        """Bring up what it wants in place of what it wanted."""
        self._open, self._instead = self._instead, []
        for wish in self._open:
            plan.add("ask", wish.says)
            self._worded.append(wish)
        plan.progress = True

    def _has_to_answer(self, plan: NextTurn) -> bool:
        """Whether it was asked something in a message that only told it something: nobody leaves on that."""
        return not plan.done and bool(set(plan.heard.asks) - {WISH, DETAILS})

    def _settle(self, plan: NextTurn) -> None:
        """Strike off the wishes these words settle; bring up what was kept for later."""
        signals = {f"done:{act}" for act in plan.done}
        deeds = set(signals)
        signals |= {f"told:{news}" for news in plan.heard.tells}
        still_open = [wish for wish in self._open if not signals & set(wish.satisfied_by)]
        for wish in self._open:
            wants_a_deed = any(way.startswith("done:") for way in wish.satisfied_by)
            if wish not in still_open and wants_a_deed and not deeds & set(wish.satisfied_by):
                self._owed_a_deed = True
        if len(still_open) < len(self._open):
            plan.progress = True
            self._pending = False
        self._open = still_open
        if not self._open and self._later:
            self._open = [self._later.pop(0)]
            plan.add("ask", self._open[0].says)
            self._worded.append(self._open[0])

    def _remind(self, plan: NextTurn) -> None:
        """One thing is settled, another is still open: say so."""
        for wish in self._open:
            plan.add("ask", wish.says)
            self._worded.append(wish)

    def _part(self, plan: NextTurn) -> None:
        """Thank and go, but not with something that matters still unsaid."""
        unsaid = [fact for fact in self.brief.facts if fact.when == "volunteer" and fact not in self._said]
        weighty = [fact for fact in unsaid if fact.discloses]
        for fact in weighty:
            self._say(plan, fact)
        plan.leaves = not weighty
        if plan.leaves:
            plan.add("thank", "" if self._owed_a_deed else self.brief.satisfied)

    def _leave_it_to_others(self, plan: NextTurn) -> None:
        """Told that a colleague takes over, nobody goes on writing to this one."""
        plan.add("wait")
        plan.leaves = True

    def _respond_to_offers(self, plan: NextTurn, words: str) -> None:
        if self._is_asked_first(plan.heard):
            return
        if FREE_OF_CHARGE.search(words) and self._hesitates != "corrects":
            self._hesitates = ""  # What it would have asked is answered.
        wanted = [act for wish in self._open for act in wish.agrees_to]
        offered = wanted if plan.heard.consent and ALL_OF_IT.search(words) else plan.heard.offers
        for act in dict.fromkeys(offered):
            if agreed := agreed_to(act, wanted, self.vocabulary):
                self._confirm(plan, *agreed)
            else:
                plan.add("decline")
                self._say_wishes(plan)
        if plan.heard.consent and not plan.heard.offers and wanted and not plan.heard.refuses:
            self._confirm(plan, *wanted)
        if self._weighs and not (plan.moves or plan.heard.refuses or plan.heard.asks):
            self._confirm(plan, *self._weighs)

    def _is_asked_first(self, heard: SpeechActs) -> bool:
        """Whether it is asked for a photo or for something it has not said yet: then nothing is proposed."""
        unsaid = {topic for fact in self.brief.facts if fact not in self._said for topic in fact.topics}
        asks_for_a_photo = PHOTO in heard.asks and not self._has_shown_all(heard)
        return asks_for_a_photo or not unsaid.isdisjoint(set(heard.asks) - {WISH, DETAILS})

    def _has_shown_all(self, heard: SpeechActs) -> bool:
        """Whether the photo that is spoken of beside a proposal is the one that was sent."""
        return bool(self._shown) and heard.consent and all(one in self._shown for one in self.brief.evidence)

    def _confirm(self, plan: NextTurn, *acts: str) -> None:
        if self._hesitates in ("asks_back", "half_yes") and HAND_OVER not in acts:
            plan.add("ask_back" if self._hesitates == "asks_back" else "half_yes")
            plan.progress, self._hesitates, self._weighs = True, "", acts
            return
        if {"ask_back", "half_yes"} & {move.kind for move in plan.moves}:
            self._weighs += acts
            return
        self._weighs = ()
        plan.add("confirm")
        self._agreed |= set(acts)
        plan.confirms += [act for act in dict.fromkeys(acts) if act not in plan.confirms]
        plan.progress = True
        self._pending = True

    def _respond_to_questions(self, plan: NextTurn) -> None:
        for topic in plan.heard.asks:
            if topic == PHOTO:
                if not self._has_shown_all(plan.heard):
                    self._show(plan)
            elif topic == WISH:
                self._say_wishes(plan)
            else:
                self._tell(plan, topic)

    def _show(self, plan: NextTurn) -> None:
        held = [one for one in self.brief.evidence if one.kind == "photo"]
        unseen = [one for one in held if one not in self._shown]
        if unseen:
            plan.add("show")
            plan.shows += unseen
            plan.discloses["proof"] = "shown"
            plan.progress = True
            self._shown += unseen
        elif held:
            plan.add("again", f"{held[0].name} is attached to my message.")
        elif not self._owned_up:
            plan.add("no_proof", self.brief.without_evidence)
            self._owned_up = True

    def _say_wishes(self, plan: NextTurn) -> None:
        """What it wants: first in its own words, asked again in plain ones."""
        before = max((self._worded.count(wish) for wish in self._open), default=0)
        for wish in self._open:
            if ("ask", wish.says) in [(move.kind, move.says) for move in plan.moves]:
                continue
            said = self._worded.count(wish)
            plan.add(
                "answer" if said < 2 else "again", wish.says if not before else wish.plainly or wish.says
            )
            plan.progress |= said < 2
            self._worded.append(wish)

    def _tell(self, plan: NextTurn, topic: str) -> None:
        known = [fact for fact in self.brief.facts if topic in fact.topics and fact.when != "never"]
        if self.chat and self.chat.introduces and any(map(slip_of, known)):
            self._introduce(plan)
            self.chat.introduces = False
        for fact in known:
            self._say(plan, fact)
        if not known and topic == DETAILS:
            self._say_wishes(plan)
        elif not known:
            plan.add("unknown")

    def _introduce(self, plan: NextTurn) -> None:
        """Its name, unasked: who gives an e-mail address knows the name beside it."""
        known = [fact.says for fact in self.brief.facts if "@" in fact.says and fact.when != "never"]
        names = [found[0] for says in known if (found := FULL_NAME.search(says))]
        for name in names[:1]:
            plan.add("answer", name)

    def _say(self, plan: NextTurn, fact: CustomerFact) -> None:
        if fact in self._said:
            if fact not in self._repeated:
                plan.add("again", said_again(fact.says))
                self._repeated.append(fact)
            return
        slip = slip_of(fact) if self._hesitates == "corrects" else None
        plan.add("answer", slip.says if slip else fact.says, weighty=bool(fact.discloses))
        if slip:
            plan.add("correct", slip.correction)
            self._hesitates = ""
        plan.discloses |= fact.discloses
        plan.progress = True
        self._said.append(fact)

    def _volunteer(self, plan: NextTurn) -> None:
        for fact in self.brief.facts:
            if fact.when == "volunteer" and fact not in self._said:
                self._say(plan, fact)

    def _push_back(self, plan: NextTurn) -> None:
        """Nothing was gained: press harder, give in, or lose patience and go."""
        self.patience -= "no_proof" not in [move.kind for move in plan.moves]
        if self._pending and not plan.heard.refuses:
            plan.add("wait" if self._asked_after else "verify")
            self._asked_after = True
        elif plan.heard.refuses and self.brief.takes_no and self._is_spent():
            plan.moves = [Move("accept"), Move("leave", self.brief.disappointed)]
            plan.leaves = True
        elif self.patience < 0:
            plan.moves = [Move("leave", self.brief.disappointed)]
            plan.leaves = True
        elif not self._is_spent() and not plan.moves:
            pressure = self.brief.pressure[self._pressed]
            self._pressed += 1
            plan.add("push", pressure.says, weighty=bool(pressure.discloses))
            plan.discloses |= pressure.discloses
        elif not plan.moves:
            plan.add("nudge")

    def _is_spent(self) -> bool:
        return self._pressed >= len(self.brief.pressure)

    def _feel(self, plan: NextTurn) -> None:
        settled = plan.leaves and not self._open
        step = 2 if settled else 1 if plan.progress else -1
        self.mood = max(-3, min(3, self.mood + step))


def asks_for_an_answer(heard: SpeechActs) -> bool:
    """Whether somebody waits for the customer's word: a yes, or something it knows."""
    return heard.consent or bool(set(heard.asks) - {WISH})


def agreed_to(act: str, wanted: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """What a customer says yes to when this act is proposed; nothing, if it does not want it.

    A swap is a swap: by which of several acts that come to the same it is done is the desk's affair. And a
    colleague is never turned down.
    """
    if act == HAND_OVER:
        return [act]
    ways = vocabulary.ways(act)
    return [verb.act for verb in vocabulary.verbs if verb.act in ways and verb.act in wanted]


class Slip(NamedTuple):
    """A detail given wrongly, and the right one."""

    says: str
    correction: str


def slip_of(fact: CustomerFact) -> Slip | None:
    """The fact with its number cut short, as in a hurry; nothing, if it gives no single long number."""
    numbers = re.findall(r"#?\d+", fact.says)
    if len(numbers) != 1 or len(numbers[0]) < LONG_NUMBER or fact.discloses:
        return None
    return Slip(fact.says.replace(numbers[0], numbers[0][:-1]), numbers[0])


def said_again(says: str) -> str:
    """What was said before, without the words around it: the sentences that name something."""
    sentences = SENTENCE.split(says)
    naming = [one for one in sentences if re.search(r"\d|@|(?<=[a-z,:] )[A-Z]", one)]
    return " ".join(naming) if naming else says


def _attached(evidence: list[CustomerFile]) -> tuple[Attachment, ...]:
    return tuple(Attachment(one.name, one.kind, one.shows, one.details) for one in evidence)
