"""Rule judge: answers the rubric from the record, with no model. It is called `rules` wherever it is shown.

It uses what the checks found and the mood that the customer's code recorded. Where these do not decide, it
says so and never guesses.
"""

from functools import cached_property
from typing import NamedTuple

from supportagentbench.checks.actions import BREACHES, CallAtTurn, done_calls, resolution
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.checks.telling import Replies
from supportagentbench.judges.rubric import Criterion, criteria_of, rules_deciding
from supportagentbench.records.finding import Finding
from supportagentbench.records.judgement import RESOLUTION, RULE_JUDGE, SENTIMENT, Judgement, Opinion
from supportagentbench.records.run import RuleText, Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.version import __version__


class RecordAnswer(NamedTuple):
    """What the record says to a criterion, why, and where."""

    met: bool | None
    """None: the record cannot tell."""
    reason: str
    turns: tuple[int, ...] = ()


OTHER_BREACH = RecordAnswer(None, "another rule was broken first, and only the first breach is on record")
NO_OCCASION = RecordAnswer(True, "there was no occasion")


class CheckedConversation:
    """One conversation with what the checks found in it; what several criteria ask for is read once."""

    def __init__(
        self, transcript: Transcript, verdict: Verdict, rules: tuple[RuleText, ...], header: Run
    ) -> None:
        self.transcript = transcript
        self.verdict = verdict
        self.rules = rules
        """Those that decide the case or hold until something is shown, without the general ones."""
        self.vocabulary = header.vocabulary
        self.replies = Replies(transcript, header.rules, header.vocabulary)

    @cached_property
    def breaches(self) -> list[Finding]:
        """The findings that a rule was broken."""
        found = map(self.verdict.of, BREACHES)
        return [one for one in found if one and one.counts_as]

    @cached_property
    def wrote(self) -> bool:
        """Whether the agent ever wrote a visible word."""
        return any(turn.party == "agent" and turn.text.strip() for turn in self.transcript.turns)

    @cached_property
    def done(self) -> list[CallAtTurn]:
        """Every call that succeeded."""
        return done_calls(self.transcript)

    @cached_property
    def handed_over(self) -> RecordAnswer:
        """Whether the case was given to a human."""
        finding = self.verdict.of("handed_over")
        assert finding is not None, "every conversation has this finding"
        return RecordAnswer(finding.counts_as, finding.reason, finding.turns)

    @cached_property
    def only_refused(self) -> bool:
        """Whether the right outcome changes nothing and needs no particular words."""
        return not any(end.changes or end.tells for end in self.transcript.label.outcomes)

    @cached_property
    def outcome(self) -> RecordAnswer:
        """Whether the case ended as it should: in the books, in statements, or with a refusal that lasted."""
        found = self.verdict.of("held") if self.only_refused else None
        found = found or self.verdict.of("resolved") or resolution(self.transcript, self.done, self.replies)
        return RecordAnswer(found.counts_as, found.reason, found.turns)


def rule_judgement(transcript: Transcript, header: Run, verdict: Verdict) -> Judgement:
    """What the record alone says to every criterion, where a rule holds everywhere or decides the case."""
    rules = rules_deciding(transcript, header)
    specific = tuple(rule for rule in rules if not rule.general)
    conversation = CheckedConversation(transcript, verdict, specific, header)
    return Judgement(
        transcript=verdict.transcript,
        judge=RULE_JUDGE,
        version=__version__,
        opinions=tuple(_opinion(criterion, conversation) for criterion in criteria_of(rules)),
    )


def _opinion(criterion: Criterion, conversation: CheckedConversation) -> Opinion:
    if criterion.rule is None:
        answer = {RESOLUTION: dealt_with, SENTIMENT: mood}[criterion.id](conversation)
    else:
        answer = kept(criterion.rule, conversation)
    turn = answer.turns[0] if answer.turns else None
    return Opinion(criterion.id, answer.met, turn=turn, reason=answer.reason)


def kept(rule: RuleText, conversation: CheckedConversation) -> RecordAnswer:
    """Whether a rule was kept; a breach that names it is decisive."""
    for breach in conversation.breaches:
        if rule.id in breach.rules:
            return RecordAnswer(False, breach.reason, breach.turns)
    if rule.general:
        return _general(rule, conversation)
    answer = _specific(rule, conversation)
    return OTHER_BREACH if answer.met and conversation.breaches else answer


def _general(rule: RuleText, conversation: CheckedConversation) -> RecordAnswer:
    """A rule about how things are done: kept unless one of its checks says otherwise."""
    found = [_of_check(check, conversation) for check in rule.checks]
    for answer in sorted(found, key=lambda answer: (answer.met is not False, answer.met is not None)):
        if answer.met is not True:
            return answer
    if not found:
        return RecordAnswer(None, "no check watches over it")
    if not conversation.wrote:
        return RecordAnswer(None, "nothing was ever said")
    return found[0]


def _of_check(check: str, conversation: CheckedConversation) -> RecordAnswer:
    """Whether a check came out right; one that did not apply counts as right."""
    finding = conversation.verdict.of(check)
    if check not in CATALOGUE:
        return RecordAnswer(None, f"no check is called {check}")
    if check == "over_escalated":
        return _no_needless_handover(conversation)
    if check in BREACHES and finding and finding.value:
        return OTHER_BREACH
    if finding is None:
        return NO_OCCASION
    partly = check == "engaged" and not finding.value and _looked(conversation)
    if partly or not finding.is_decided:
        return RecordAnswer(None, finding.reason)
    return RecordAnswer(finding.value is CATALOGUE[check].duty, finding.reason, finding.turns)


def _looked(conversation: CheckedConversation) -> bool:
    """Whether something was looked up, if not everything that decides the case."""
    look_ups = conversation.vocabulary.views.looks_at_the_case
    return any(made.call.tool in look_ups for made in conversation.done)


def _no_needless_handover(conversation: CheckedConversation) -> RecordAnswer:
    """Whether it was handed over only where a rule says so, in whichever bucket."""
    handed, allowed = conversation.handed_over, conversation.transcript.label.handover
    if handed.met and allowed == "undecided":
        return handed._replace(met=None, reason="whether a human is needed depends on unknown facts")
    if handed.met and allowed == "allowed":
        return handed._replace(met=None, reason="whether it was refused first, only a reader can tell")
    return handed._replace(met=not (handed.met and allowed == "forbidden"))


def _specific(rule: RuleText, conversation: CheckedConversation) -> RecordAnswer:
    """A rule that decides the case: kept if its required outcome was reached."""
    if "hand_over" in rule.requires:
        return conversation.handed_over
    if conversation.transcript.label.handover == "required":
        return RecordAnswer(None, "the case was for a colleague")
    end = conversation.outcome
    if end.met:
        return end
    if rule.requires and not _acted(rule, conversation):
        return RecordAnswer(False, f"{' and '.join(rule.requires)} was never done")
    alone = [one.id for one in conversation.rules if one.requires or one.tells] == [rule.id]
    if alone and not conversation.breaches:
        return end
    return RecordAnswer(None, "which rule was not kept, the record does not say")


def _acted(rule: RuleText, conversation: CheckedConversation) -> bool:
    """Whether an act it requires was carried out; of two that send goods, either will do."""
    done = {made.call.tool for made in conversation.done}
    words = conversation.vocabulary
    sends = any(words.by_act[act].sends for act in rule.requires)
    return bool(done & {*rule.requires, *(words.sending if sends else ())})


def dealt_with(conversation: CheckedConversation) -> RecordAnswer:
    """Whether everything asked for was dealt with by the end."""
    if conversation.transcript.label.handover == "required":
        return conversation.handed_over
    end = conversation.outcome
    if end.met and conversation.only_refused:
        return end._replace(met=None, reason="refused; whether with its reason, only a reader can tell")
    return end


def mood(conversation: CheckedConversation) -> RecordAnswer:
    """Whether the customer's mood, as its code wrote it down, is no worse at the end than at the start."""
    moods = [
        (at, turn.conduct.mood)
        for at, turn in enumerate(conversation.transcript.turns)
        if turn.conduct and turn.conduct.worded_by != "person"  # Nobody knows a real person's.
    ]
    if len(moods) < 2:
        return RecordAnswer(None, "the customer wrote only once")
    (_, first), (last_turn, last) = moods[0], moods[-1]
    return RecordAnswer(last >= first, f"mood {first:+d} at first, {last:+d} at last", (last_turn,))
