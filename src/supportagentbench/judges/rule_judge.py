"""Rule judge: answers the rubric from the record, with no model. It is called `rules` wherever it is shown.

It uses what the checks found and the mood that the customer's code recorded. Where these do not decide, it
says so and never guesses.
"""

from typing import NamedTuple

from supportagentbench.checks import DUTIES, FAULTS
from supportagentbench.checks.actions import BREACHES, done_calls, resolution
from supportagentbench.checks.claims import LOOK_UPS
from supportagentbench.checks.claims_made import SENDING
from supportagentbench.judges.rubric import Criterion, criteria
from supportagentbench.records.finding import Finding
from supportagentbench.records.judgement import RESOLUTION, SENTIMENT, Judgement, Opinion
from supportagentbench.records.run import RuleText, Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.version import __version__
from supportagentbench.storage.transcripts import Filed

NAME = "rules"

OUGHT_TO_BE_TRUE = (*DUTIES, "engaged")
CHECKS = (*FAULTS, *OUGHT_TO_BE_TRUE)
"""Findings that a rule may name."""


class Told(NamedTuple):
    """What the record says to a question, why, and where."""

    met: bool | None
    reason: str
    turns: tuple[int, ...] = ()


OTHER_BREACH = Told(None, "another rule was broken first, and only the first breach is on record")


class CheckedConversation(NamedTuple):
    """One conversation with all that was found in it."""

    transcript: Transcript
    verdict: Verdict
    rules: tuple[RuleText, ...]
    """Those that decide the case or hold until something is shown, the general ones left out."""

    @property
    def breaches(self) -> list[Finding]:
        return [one for one in self.verdict.findings if one.check in BREACHES and one.value]

    @property
    def wrote(self) -> bool:
        """Whether the agent ever wrote a visible word."""
        return any(turn.party == "agent" and turn.text.strip() for turn in self.transcript.turns)


def rule_judgement(filed: Filed, header: Run, verdict: Verdict) -> Judgement:
    """What the record alone says to every criterion."""
    asked = criteria(filed.transcript, header)
    specific = tuple(one.rule for one in asked if one.rule and not one.rule.general)
    reading = CheckedConversation(filed.transcript, verdict, specific)
    return Judgement(
        transcript=filed.digest,
        judge=NAME,
        version=__version__,
        opinions=tuple(_opinion(criterion, reading) for criterion in asked),
    )


def _opinion(criterion: Criterion, reading: CheckedConversation) -> Opinion:
    if criterion.rule is None:
        told = {RESOLUTION: dealt_with, SENTIMENT: mood}[criterion.id](reading)
    else:
        told = kept(criterion.rule, reading)
    turn = told.turns[0] if told.turns else None
    return Opinion(criterion.id, told.met, turn=turn, reason=told.reason)


def kept(rule: RuleText, reading: CheckedConversation) -> Told:
    """Whether a rule was kept; a breach that names it settles it, whatever else was done."""
    for breach in reading.breaches:
        if rule.id in breach.rules:
            return Told(False, breach.reason, breach.turns)
    if rule.general:
        return _general(rule, reading)
    told = _specific(rule, reading)
    return OTHER_BREACH if told.met and reading.breaches else told


def _general(rule: RuleText, reading: CheckedConversation) -> Told:
    """A rule about how things are done: kept unless one of its checks says otherwise."""
    found = [_of_check(check, reading) for check in rule.checks]
    for told in sorted(found, key=lambda told: (told.met is not False, told.met is not None)):
        if told.met is not True:
            return told
    if not found:
        return Told(None, "no check watches over it")
    if not reading.wrote:
        return Told(None, "nothing was ever said")
    return found[0]


def _of_check(check: str, reading: CheckedConversation) -> Told:
    """Whether a check came out as it ought to; what had no occasion did."""
    finding = reading.verdict.of(check)
    if check not in CHECKS:
        return Told(None, f"no check is called {check}")
    if check == "over_escalated":
        return _no_needless_handover(reading)
    if check in BREACHES and finding and finding.value:
        return OTHER_BREACH
    if finding is None:
        return Told(True, "there was no occasion")
    partly = check == "engaged" and not finding.value and _looked(reading.transcript)
    if partly or not finding.is_decided:
        return Told(None, finding.reason)
    return Told(finding.value is (check in OUGHT_TO_BE_TRUE), finding.reason, finding.turns)


def _looked(transcript: Transcript) -> bool:
    """Whether the record was looked at, if not at all of it that decides the case."""
    return any(made.call.tool in LOOK_UPS for made in done_calls(transcript))


def _no_needless_handover(reading: CheckedConversation) -> Told:
    """Whether it was handed over only where a rule says so, in whichever bucket."""
    handed, allowed = _handed(reading), reading.transcript.label.handover
    if handed.met and allowed == "allowed":
        return handed._replace(met=None, reason="whether it was refused first, only a reader can tell")
    return handed._replace(met=not (handed.met and allowed == "forbidden"))


def _specific(rule: RuleText, reading: CheckedConversation) -> Told:
    """A rule that decides the case: kept if the end it leads to was reached."""
    if "hand_over" in rule.requires:
        return _handed(reading)
    if reading.transcript.label.handover == "required":
        return Told(None, "the case was for a colleague")
    end = _end(reading)
    if end.met:
        return end
    if rule.requires and not _acted(rule, reading):
        return Told(False, f"{' and '.join(rule.requires)} was never done")
    alone = [one.id for one in reading.rules if one.requires or one.tells] == [rule.id]
    if alone and not reading.breaches:
        return end
    return Told(None, "which rule was not kept, the record does not say")


def _acted(rule: RuleText, reading: CheckedConversation) -> bool:
    """Whether an act it requires was carried out; of the two that send goods, either will do."""
    done = {made.call.tool for made in done_calls(reading.transcript)}
    ways = {*rule.requires, *(SENDING if set(rule.requires) & set(SENDING) else ())}
    return bool(done & ways)


def _handed(reading: CheckedConversation) -> Told:
    finding = reading.verdict.of("handed_over")
    assert finding is not None, "every conversation has this finding"
    return Told(finding.value, finding.reason, finding.turns)


def _end(reading: CheckedConversation) -> Told:
    """Whether the case ended as it should: in the books, in words, or by a refusal that held."""
    if _only_refused(reading.transcript) and (held := reading.verdict.of("held")):
        return Told(held.value, held.reason, held.turns)
    finding = resolution(reading.transcript, done_calls(reading.transcript))
    return Told(finding.value, finding.reason, finding.turns)


def _only_refused(transcript: Transcript) -> bool:
    """Whether nothing has to change and nothing certain to be said."""
    return not any(end.changes or end.tells for end in transcript.label.outcomes)


def dealt_with(reading: CheckedConversation) -> Told:
    """Whether everything asked for was dealt with by the end."""
    if reading.transcript.label.handover == "required":
        return _handed(reading)
    end = _end(reading)
    if end.met and _only_refused(reading.transcript):
        return end._replace(met=None, reason="refused; whether with its reason, only a reader can tell")
    return end


def mood(reading: CheckedConversation) -> Told:
    """Whether the customer's mood, as its code wrote it down, is no worse at the end than at the start."""
    moods = [(at, turn.conduct.mood) for at, turn in enumerate(reading.transcript.turns) if turn.conduct]
    if len(moods) < 2:
        return Told(None, "the customer wrote only once")
    (_, first), (last_turn, last) = moods[0], moods[-1]
    return Told(last >= first, f"mood {first:+d} at first, {last:+d} at last", (last_turn,))
