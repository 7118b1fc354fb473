"""Oracle: an agent that reads the policy and the record, asks before acting, and tells the truth.

It knows nothing about cases, labels or any particular shop: look-ups, requests, arguments and verbs come from
the world's kit, and the policy engine says what is right. It knows only what its calls return.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from supportagentbench.calibration.oracle_wording import (
    AGAIN,
    ASK,
    ASKS_AGAIN,
    CLOSED,
    HANDED_OVER,
    UNDECIDED,
)
from supportagentbench.desk import Desk
from supportagentbench.language.customer import answer
from supportagentbench.language.identify import language_of
from supportagentbench.language.reader import reader_of
from supportagentbench.language.values import email_in
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import PHOTO, WISH
from supportagentbench.world.folder import World
from supportagentbench.world.kit import Hearing
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation

_DAY = re.compile(r"\b[A-Z][a-z]+day, (\d\d [A-Z][a-z]+ \d{4})\b")
"""The day it is, as instructions say it."""

PATIENCE = {PHOTO: 3}
"""How often it asks for something before it confirms the request; once for everything not listed."""


MOST_ASKED = 4
"""How often it asks the customer to confirm a request in one conversation."""


class Matter:
    """One thing the customer wants, and its progress."""

    def __init__(self, request: str, plain: str = "") -> None:
        self.request = request
        self.plain = plain
        """The request in plain words, if the customer used them."""
        self.proposed = ""
        self.explained = 0
        self.settled = False


class Oracle:
    """Solves what can be solved, refuses what must be refused, hands over what a person must decide."""

    desk: Desk
    """The desk of the current turn."""

    def __init__(self, world: World, seed: int) -> None:
        self.policy, self.kit, self.today = world.policy, world.kit, world.desk.today
        self.reader = reader_of(world.vocabulary)
        self.words = self.reader.customer
        self.verbs = {verb.act: verb for verb in world.kit.verbs}
        self.unfinished = next((rule.say for rule in world.policy.rules if rule.unfinished), "")
        """What it says if a change does not go through and a rule requires saying so."""
        self.closing = world.policy.requests_granted_by("close_ticket")
        self.heard: list[Turn] = []
        """What the customer wrote so far."""
        self.seen: Any = None
        """What the look-ups showed, as the world's own record type."""
        self.number = ""
        """The number of the subject that was looked up."""
        self.is_stale = False
        """Whether something has changed since the look-up."""
        self.matters: list[Matter] = []
        self.disclosed: dict[str, str] = {}
        self.language = "en"
        self.sent: list[str] = []
        self.asked = 0
        """How often it has asked the customer to confirm a request."""
        self.is_over = False
        """Whether it handed the ticket over or closed it."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        self.desk = desk
        if said := _DAY.search(desk.instructions):
            self.today = datetime.strptime(said[1], "%d %B %Y").date()
        if len(turns) > 1 and not self.heard:
            self._take_over(turns[:-1])
        self.heard = [turn for turn in turns if turn.party == "customer"]
        return self._finish(self._answer())

    def _take_over(self, turns: Sequence[Turn]) -> None:
        """Catch up on a conversation that another agent began: requests, proposals, actions and replies."""
        self.language = self._language_for(turns[0].text)
        for turn in turns:
            waiting = [matter for matter in self.matters if not matter.settled]
            if turn.party == "customer":
                self._listen(turn)
            elif waiting:
                self._read_up(turn, waiting[0])
        self.sent = [turn.text for turn in turns if turn.party == "agent"]

    def _read_up(self, turn: Turn, matter: Matter) -> None:
        """Work out what a reply has already done about a matter."""
        offers = [act for act in self.reader.heard(turn.text, self.language).offers if act in self.verbs]
        if any(call.result.wrote for call in turn.calls):
            matter.proposed, matter.settled = "", matter.request not in self.closing
        elif offers:
            matter.proposed = offers[0]
        else:
            matter.explained += 1

    def _finish(self, words: str) -> str:
        """Final edit of a reply, so that it never uses the same words twice."""
        said, count = words, self.sent.count(words)
        if count and self.language == "en":
            leads = ASKS_AGAIN if words.endswith("?") else AGAIN
            said = f"{leads[(count - 1) % len(leads)]} {words}"
        self.sent.append(words)
        return said

    def _answer(self) -> str:
        if len(self.heard) == 1:
            self.language = self._language_for(self.heard[0].text)
        self._listen(self.heard[-1])
        if not self._look_up():
            return self._ask(self.kit.number.topic)
        if not self.matters and self._is_urgent():
            self.matters = [Matter(next(iter(self.kit.requests)))]
        waiting = [matter for matter in self.matters if not matter.settled]
        if not waiting or self._is_unsure(waiting):
            return self._ask(WISH)
        return " ".join(dict.fromkeys(self._advance(matter) for matter in waiting))

    def _is_unsure(self, waiting: Sequence[Matter]) -> bool:
        """Whether it has to ask again what is wanted, at a desk where words do not identify requests."""
        if not self.kit.makes_sure or self.language != "en" or any(matter.plain for matter in waiting):
            return False
        self.asked += 1
        return self.asked <= MOST_ASKED

    def _is_urgent(self) -> bool:
        """Whether a rule requires something regardless of the customer's request."""
        applying = self._rule(self._situation(Matter(""), {})).applying
        return any(rule.require for rule in applying if "request" not in rule.when)

    def _language_for(self, words: str) -> str:
        return language_of(words)

    def _listen(self, turn: Turn) -> None:
        """Note what the message discloses and asks for; plain words take precedence over guesses."""
        self.disclosed |= self.words.disclosed(turn.text)
        if any(file.kind == "photo" for file in turn.attachments):
            self.disclosed["proof"] = "shown"
        # Only the record shows a file's details.
        self.is_stale |= any(file.details for file in turn.attachments)
        settled = [matter for matter in self.matters if matter.settled]
        waiting = [matter for matter in self.matters if not matter.settled]
        if plain := self.words.plain_requests(turn.text):
            self.matters = settled + [Matter(kind, words) for kind, words in plain]
        elif answer(turn.text, self.language) == "no":
            self.matters = settled
        else:
            kinds = self.words.requests(turn.text)
            known = {matter.request for matter in self.matters}
            answered = all(matter.explained for matter in waiting)
            if answered and len(kinds) == 1 and not known & set(kinds):
                self.matters = [*settled, Matter(kinds[0])]

    def _look_up(self) -> bool:
        """Open the record that the customer means; open it again only if something has changed."""
        texts = [turn.text for turn in self.heard]
        number = self.kit.number.last_in(texts)
        if self.seen is not None and not self.is_stale and number in ("", self.number):
            return True
        email = email_in(texts)
        known = {self.kit.subject: number} if number else {"email": email} if email else None
        seen = self.kit.look_up(self._look, known) if known else None
        if seen is None:
            return False
        self.seen, self.is_stale = seen, False
        self.number = self.kit.words[self.kit.subject](self._situation(Matter(""), {}))
        return True

    def _look(self, tool: str, arguments: dict[str, Any]) -> Any:
        return self.desk.call(tool, arguments).read(self.kit.shows[tool])

    def _advance(self, matter: Matter) -> str:
        """Take one matter a step further, and return what to say about it."""
        texts = [turn.text for turn in self.heard]
        arguments = self._arguments(matter, [matter.plain] if matter.plain else texts)
        situation = self._situation(matter, arguments)
        rulings = self._rule(situation)
        if "hand_over" in rulings.required():
            return self._hand_over(matter)
        if "close_ticket" in rulings.required():
            return self._close(matter)
        need, acts = self.kit.needs.get(matter.request), rulings.required()
        if need and situation.arguments.keys().isdisjoint(need.any_of):
            return self._ask(need.topic)
        if not acts:
            return self._explain(matter, rulings, situation)
        if not self._can(acts[0], situation):
            arguments = situation.arguments | self._arguments(matter, texts)
            situation = msgspec.structs.replace(situation, arguments=arguments)
        return self._act(matter, acts[0], situation)

    def _arguments(self, matter: Matter, texts: Sequence[str]) -> dict[str, Any]:
        """What the customer's words specify besides the subject itself."""
        goods = self.words.kind_of_goods(" ".join(texts))
        return self.kit.arguments(Hearing(matter.request, texts, self.seen, self._look, goods))

    def _situation(self, matter: Matter, arguments: dict[str, Any]) -> Situation:
        return Situation(
            today=self.today,
            measures=self.policy.measures,
            seen=self.seen,
            request=matter.request,
            arguments=arguments,
            disclosed=self.disclosed,
        )

    def _rule(self, situation: Situation) -> Rulings:
        return self.policy.rule_on(situation)

    def _act(self, matter: Matter, act: str, situation: Situation) -> str:
        """Do what was agreed to, or propose it."""
        if self._may_act(matter, act):
            return self._do(matter, act, situation)
        wavers = matter.proposed == act and not answer(self.heard[-1].text, self.language)
        matter.proposed, lead = act, f"{UNDECIDED} " if wavers else ""
        return self._filled(f"{lead}I can {self.verbs[act].doing}. Shall I go ahead?", situation)

    def _may_act(self, matter: Matter, act: str) -> bool:
        """Whether exactly this action was proposed and the customer said yes."""
        return matter.proposed == act and answer(self.heard[-1].text, self.language) == "yes"

    def _do(self, matter: Matter, act: str, situation: Situation) -> str:
        result = self.desk.call(act, self._given(act, situation))
        if not result.ok and self.unfinished:
            result = self.desk.call(act, self._given(act, situation))
        if not result.ok and not self.unfinished:
            return f"I'm sorry, that did not work: {result.text}"
        before, self.is_stale = self.seen, True
        matter.proposed = ""
        if self.unfinished and not (self._look_up() and self.seen != before):
            matter.settled = True
            return self._filled(self.unfinished, situation)
        # A customer who wanted the ticket closed still does, once the goods are on their way.
        matter.settled = matter.request not in self.closing
        return self._filled(self.verbs[act].done, situation)

    def _can(self, act: str, situation: Situation) -> bool:
        """Whether every argument that the tool requires is known."""
        return set(self.desk.tools[act].schema["required"]) <= {*self._given(act, situation)}

    def _given(self, act: str, situation: Situation) -> dict[str, Any]:
        known = {self.kit.subject: self.number, **self.kit.defaults, **situation.arguments}
        return {name: known[name] for name in self.desk.tools[act].schema["properties"] if name in known}

    def _hand_over(self, matter: Matter) -> str:
        matter.settled = True
        self._end("hand_over", reason=f"{matter.request}: a colleague has to decide.")
        return HANDED_OVER if self.language == "en" else ""

    def _close(self, matter: Matter) -> str:
        matter.settled = True
        self._end("close_ticket", summary="The customer confirms that everything is settled.")
        return CLOSED

    def _end(self, act: str, **arguments: str) -> None:
        self.is_over = self.desk.call(act, arguments).ok

    def _explain(self, matter: Matter, rulings: Rulings, situation: Situation) -> str:
        """What the rules say to the customer; if asked again, confirm the request first."""
        unsure = self.language == "en" and not matter.plain
        if unsure and matter.explained >= max(
            (PATIENCE.get(topic, 1) for topic in rulings.asks()), default=1
        ):
            return self._ask(WISH)
        matter.explained += 1
        matter.settled = matter.request in self.kit.answered_once
        told = [rule.say_in.get(self.language, rule.say) for rule in rulings.applying if rule.say]
        asked = [self._ask(topic) for topic in rulings.asks()]
        again = "I understand that this is not what you hoped for. " if matter.explained > 1 else ""
        return again + self._filled(" ".join([*told, *asked]) or "I'm sorry, I can't do that.", situation)

    def _ask(self, topic: str) -> str:
        """A question in the customer's language if there is one, otherwise in English."""
        words = ASK.get(topic) or self.kit.questions[topic]
        return words.get(self.language, words["en"])

    def _filled(self, text: str, situation: Situation) -> str:
        """The text with the record's words in its placeholders."""
        return re.sub(r"\{(\w+)\}", lambda found: self.kit.words[found[1]](situation), text)
