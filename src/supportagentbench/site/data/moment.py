"""Moment: how an issue arose, read from the record: what was asked, seen and said before it.

Nothing here is judged. The customer's moves, what it understood and disclosed, and every call are on record;
causes are counted from these.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from supportagentbench.board.loss import NEEDLESS
from supportagentbench.board.mistakes import MISSED, MISTAKES, UNRESOLVED, endangers
from supportagentbench.checks.actions import TICKET_STATE, CallAtTurn, calls_of
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.checks.guards import handover_rules
from supportagentbench.checks.issue import is_issue
from supportagentbench.records.change import Change, Essentials, essence
from supportagentbench.records.finding import Finding
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import CustomerState, Transcript, Turn
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import HAND_OVER, PHOTO, TICKET_ACTS, Vocabulary
from supportagentbench.results.load import ScoredConversation

PUSHES = ("push", "no_proof", "again")
"""Moves of a customer who does not accept a refusal."""


class Exchange(NamedTuple):
    """The customer's message and the agent's answer that an issue is about, with their places."""

    heard_at: int
    heard: Turn
    said_at: int
    said: Turn


class IssueMoment(NamedTuple):
    """One issue of one conversation, and how it arose."""

    case: str
    agent: str
    run: int
    check: str
    is_to_check: bool
    """Whether it is still unsettled by a judge, so that no figure counts it."""
    reason: str
    about: str
    """What the customer had to learn, if the issue is about that."""
    quote: str
    rules: tuple[str, ...]
    act: str
    """The tool that was called, if the issue is about a call."""
    message: int
    """The customer's message after which the agent decided; 0 if the issue is not about a single turn."""
    refusals: int
    """How often the customer had been refused by then."""
    pushes: int
    asked_for_proof: bool
    has_looked: bool
    """Whether anything had been looked up by then."""
    knew: bool
    """Whether the agent had seen the deciding facts by then."""
    pressed: tuple[str, ...]
    """What the customer had brought up by then, as `fact:value`."""
    manner: str
    """How the outcome differs from the correct one: see `_manner`."""
    arguments: str
    """The tool's arguments."""
    exchange: Exchange | None
    is_danger: bool = False
    """Whether a person was in danger and no one was called."""
    dollars: float = 0.0
    """What such a mistake costs, as the cost page prices it until a reader says otherwise."""

    @property
    def gravity(self) -> tuple[bool, float]:
        """How bad it is: danger to a person outranks money, and money outranks the rest."""
        return self.is_danger, self.dollars


class Habits(NamedTuple):
    """What an agent did in one conversation, issue or not."""

    case: str
    agent: str
    run: int
    looked_up: frozenset[str]
    """The look-ups that it used."""
    needed: frozenset[str]
    """The look-ups without which the correct handling cannot be known."""
    has_handed_over: bool
    has_written: bool
    long_replies: tuple[str, ...]
    """Digests of its long replies, to find agents that send every customer the same text."""
    is_angry: bool
    """Whether the customer started in a bad mood, or wrote in capitals or with repeated exclamation marks."""
    is_question: bool
    """Whether it can be settled without a change."""
    leverage: tuple[str, ...]
    """The facts that the customer used to press the agent."""

    @property
    def has_looked(self) -> bool:
        return bool(self.looked_up)


LONG_REPLY = 200
"""From this many characters on, equal replies are more than a stock phrase."""

LOUD = re.compile(r"\b[A-Z]{4,}\b.*\b[A-Z]{3,}\b|!!", re.DOTALL)


def habits_of(agent: str, conversation: ScoredConversation, vocabulary: Vocabulary) -> Habits:
    """What the agent did in this conversation."""
    transcript = conversation.filed.transcript
    tools = {made.call.tool for made in calls_of(transcript) if made.call.result.ok}
    said = (turn.text for turn in transcript.turns if turn.party == "agent")
    opening = transcript.turns[0] if transcript.turns else Turn("customer", "")
    return Habits(
        case=transcript.case,
        agent=agent,
        run=transcript.run,
        looked_up=frozenset(tools & {*vocabulary.lookups}),
        needed=frozenset(transcript.label.lookups),
        has_handed_over=HAND_OVER in tools,
        has_written=bool(tools & {*vocabulary.writes}),
        long_replies=tuple({digest(text)[:12] for text in said if len(text) >= LONG_REPLY}),
        is_angry=bool(LOUD.search(opening.text))
        or (opening.conduct is not None and opening.conduct.mood < 0),
        is_question=not any(_real(end.changes, None) for end in transcript.label.outcomes),
        leverage=tuple(
            fact
            for turn in transcript.turns
            if turn.conduct and "push" in turn.conduct.moves
            for fact in turn.conduct.discloses
        ),
    )


def moments_of(agent: str, conversation: ScoredConversation, header: Run) -> Iterator[IssueMoment]:
    """Every issue of a conversation, including those that no judge has settled."""
    verdict, transcript = conversation.verdict, conversation.filed.transcript
    if not verdict.counts or verdict.twin_of:
        return
    for finding in verdict.findings:
        is_open = finding.to_check and finding.value is True and finding.counts_as is None
        if is_issue(finding) or (is_open and is_issue(_counted(finding))):
            moment = _moment(agent, transcript, finding, is_open, header.vocabulary)
            duties = handover_rules(transcript, header) if finding.check == "escalated" else ()
            yield moment._replace(
                rules=moment.rules or duties,
                is_danger=finding.check == "escalated" and endangers(verdict, header.vocabulary),
                dollars=_price(finding, verdict),
            )


_MADE_BY = {MISSED: "escalated", UNRESOLVED: "resolved", NEEDLESS: "over_escalated"}
_PRICES = {_MADE_BY[one.name]: one.dollars for one in MISTAKES if one.name in _MADE_BY}
"""By check, the price of a mistake that can be made at any desk."""


def _price(finding: Finding, verdict: Verdict) -> float:
    """The default price of the harm that an issue did; 0 if it has none."""
    if finding.check == verdict.outcome.check:
        return verdict.outcome.dollars or _PRICES.get(finding.check, 0.0)
    return _PRICES.get(finding.check, 0.0)


def _counted(finding: Finding) -> Finding:
    """The finding as if a judge had confirmed it."""
    return Finding(finding.check, finding.value, finding.reason)


def _moment(
    agent: str, transcript: Transcript, finding: Finding, is_open: bool, vocabulary: Vocabulary
) -> IssueMoment:
    made = call_of(transcript, finding)
    turn = made.turn if made else next((at for at in finding.turns if _is_agent(transcript, at)), -1)
    act = made.call.tool if made else ""
    decided = turn if turn >= 0 else len(transcript.turns)
    if CATALOGUE[finding.check].grants and made:
        decided = _decided_at(transcript, turn, act)
    before = [one.conduct for one in transcript.turns[:decided] if one.conduct]
    seen = _seen(transcript, made, turn)
    return IssueMoment(
        case=transcript.case,
        agent=agent,
        run=transcript.run,
        check=finding.check,
        is_to_check=is_open,
        reason=finding.reason,
        about=finding.about,
        quote=finding.quote,
        rules=finding.rules,
        act=act,
        message=len(before) if turn >= 0 else 0,
        refusals=sum(one.heard.refuses for one in before),
        pushes=sum(any(move in PUSHES for move in one.moves) for one in before),
        asked_for_proof=any(PHOTO in one.heard.asks for one in before),
        has_looked=bool(seen & {*vocabulary.lookups}),
        knew={*transcript.label.lookups} <= seen,
        pressed=tuple(_pressed(before)),
        manner=_manner(transcript, finding, vocabulary),
        arguments=_in_short(made.call.arguments) if made else "",
        exchange=_exchange(transcript, _shown_at(transcript, finding, turn, decided)),
    )


def _in_short(arguments: dict[str, Any] | str) -> str:
    """A tool's arguments, on one line."""
    if isinstance(arguments, str):
        return ""
    return ", ".join(f"{name} {value}" for name, value in arguments.items())[:LONGEST_ARGUMENTS]


LONGEST_ARGUMENTS = 90


def call_of(transcript: Transcript, finding: Finding) -> CallAtTurn | None:
    """The call that a finding is about: one in its turns that changed something or ended the conversation."""
    if finding.check == "resolved":
        return next((made for made in reversed(calls_of(transcript)) if made.call.result.wrote), None)
    about = CATALOGUE[finding.check].call
    if about == "refused":
        tried = (made for made in calls_of(transcript) if made.turn in finding.turns)
        return next((made for made in tried if not made.call.result.ok), None)
    if about != "done":
        return None
    acts = [
        made
        for made in calls_of(transcript)
        if made.turn in finding.turns
        and made.call.result.ok
        and (made.call.result.wrote or made.call.tool in TICKET_ACTS)
    ]
    acts = [made for made in acts if made.call.tool == finding.act] or acts
    first = acts[:1] if finding.check in ("late_handover", "unconfirmed") else acts[-1:]
    return first[0] if first else None


def _is_agent(transcript: Transcript, at: int) -> bool:
    return transcript.turns[at].party == "agent"


def _decided_at(transcript: Transcript, turn: int, act: str) -> int:
    """The turn in which the agent first offered what it then did; the turn itself if it offered nothing."""
    decided = turn
    for at in range(turn - 1, 0, -1):
        conduct = transcript.turns[at].conduct
        if conduct is None:
            continue
        if act not in conduct.heard.offers:
            break
        decided = at - 1
    return decided


def _seen(transcript: Transcript, made: CallAtTurn | None, turn: int) -> set[str]:
    """The tools that had answered before this call, by the end of this turn, or at all."""
    found: set[str] = set()
    for one in calls_of(transcript):
        if made is not None and one.call is made.call:
            break
        if made is None and 0 <= turn < one.turn:
            break
        if one.call.result.ok:
            found.add(one.call.tool)
    return found


def _pressed(before: list[CustomerState]) -> Iterator[str]:
    """What the customer brought up in its opening or when it pushed."""
    for conduct in before:
        if "open" in conduct.moves or any(move in PUSHES for move in conduct.moves):
            yield from (f"{fact}:{value}" for fact, value in conduct.discloses.items())


def _manner(transcript: Transcript, finding: Finding, vocabulary: Vocabulary) -> str:
    """How the outcome differs from the correct one.

    `twice`, `elsewhere`: for a change that the customer did not ask for. `undone`, `other value`,
    `other entry`, `opposite`, `untold`: for a ticket that was not resolved.
    """
    if finding.check == "unrequested":
        return _unrequested_manner(transcript, vocabulary)
    if finding.check != "resolved":
        return ""
    goods = vocabulary.views.essentials
    calls = [made.call.result for made in calls_of(transcript) if made.call.result.ok]
    wanted = [_real(end.changes, goods) for end in transcript.label.outcomes]
    done = _real((change for result in calls for change in result.changes), goods)
    if any(wanted) and not done:
        return "undone"
    if done and done not in wanted:
        return "other value" if any({*done} == {*one} for one in wanted) else "other entry"
    return "opposite" if finding.quote else "untold"


def _real(changes: Iterable[Change], goods: Essentials | None) -> dict[tuple[str, str, str], str]:
    """The last value of every entry that was changed, without bookkeeping and the ticket itself."""
    found: dict[tuple[str, str, str], str] = {}
    for change in changes:
        if not change.is_bookkeeping and change.place != TICKET_STATE:
            found[change.place] = repr(essence(change.after, goods))
    return found


def _unrequested_manner(transcript: Transcript, vocabulary: Vocabulary) -> str:
    """Whether the same change was made twice, or another record was changed."""
    made = [
        one for one in calls_of(transcript) if one.call.result.wrote and one.call.tool in vocabulary.writes
    ]
    given = [(one.call.tool, one.call.arguments) for one in made]
    if any(given.count(one) > 1 for one in given):
        return "twice"
    records = {
        str(arguments.get(vocabulary.subject, "")) for _, arguments in given if isinstance(arguments, dict)
    }
    return "elsewhere" if len(records) > 1 else ""


def _exchange(transcript: Transcript, said_at: int) -> Exchange | None:
    """What the customer wrote before an agent's turn, and what the agent answered."""
    if not 0 < said_at < len(transcript.turns) or transcript.turns[said_at - 1].party != "customer":
        return None
    return Exchange(said_at - 1, transcript.turns[said_at - 1], said_at, transcript.turns[said_at])


def _shown_at(transcript: Transcript, finding: Finding, turn: int, decided: int) -> int:
    """The agent's turn to quote: where it decided, or where it proposed the action if that is the issue."""
    if finding.check == "unconfirmed_strict" and turn > 2:
        return turn - 2
    if finding.check == "escalated" and (trigger := trigger_in(transcript.turns)) is not None:
        return trigger + 1
    return decided if turn >= 0 else _telling_reply(transcript)


def trigger_in(turns: Sequence[Turn]) -> int | None:
    """The customer's message with the last new fact, if it was answered: with it the case is complete."""
    known: set[tuple[str, str]] = set()
    found = None
    for at, turn in enumerate(turns[:-1]):
        told = {*turn.conduct.discloses.items()} if turn.conduct else set()
        found = at if told - known else found
        known |= told
    return found


def _telling_reply(transcript: Transcript) -> int:
    """The agent's turn that best shows what it left undone: its refusal, or its first reply on the matter."""
    refused = [
        at - 1 for at, turn in enumerate(transcript.turns) if turn.conduct and turn.conduct.heard.refuses
    ]
    if refused:
        return next((at for at in refused if "?" not in transcript.turns[at].text), refused[0])
    looked = next((at for at, turn in enumerate(transcript.turns) if turn.calls), 0)
    spoken = [at for at, turn in enumerate(transcript.turns) if turn.party == "agent" and turn.text.strip()]
    return next((at for at in spoken if at >= looked), spoken[-1] if spoken else -1)
