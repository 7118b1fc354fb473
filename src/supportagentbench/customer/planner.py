"""Planner: decides from the ledger what the customer says, shows and agrees to, and when it leaves.

A voice hears the agent's words as a closed set of observations; the planner chooses its moves from the
ledger, and the voice phrases them. It never sees the store, only which acts were carried out: it questions
other claims once, and then believes them.
"""

import re
from collections.abc import Collection, Sequence
from random import Random

import msgspec

from supportagentbench.customer.chat import ChatHabits
from supportagentbench.customer.hesitation import Hesitation, slip_of
from supportagentbench.customer.next_turn import NextTurn
from supportagentbench.customer.patience import Patience
from supportagentbench.customer.person_words import person_words
from supportagentbench.customer.proof import ProofAtHand
from supportagentbench.customer.recorded_voice import RecordedSpeaker
from supportagentbench.customer.unanswered_reply import UnansweredReply
from supportagentbench.customer.voice import Move, Speaker, TurnPlan, Voice
from supportagentbench.language.customer import SENTENCE
from supportagentbench.language.listening import Listening
from supportagentbench.language.proposal import is_one_yes_for_all
from supportagentbench.language.reader import Reader
from supportagentbench.language.waiting import says_it_waits
from supportagentbench.records.case import Brief, CustomerFact, CustomerFile, Wish
from supportagentbench.records.transcript import Attachment, CustomerState, SpeechActs, Turn
from supportagentbench.records.vocabulary import DETAILS, HAND_OVER, PHOTO, WISH, Vocabulary

FULL_NAME = re.compile(r"[A-Z][\w'’-]+ [A-Z][\w'’-]+")

FIRST_MOOD = {"warm": 1, "plain": 0, "curt": 0, "cross": -2}


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
        self.patience = Patience(brief)
        self.proof = ProofAtHand(brief)
        self.hesitation = Hesitation(brief)
        self._open = [wish for wish in brief.wishes if wish.raised == "opening"]
        self._later = [wish for wish in brief.wishes if wish.raised == "later"]
        self._instead = [wish for wish in brief.wishes if wish.raised == "instead"]
        """The wish that will replace the first, until it is stated."""
        self._answers = 0
        self._said: list[CustomerFact] = []
        self._repeated: list[CustomerFact] = []
        """Topics it was asked about twice: the third time it asks what this is about."""
        self._worded: list[Wish] = []
        """The wishes it has stated, once for each time."""
        self._pending = False
        """A yes was given without an answer yet: not a moment to leave."""
        self._asked_after = False
        """Has asked whether what it agreed to is done."""
        self._unreported: set[str] = set()
        """Acts that the desk carried out and has not mentioned yet."""
        self._carried_out: set[str] = set()
        self._queued: set[str] = set()
        """Acts that the desk ordered and that are not carried out yet."""
        self._agreed: set[str] = set()
        self._doubted: set[str] = set()
        """Acts that were falsely reported as done, which it has asked about once."""
        self._left_out: list[str] = []
        """What the opening did not say because chats begin with little."""
        self._owed_a_deed = False
        """Whether it got an answer when it wanted an action."""
        self._talk: list[Turn] = []

    def open(self, opening: str, subject: str = "") -> Turn:
        """The first message, with everything the customer attaches unasked; `subject` is what it is about.

        An e-mail is sent as it is written; in a chat it is said in a few words.
        """
        if self.chat:
            opening, later, worded = self.chat.opening(opening, self.brief, subject, self.reader)
            self._left_out += later
            self._worded += worded
        volunteered = self.proof.volunteer()
        conduct = CustomerState(moves=("open",), discloses=self.brief.disclosed_at_first(), mood=self.mood)
        self._talk.append(Turn("customer", opening, attachments=_attached(volunteered), conduct=conduct))
        return self._talk[-1]

    async def answer(
        self, words: str, carried_out: Collection[str] = (), queued: Collection[str] = ()
    ) -> Turn:
        """The next message, to what the agent wrote and the acts it carried out for it or that now wait.

        Raises ModelError if the voice fails.
        """
        return await self._answer(UnansweredReply(words, carried_out, queued), self.speaker)

    async def _answer(self, reply: UnansweredReply, speaker: Speaker) -> Turn:
        """The next message, heard and worded by this speaker."""
        plan = self._decide(reply.words, await self._hear(reply, speaker))
        self._feel(plan)
        part = self._part_for(plan)
        wording = await speaker.word(part)
        conduct = CustomerState(
            moves=tuple(move.kind for move in plan.moves),
            heard=plan.heard,
            shown=wording.shown,
            doubts=tuple(sorted(plan.doubts)),
            confirms=tuple(plan.confirms),
            on_condition=self.hesitation.weighs if plan.does("half_yes") else (),
            discloses=plan.discloses,
            mood=self.mood,
            leaves=plan.leaves,
            worded_by=wording.by,
            faults=wording.faults,
        )
        usage = speaker.clear()
        self._talk.append(
            Turn("customer", wording.text, attachments=part.shows, usage=usage, conduct=conduct)
        )
        return self._talk[-1]

    async def _hear(self, reply: UnansweredReply, speaker: Speaker) -> SpeechActs:
        """What it takes from a reply, and what the desk's record adds to it."""
        self._talk.append(Turn("agent", reply.words))
        self._unreported |= set(reply.carried_out)
        self._carried_out |= set(reply.carried_out)
        self._queued = (self._queued | set(reply.queued)) - self._carried_out
        return await speaker.hear(reply.words, self._listening(reply.carried_out))

    async def resume(self, turns: Sequence[Turn], opening: str = "", subject: str = "") -> tuple[Turn, ...]:
        """Be where the customer of these turns is; returns them as this customer knows them.

        Its own recorded turns are lived through again, without asking any model, and come back as they were
        unless something has changed since. A real person's turns have no conduct: what they say of the ledger
        is read from their words, and no patience is spent on them. Replies after its last message wait for
        `answer`; notes and lines of the system are not for its ears.
        """
        had: list[Turn] = []
        reply: UnansweredReply | None = None
        for turn in turns:
            if turn.party == "agent":
                reply = UnansweredReply.of(turn, reply)
            elif turn.party == "customer":
                turn = await self._relive(turn, reply, opening, subject)
                reply = None
            had.append(turn)
        return tuple(had)

    async def _relive(self, turn: Turn, reply: UnansweredReply | None, opening: str, subject: str) -> Turn:
        """Its state after one of its messages, and that message as it would send it now."""
        conduct = turn.conduct
        if conduct is None or conduct.worded_by == "person":
            return await self._take_over(turn, reply)
        if reply is None:
            return self.open(opening, subject)
        if conduct.worded_by == "script" and self.speaker is self.speaker.script:
            return await self._answer(reply, self.speaker)
        return await self._answer(reply, RecordedSpeaker(turn.text, conduct, self.speaker.script))

    async def _take_over(self, turn: Turn, reply: UnansweredReply | None) -> Turn:
        """Take a real person's message as its own, after a reply that was read by rule."""
        heard = SpeechActs()
        if reply:
            heard = await self._hear(reply, self.speaker.script)
            plan = NextTurn(reply.words, heard)
            self._believe(plan)
            self._strike_off(plan)
            self._answers += 1
        said = person_words(turn, heard, self.brief, self.reader)
        self._said += [fact for fact in said.facts if fact not in self._said]
        self.proof.shown += [file for file in said.files if file not in self.proof.shown]
        for wish in said.wishes:
            self._worded.append(wish)
            self._raise(wish)
        self._agreed |= set(said.confirms)
        self._pending |= bool(said.confirms)
        conduct = CustomerState(
            moves=(),
            heard=heard,
            confirms=said.confirms,
            discloses=(turn.conduct.discloses if turn.conduct else {}) | said.discloses,
            mood=self.mood,
            worded_by="person",
        )
        self._talk.append(msgspec.structs.replace(turn, conduct=conduct))
        return self._talk[-1]

    def _raise(self, wish: Wish) -> None:
        """Bring up a wish that it was keeping for later."""
        if wish in self._instead:
            self._open, self._instead = self._instead, []
        elif wish in self._later:
            self._later.remove(wish)
            self._open.append(wish)

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
        """In place of a message that could not be written: no words, but the usage of the attempts."""
        return Turn("customer", "", usage=self.speaker.clear())

    def _part_for(self, plan: NextTurn) -> TurnPlan:
        """This turn as its voice is given it, with what it must not say."""
        kept = [fact.says for fact in self.brief.facts if fact not in self._said]
        kept += [line.says for line in self.patience.unsaid]
        kept += [wish.says for wish in self._later]
        return TurnPlan(
            moves=tuple(plan.moves),
            talk=tuple(self._talk),
            shows=_attached(plan.shows),
            mood=self.mood,
            leaves=plan.leaves,
            withheld=tuple(kept),
        )

    def _believe(self, plan: NextTurn) -> None:
        """What is said to be done, compared with what was done.

        A message after an act reports it, however it is worded. A report that the desk's record does not
        support is questioned once, and then believed; next to a refusal, it is about something done before
        this conversation. An act that is pending on record and said to be pending is not done.
        """
        heard = plan.heard
        waiting = self._queued.intersection(act for wish in self._open for act in wish.agrees_to)
        plan.waits = bool(waiting) and says_it_waits(plan.words)
        reported = set(self._unreported) if plan.words.strip() else set()
        self._unreported -= reported
        said = set(heard.done) - waiting if plan.waits else set(heard.done)
        claimed = {act for act in said if self._carried_out.isdisjoint(self.vocabulary.ways(act))}
        plan.doubts = (claimed & {HAND_OVER} if heard.refuses else claimed) - self._doubted
        self._doubted |= claimed
        plan.done = reported | said - plan.doubts

    def _decide(self, words: str, heard: SpeechActs) -> NextTurn:
        plan = NextTurn(words, heard)
        self._believe(plan)
        self._answers += 1
        if self._instead and (heard.consent or heard.offers or self._answers > 1):
            self._change_its_mind(plan)
            return plan
        self._settle(plan)
        self._respond(plan)
        if not plan.leaves and not plan.progress:
            self._push_back(plan)
        if not plan.leaves:
            plan.moves += [Move("answer", sentence) for sentence in self._left_out]
            self._left_out = []
        return plan

    def _respond(self, plan: NextTurn) -> None:
        """The first of these that applies."""
        if not self._open and not plan.moves and not self._has_to_answer(plan):
            self._part(plan)
        elif plan.doubts and not plan.needs_an_answer:
            self._ask_whether_it_is_so(plan)
        elif HAND_OVER in plan.done and not plan.needs_an_answer:
            self._leave_it_to_others(plan)
        elif plan.waits and not plan.needs_an_answer:
            self._wait(plan)
        elif not plan.words.strip():
            plan.add("silence")
        else:
            self._respond_to_offers(plan)
            self._respond_to_questions(plan)
            self._volunteer(plan)
            if plan.progress and not plan.moves:
                self._remind(plan)

    def _change_its_mind(self, plan: NextTurn) -> None:
        """Bring up the wish that replaces the first."""
        self._open, self._instead = self._instead, []
        for wish in self._open:
            plan.add("ask", wish.says)
            self._worded.append(wish)
        plan.progress = True

    def _has_to_answer(self, plan: NextTurn) -> bool:
        """Whether a message that reports something also asks something: the customer does not leave then."""
        return not plan.done and bool(set(plan.heard.asks) - {WISH, DETAILS})

    def _settle(self, plan: NextTurn) -> None:
        """Strike off the wishes these words settle; bring up what was kept for later."""
        self._strike_off(plan)
        self._bring_up_the_next(plan)

    def _strike_off(self, plan: NextTurn) -> None:
        """Strike off the wishes that these words settle."""
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

    def _bring_up_the_next(self, plan: NextTurn) -> None:
        """What was kept for later, once nothing else is open."""
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

    def _ask_whether_it_is_so(self, plan: NextTurn) -> None:
        """Ask once about what is said to be done and is not on the record."""
        if self.brief.language != "en":
            plan.add("verify")
        else:
            plan.add("colleague" if HAND_OVER in plan.doubts else "doubt")
        plan.progress = True

    def _wait(self, plan: NextTurn) -> None:
        """If a change is pending and the agent says so, the customer asks once or twice, then accepts it."""
        self._pending = False
        if not self.patience.asks_after(plan):
            self._open = [wish for wish in self._open if self._queued.isdisjoint(wish.agrees_to)]
            self._remind(plan)
            self._bring_up_the_next(plan)
            if not self._open:
                plan.add("leave", self.brief.disappointed)
                plan.leaves = True
        plan.progress = True

    def _leave_it_to_others(self, plan: NextTurn) -> None:
        """Once a colleague takes over, the customer stops writing to this agent."""
        plan.add("wait")
        plan.leaves = True

    def _respond_to_offers(self, plan: NextTurn) -> None:
        """Say yes or no to proposals, unless something else is asked for first."""
        if self._is_asked_first(plan.heard):
            return
        self.hesitation.hear(plan.words)
        wanted = [act for wish in self._open for act in wish.agrees_to]
        is_for_all = plan.heard.consent and is_one_yes_for_all(plan.words)
        is_for_other = plan.heard.refuses and self._names_other_goods(plan.words)
        for act in dict.fromkeys(wanted if is_for_all else plan.heard.offers):
            if agreed := agreed_to(act, () if is_for_other else wanted, self.vocabulary):
                self._confirm(plan, *agreed)
            elif not plan.does("decline"):
                plan.add("decline")
                self._say_wishes(plan)
        if plan.heard.refuses:
            return
        if plan.heard.consent and not plan.heard.offers and wanted:
            self._confirm(plan, *wanted)
        if self.hesitation.weighs and not (plan.moves or plan.heard.asks or plan.waits):
            self._confirm(plan, *self.hesitation.weighs)

    def _names_other_goods(self, words: str) -> bool:
        """Whether the goods that a message names last differ from those in its wishes."""
        wished = {name for wish in self._open for name in self.brief.goods if name in wish.says}
        named = [{name for name in self.brief.goods if name in one} for one in SENTENCE.split(words)]
        last = next((found for found in reversed(named) if found), set[str]())
        return bool(wished and last) and wished.isdisjoint(last)

    def _is_asked_first(self, heard: SpeechActs) -> bool:
        """Whether it is asked for a photo or for something it has not said yet: then nothing is proposed."""
        unsaid = {topic for fact in self.brief.facts if fact not in self._said for topic in fact.topics}
        return self.proof.is_asked_for(heard) or not unsaid.isdisjoint(set(heard.asks) - {WISH, DETAILS})

    def _confirm(self, plan: NextTurn, *acts: str) -> None:
        if self.hesitation.holds_back(plan, acts):
            return
        plan.add("confirm")
        self._agreed |= set(acts)
        plan.confirms += [act for act in dict.fromkeys(acts) if act not in plan.confirms]
        plan.progress = True
        self._pending = True

    def _respond_to_questions(self, plan: NextTurn) -> None:
        for topic in plan.heard.asks:
            if topic == PHOTO:
                if self.proof.is_asked_for(plan.heard):
                    self.proof.answer(plan)
            elif topic == WISH:
                self._say_wishes(plan)
            else:
                self._tell(plan, topic)

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
        """Its name, unasked: a customer gives it along with the e-mail address."""
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
        slip = self.hesitation.slip(fact)
        plan.add("answer", slip.says if slip else fact.says, weighty=bool(fact.discloses))
        if slip:
            plan.add("correct", slip.correction)
        plan.discloses |= fact.discloses
        plan.progress = True
        self._said.append(fact)

    def _volunteer(self, plan: NextTurn) -> None:
        for fact in self.brief.facts:
            if fact.when == "volunteer" and fact not in self._said:
                self._say(plan, fact)

    def _push_back(self, plan: NextTurn) -> None:
        """No progress: ask about what it agreed to, or lose patience."""
        self.patience.left -= not plan.does("no_proof", "no_other")
        if self._pending and not plan.heard.refuses:
            plan.add("wait" if self._asked_after else "verify")
            self._asked_after = True
            return
        self._pending = False
        self.patience.push_back(plan)

    def _feel(self, plan: NextTurn) -> None:
        settled = plan.leaves and not self._open
        step = 0 if plan.waits else 2 if settled else 1 if plan.progress else -1
        self.mood = max(-3, min(3, self.mood + step))


def agreed_to(act: str, wanted: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """What a customer says yes to when this act is proposed; nothing, if it does not want it.

    Equivalent acts are interchangeable for the customer. And a colleague is never turned down.
    """
    if act == HAND_OVER:
        return [act]
    ways = vocabulary.ways(act)
    return [verb.act for verb in vocabulary.verbs if verb.act in ways and verb.act in wanted]


def said_again(says: str) -> str:
    """What was said before, without the words around it: the sentences that name something."""
    sentences = SENTENCE.split(says)
    naming = [one for one in sentences if re.search(r"\d|@|(?<=[a-z,:] )[A-Z]", one)]
    return " ".join(naming) if naming else says


def _attached(evidence: list[CustomerFile]) -> tuple[Attachment, ...]:
    return tuple(Attachment(one.name, one.kind, one.shows, one.details) for one in evidence)
