"""Moment: how a conversation came to an issue, read from the record: what was asked, seen and said before.

Nothing here is judged. The customer's moves, what it heard and what it disclosed are on record, and so is every
call; causes are counted from these.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from supportagentbench.checks.actions import TICKET_STATE, CallAtTurn, calls_of
from supportagentbench.records.change import Change, essence
from supportagentbench.records.finding import Finding
from supportagentbench.records.transcript import CustomerState, Transcript, Turn
from supportagentbench.records.vocabulary import HAND_OVER, PHOTO, Vocabulary
from supportagentbench.results.load import ScoredConversation
from supportagentbench.site.outcome import is_issue

PUSHES = ("push", "no_proof", "again")
"""Moves of a customer who does not take no for an answer."""


class Exchange(NamedTuple):
    """The customer's message and the agent's answer that an issue is about, with their places."""

    heard_at: int
    heard: Turn
    said_at: int
    said: Turn


class IssueMoment(NamedTuple):
    """One issue of one conversation, and how it came about."""

    case: str
    agent: str
    run: int
    check: str
    is_to_check: bool
    """Whether no judge has settled it, so that no figure counts it."""
    reason: str
    rules: tuple[str, ...]
    act: str
    """The tool that was called, if it is about a call."""
    message: int
    """After which message of the customer the agent decided; 0 if it is about no single turn."""
    refusals: int
    """How often the customer had been refused by then."""
    pushes: int
    asked_for_proof: bool
    has_looked: bool
    """Whether anything had been looked up by then."""
    knew: bool
    """Whether it had seen by then what decides the case."""
    pressed: tuple[str, ...]
    """What the customer put forward by then, as `fact:value`."""
    manner: str
    """How it differs from what is right: see `_manner`."""
    exchange: Exchange | None


class Habits(NamedTuple):
    """What an agent did in one conversation, issue or not."""

    case: str
    agent: str
    run: int
    has_looked: bool
    has_handed_over: bool
    first_reply: str
    """Its beginning: equal for agents that send everybody the same."""
    mood: int
    """The customer's, as it came."""
    is_question: bool
    """Whether nothing has to be changed to settle it."""


SAME_REPLY = 60
"""Characters by which two first replies are compared."""


def habits_of(agent: str, conversation: ScoredConversation, vocabulary: Vocabulary) -> Habits:
    """What the agent did in this conversation."""
    transcript = conversation.filed.transcript
    tools = [made.call.tool for made in calls_of(transcript) if made.call.result.ok]
    first = next((turn.text for turn in transcript.turns if turn.party == "agent"), "")
    opening = transcript.turns[0].conduct if transcript.turns else None
    return Habits(
        case=transcript.case,
        agent=agent,
        run=transcript.run,
        has_looked=any(tool in vocabulary.lookups for tool in tools),
        has_handed_over=HAND_OVER in tools,
        first_reply=first[:SAME_REPLY],
        mood=opening.mood if opening else 0,
        is_question=not any(_real(end.changes) for end in transcript.label.outcomes),
    )


def moments_of(agent: str, conversation: ScoredConversation, vocabulary: Vocabulary) -> Iterator[IssueMoment]:
    """Every issue of a conversation, those that no judge has settled included."""
    verdict, transcript = conversation.verdict, conversation.filed.transcript
    if not verdict.counts or verdict.twin_of:
        return
    for finding in verdict.findings:
        is_open = finding.to_check and finding.value is True and finding.counts_as is None
        if is_issue(finding) or (is_open and is_issue(_counted(finding))):
            yield _moment(agent, transcript, finding, is_open, vocabulary)


def _counted(finding: Finding) -> Finding:
    """The finding as if a judge had confirmed it."""
    return Finding(finding.check, finding.value, finding.reason)


def _moment(
    agent: str, transcript: Transcript, finding: Finding, is_open: bool, vocabulary: Vocabulary
) -> IssueMoment:
    made = _call_of(transcript, finding)
    turn = made.turn if made else next((at for at in finding.turns if _is_agent(transcript, at)), -1)
    act = made.call.tool if made else ""
    decided = _decided_at(transcript, turn, act) if turn >= 0 else len(transcript.turns)
    before = [one.conduct for one in transcript.turns[:decided] if one.conduct]
    seen = _seen(transcript, made, turn)
    return IssueMoment(
        case=transcript.case,
        agent=agent,
        run=transcript.run,
        check=finding.check,
        is_to_check=is_open,
        reason=finding.reason,
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
        exchange=_exchange(transcript, decided if turn >= 0 else _first_reply(transcript)),
    )


def _call_of(transcript: Transcript, finding: Finding) -> CallAtTurn | None:
    """The call that a finding is about: the last in its turns that changed something or ended the talk."""
    acts = [
        made
        for made in calls_of(transcript)
        if made.turn in finding.turns and (made.call.result.wrote or made.call.tool == HAND_OVER)
    ]
    return acts[-1] if acts else None


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
    """The tools that had answered before this call, or by the end of this turn, or at all."""
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
    """What the customer put forward in its opening or when it pushed."""
    for conduct in before:
        if "open" in conduct.moves or any(move in PUSHES for move in conduct.moves):
            yield from (f"{fact}:{value}" for fact, value in conduct.discloses.items())


def _manner(transcript: Transcript, finding: Finding, vocabulary: Vocabulary) -> str:
    """How what was done differs from what is right.

    `twice`, `elsewhere`: of a change that nobody asked for. `undone`, `other value`, `other entry`, `opposite`,
    `untold`: of a ticket that was not resolved.
    """
    if finding.check == "unrequested":
        return _unrequested_manner(transcript, vocabulary)
    if finding.check != "resolved":
        return ""
    wanted = [_real(end.changes) for end in transcript.label.outcomes]
    done = _real(
        change for made in calls_of(transcript) if made.call.result.ok for change in made.call.result.changes
    )
    if any(wanted) and not done:
        return "undone"
    if done and done not in wanted:
        return "other value" if any({*done} == {*one} for one in wanted) else "other entry"
    return "opposite" if finding.quote else "untold"


def _real(changes: Iterable[Change]) -> dict[tuple[str, str, str], str]:
    """The last value of every entry that was changed, without bookkeeping and the ticket itself."""
    found: dict[tuple[str, str, str], str] = {}
    for change in changes:
        if not change.is_bookkeeping and change.place != TICKET_STATE:
            found[change.place] = repr(essence(change.after))
    return found


def _unrequested_manner(transcript: Transcript, vocabulary: Vocabulary) -> str:
    """Whether the same change was made twice, or another record was changed."""
    made = [one for one in calls_of(transcript) if one.call.result.wrote and one.call.tool in vocabulary.writes]
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


def _first_reply(transcript: Transcript) -> int:
    """The agent's first turn with words."""
    spoken = [at for at, turn in enumerate(transcript.turns) if turn.party == "agent" and turn.text.strip()]
    return spoken[0] if spoken else -1
