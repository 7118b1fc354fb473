"""Oracle: a colleague who reads the policy and the record, asks before acting, and says what is so.

It knows nothing of cases or labels: it looks things up like any agent, hears the customer by rule, and
puts what it saw before the policy engine.
"""

import re
from collections.abc import Sequence
from typing import Any

from supportagentbench.agents.oracle_wording import (
    AGAIN,
    ASK,
    ASKS_AGAIN,
    HANDED_OVER,
    OracleWording,
)
from supportagentbench.language import values
from supportagentbench.language.customer import answer
from supportagentbench.language.identify import language_of
from supportagentbench.language.reader import reader_of
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import WISH
from supportagentbench.world.desk import Desk
from supportagentbench.world.folder import World
from supportagentbench.world.kit import Hearing, Look
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation


class Matter:
    """One thing the customer wants, and how far it has got."""

    def __init__(self, request: str, plain: str = "") -> None:
        self.request = request
        self.plain = plain
        """The wish in plain words, if the customer gave it so."""
        self.proposed = ""
        self.explained = 0
        self.settled = False


class Oracle:
    """Solves what can be solved, refuses what must be refused, hands over what a person must decide."""

    def __init__(self, world: World, seed: int) -> None:
        self.kit = world.kit
        self.policy = world.policy
        self.verbs = world.vocabulary.by_act
        self.words = reader_of(world.vocabulary).customer
        self.closing = world.policy.requests_granted_by("close_ticket")
        self.today = world.desk.today
        self.seen: Any = None
        """What the look-ups showed of the record."""
        self.is_stale = False
        """Whether something was changed since the record was opened."""
        self.matters: list[Matter] = []
        self.disclosed: dict[str, str] = {}
        self.language = "en"
        self.sent: list[str] = []
        self.is_over = False
        """Whether it handed the ticket over or closed it."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        heard = [turn for turn in turns if turn.party == "customer"]
        return self._finish(self._answer(heard, desk), heard, desk)

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        """The last look at a reply before it goes out: never the same words twice."""
        said, count = words, self.sent.count(words)
        if count and self.language == "en":
            leads = ASKS_AGAIN if words.endswith("?") else AGAIN
            said = f"{leads[(count - 1) % len(leads)]} {words}"
        self.sent.append(words)
        return said

    def _answer(self, heard: Sequence[Turn], desk: Desk) -> str:
        if len(heard) == 1:
            self.language = self._language_for(heard[0].text)
        self._listen(heard[-1])
        if not self._look_up([turn.text for turn in heard], desk):
            return self._question(self.kit.number.topic)
        if not self.matters and self._is_urgent():
            self.matters = [Matter(next(iter(self.kit.requests)))]
        waiting = [matter for matter in self.matters if not matter.settled]
        if not waiting:
            return self._question(WISH)
        return " ".join(dict.fromkeys(self._advance(matter, heard, desk) for matter in waiting))

    def _language_for(self, words: str) -> str:
        return language_of(words)

    def _listen(self, turn: Turn) -> None:
        """Take up what the message discloses and asks for; plain words count more than guesses."""
        self.disclosed |= self.words.disclosed(turn.text)
        if any(file.kind == "photo" for file in turn.attachments):
            self.disclosed["proof"] = "shown"
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

    def _is_urgent(self) -> bool:
        """Whether a rule requires something whatever the customer wants."""
        applying = self._rule(self._situation(Matter(""), {})).applying
        return any(rule.require for rule in applying if "request" not in rule.when)

    def _question(self, topic: str) -> str:
        words = ASK.get(topic) or self.kit.questions[topic]
        return words.get(self.language, words["en"])

    def _look_up(self, texts: list[str], desk: Desk) -> bool:
        """Open the record that the customer names; again only when something was changed."""
        number, email = self._number_in(texts), values.email_in(texts)
        if self.seen is not None and not self.is_stale and number in (None, self._number()):
            return True
        known = {self.kit.subject: number} if number else {"email": email} if email else None
        found = self.kit.look_up(self._looking(desk), known) if known else None
        if found is not None:
            self.seen, self.is_stale = found, False
        return found is not None

    def _number_in(self, texts: list[str]) -> str | None:
        """The number last mentioned."""
        found = [number[0] for text in texts for number in re.finditer(self.kit.number.pattern, text)]
        return re.sub(r"\s", "", found[-1]) if found else None

    def _number(self) -> str:
        """The number of the record that is open."""
        return self.kit.words[self.kit.subject](self._situation(Matter(""), {}))

    def _looking(self, desk: Desk) -> Look:
        def look(tool: str, arguments: dict[str, Any]) -> Any:
            return desk.call(tool, arguments).read(self.kit.shows[tool])

        return look

    def _advance(self, matter: Matter, heard: Sequence[Turn], desk: Desk) -> str:
        """Take one matter a step further, and say so."""
        texts = [matter.plain] if matter.plain else [turn.text for turn in heard]
        arguments = self._arguments(matter, texts, desk)
        situation = self._situation(matter, arguments)
        rulings = self._rule(situation)
        if "hand_over" in rulings.required():
            return self._hand_over(matter, desk)
        if "close_ticket" in rulings.required():
            return self._close(matter, desk)
        acts = rulings.required()
        need = self.kit.needs.get(matter.request)
        if need and arguments.keys().isdisjoint(need.any_of):
            return self._question(need.topic)
        if not acts:
            return self._explain(matter, rulings, self._wording(situation))
        if not self._can(acts[0], arguments, desk):
            arguments |= self._arguments(matter, [turn.text for turn in heard], desk)
        return self._act(matter, acts[0], arguments, heard, desk)

    def _act(
        self, matter: Matter, act: str, arguments: dict[str, Any], heard: Sequence[Turn], desk: Desk
    ) -> str:
        """Carry out what was agreed to, or propose it."""
        words = self._wording(self._situation(matter, arguments))
        if self._may_act(matter, act, heard):
            return self._do(matter, act, arguments, words, desk)
        matter.proposed = act
        return words.fill(f"I can {self.verbs[act].doing}. Shall I go ahead?")

    def _wording(self, situation: Situation) -> OracleWording:
        return OracleWording({name: word(situation) for name, word in self.kit.words.items()})

    def _can(self, act: str, arguments: dict[str, Any], desk: Desk) -> bool:
        """Whether the words say all that the tool needs to know."""
        return set(desk.tools[act].schema["required"]) <= {*self._given(arguments)}

    def _given(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {self.kit.subject: self._number(), **self.kit.defaults, **arguments}

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

    def _may_act(self, matter: Matter, act: str, heard: Sequence[Turn]) -> bool:
        """Only after this very act was proposed and the customer said yes."""
        return matter.proposed == act and answer(heard[-1].text, self.language) == "yes"

    def _hand_over(self, matter: Matter, desk: Desk) -> str:
        matter.settled = True
        self._end(desk, "hand_over", reason=f"{matter.request}: a colleague has to decide.")
        return HANDED_OVER if self.language == "en" else ""

    def _close(self, matter: Matter, desk: Desk) -> str:
        matter.settled = True
        self._end(desk, "close_ticket", summary="The customer confirms that everything is settled.")
        return "Our record agrees that everything is settled, so I've closed the ticket. Thank you!"

    def _end(self, desk: Desk, act: str, **arguments: str) -> None:
        self.is_over = desk.call(act, arguments).ok

    def _explain(self, matter: Matter, rulings: Rulings, words: OracleWording) -> str:
        """What the rules have to say to the customer; asked again, make sure of the wish first."""
        unsure = self.language == "en" and not matter.plain
        if unsure and matter.explained >= (3 if "photo" in rulings.asks() else 1):
            return self._question(WISH)
        matter.explained += 1
        matter.settled = matter.request in self.kit.answered_once
        told = [rule.say_in.get(self.language, rule.say) for rule in rulings.applying if rule.say]
        asked = [self._question(topic) for topic in rulings.asks()]
        again = "I understand that this is not what you hoped for. " if matter.explained > 1 else ""
        return again + words.fill(" ".join([*told, *asked]) or "I'm sorry, I can't do that.")

    def _do(
        self, matter: Matter, act: str, arguments: dict[str, Any], words: OracleWording, desk: Desk
    ) -> str:
        given = self._given(arguments)
        wanted = {name: given[name] for name in desk.tools[act].schema["properties"] if name in given}
        result = desk.call(act, wanted)
        if not result.ok:
            return f"I'm sorry, that did not work: {result.text}"
        self.is_stale = True
        matter.proposed = ""
        # Whoever wanted a ticket closed still does, once what was owed is on its way.
        matter.settled = matter.request not in self.closing
        return words.fill(self.verbs[act].done)

    def _arguments(self, matter: Matter, texts: list[str], desk: Desk) -> dict[str, Any]:
        """What the customer's words name, such as a line, another variant or an address."""
        goods = self.words.kind_of_goods(" ".join(texts))
        return self.kit.arguments(Hearing(matter.request, texts, self.seen, self._looking(desk), goods))
