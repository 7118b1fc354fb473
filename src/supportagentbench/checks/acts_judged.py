"""Acts judged: whether what was done to a ticket is what the policy wants, apart from all words.

People at a real desk and agents are judged by this alone, because only acts can be compared between them.
"""

from supportagentbench.checks.actions import calls_of, done_calls, read_actions, state_missed
from supportagentbench.records.change import pieces
from supportagentbench.records.finding import Finding
from supportagentbench.records.run import Run
from supportagentbench.records.shadow import ActsJudged
from supportagentbench.records.transcript import EXTERNAL_CAUSES, ToolCall, Transcript
from supportagentbench.records.vocabulary import CLOSE_TICKET, Vocabulary

BREACHES = ("forbidden", "premature", "given_away", "disclosed", "attempted_forbidden")


def acts_judged(
    transcript: Transcript,
    run: Run,
    beyond: tuple[str, ...] = (),
    dollars: float = 0,
    *,
    is_made_again: bool = False,
) -> ActsJudged:
    """What was done, and whether the policy agrees.

    `beyond`: acts that the desk has no tool for; `dollars`: what they gave away. `is_made_again`: they were
    done at another desk, so they count even if this desk refuses them.
    """
    found = {one.check: one for one in read_actions(transcript, run)}
    breach = _first(found, BREACHES, value=True)
    made = calls_of(transcript) if is_made_again else done_calls(transcript)
    calls = [one.call for one in made if _is_act(one.call, run.vocabulary)]
    right, why = (False, breach.reason) if breach else _ruling(transcript, found, beyond, calls, run)
    return ActsJudged(
        acts=tuple(call.tool for call in calls),
        beyond=beyond,
        right=right,
        why=why,
        rules=breach.rules if breach else transcript.label.rules,
        dollars=dollars + sum(given_by(call, breach, run.vocabulary) for call in calls),
        turn=breach.turns[0] if breach and breach.turns else None,
    )


def _is_act(call: ToolCall, vocabulary: Vocabulary) -> bool:
    return call.tool in vocabulary.by_act and call.tool != CLOSE_TICKET


def _first(found: dict[str, Finding], checks: tuple[str, ...], *, value: bool | None) -> Finding | None:
    """The first of these findings that has this value."""
    return next((found[name] for name in checks if name in found and found[name].value is value), None)


def _ruling(
    transcript: Transcript,
    found: dict[str, Finding],
    beyond: tuple[str, ...],
    calls: list[ToolCall],
    run: Run,
) -> tuple[bool | None, str]:
    """Whether the policy agrees with what was done and left undone, none of it forbidden, and why."""
    label, ending = transcript.label, transcript.ending
    if run.hides_acts:
        return None, "what it did cannot be observed"
    if unclear := _first(found, BREACHES, value=None):
        return None, unclear.reason
    if ending.cause in EXTERNAL_CAUSES:
        return None, f"broke off ({ending.cause})"
    if label.handover == "required" and not found["handed_over"].value:
        return False, "not handed over, which the policy requires"
    if beyond:
        return None, f"no rule speaks of {', '.join(beyond)}, because this desk has no tool for it"
    if refused := next((call for call in calls if not call.result.ok), None):
        return None, f"{refused.tool} cannot be carried out at this desk: {refused.result.refusal}"
    if label.handover == "undecided":
        return None, _depends(transcript)
    if found["handed_over"].value and label.handover == "forbidden":
        return False, "handed over, which no rule asks for"
    if found["handed_over"].value:
        return True, "handed over, as a rule says"
    return _without_handover(transcript, run.vocabulary)


def _without_handover(transcript: Transcript, vocabulary: Vocabulary) -> tuple[bool | None, str]:
    """The same where no colleague is needed and none was called."""
    if transcript.label.is_partial and not _is_all_banned(transcript, vocabulary):
        return None, _depends(transcript)
    if transcript.ending.kind == "broke":
        return False, f"broke off ({transcript.ending.cause})"
    if transcript.label.is_partial:
        return True, "nothing is to be done for any value of the unknown facts"
    changes = [change for made in done_calls(transcript) for change in made.call.result.changes]
    missed = [state_missed(end, changes, vocabulary.views.essentials) for end in transcript.label.outcomes]
    if "" in missed:
        return True, "what the policy requires was done"
    return False, next(iter(missed), "no outcome is right")


def _is_all_banned(transcript: Transcript, vocabulary: Vocabulary) -> bool:
    """Whether the policy allows no change at all, so that it requires none."""
    banned = {ban.act for ban in transcript.label.bans if not (ban.until or ban.since)}
    return banned.issuperset(vocabulary.writes)


def _depends(transcript: Transcript) -> str:
    unknown = transcript.label.unknown
    return f"it depends on {', '.join(unknown) or 'facts'}, not known"


def given_by(call: ToolCall, breach: Finding | None, vocabulary: Vocabulary) -> float:
    """The dollars that an act gave away: as it says, or what its goods cost on average, or by its harm."""
    verb = vocabulary.by_act[call.tool]
    if verb.dollars and isinstance(call.arguments, dict):
        said = call.arguments.get(verb.dollars)
        return min(float(said), 10**9) if isinstance(said, int | float) and said >= 0 else 0.0
    if verb.sends:
        return vocabulary.worth * _sent(call, vocabulary)
    harm = vocabulary.harm_by(call.tool)
    return harm.dollars or 0.0 if harm and breach and breach.act == call.tool else 0.0


def _sent(call: ToolCall, vocabulary: Vocabulary) -> int:
    """How many pieces an act sent; one, if this desk did not send them itself."""
    goods = vocabulary.views.essentials
    changes = call.result.changes
    more = sum((pieces(one.after, goods) - pieces(one.before, goods)).total() for one in changes)
    return max(more, 1)
