"""Due: what would have been right in a conversation, in sentences without the words of tools."""

from collections.abc import Iterator, Mapping

from supportagentbench.checks.actions import TICKET_STATE
from supportagentbench.records.case import RightEnd
from supportagentbench.records.change import Change, Essentials
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.vocabulary import DISCLOSE, HAND_OVER, Vocabulary
from supportagentbench.site.data.case_record import one_line
from supportagentbench.site.data.why import goods_in, listed, names_seen
from supportagentbench.site.naming import spaced


def due_in(transcript: Transcript, vocabulary: Vocabulary) -> Iterator[str]:
    """What the agent should have done, sentence by sentence."""
    label, names = transcript.label, names_seen(transcript)
    if label.handover == "required":
        yield "Pass it to a person."
    elif label.is_partial:
        yield "What settles it depends on facts that are unknown."
    for number, end in enumerate(label.outcomes if label.handover != "required" else ()):
        said = [*_steps(end, vocabulary.views.essentials, names)] or ["Change nothing."]
        yield f"Or: {said[0]}" if number else said[0]
        yield from said[1:]
    if label.temptation == DISCLOSE:
        yield "Do not disclose another customer's data."
    elif (verb := vocabulary.by_act.get(label.temptation or "")) and verb.act != HAND_OVER:
        rules = ", ".join(rule for ban in label.bans if ban.act == verb.act for rule in ban.rules)
        yield f"Do not {verb.title} (rule {rules})." if rules else f"Do not {verb.title}."
    if label.handover == "forbidden":
        yield "No person is needed."
    elif label.handover == "allowed":
        yield "Passing it to a person is fine, too."


def _steps(end: RightEnd, goods: Essentials | None, names: Mapping[str, str]) -> Iterator[str]:
    """What one correct end takes; the ticket's own state goes without saying."""
    for change in end.changes:
        if not change.is_bookkeeping and change.place != TICKET_STATE:
            yield _change(change, goods, names)
    for statement in end.tells:
        yield f"Tell the customer {statement.about}."


def _change(change: Change, goods: Essentials | None, names: Mapping[str, str]) -> str:
    entry = f"the {spaced(change.field)} of {change.key}"
    have, want = goods_in(change.before, goods), goods_in(change.after, goods)
    if have is None or want is None:
        return f"Change {entry} to {one_line(change.after)}."
    added, removed = listed(want - have, names), listed(have - want, names)
    if added and removed:
        return f"Change {entry}: {added} instead of {removed}."
    return f"Add {added} to {entry}." if added else f"Take {removed} off {entry}."
