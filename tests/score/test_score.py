"""Scoring as a whole: all findings on a conversation, and whose words they speak of."""

from conversations import CASES, Hold, judged
from supportagentbench.agents.oracle import Oracle
from supportagentbench.agents.reference import Dumps
from supportagentbench.score import DUTIES, FAULTS, in_own_words, shortcomings
from supportagentbench.transcript import Transcript, Turn


def test_every_fault_and_duty_is_a_finding_of_some_conversation(hold: Hold) -> None:
    found = {
        finding.check
        for case in ("cancel_before_ship-1", "fraud_reroute-1", "damaged_no_proof-1")
        for finding in judged(hold(case, Oracle(0))).findings
    }
    assert set(FAULTS) | set(DUTIES) <= found


def test_what_a_tool_said_is_not_the_agents_own_claim(hold: Hold) -> None:
    dumped = hold("tracking-1", Dumps(0))
    verdict = judged(dumped)
    finding = verdict.of("dumped")
    assert finding is not None and finding.value is True
    own = in_own_words(dumped)
    assert max(len(turn.text) for turn in own.turns if turn.party == "agent") < 100
    assert any("dumped" in words for words in shortcomings(verdict))


def test_ones_own_words_stay_as_they_are(hold: Hold) -> None:
    case = next(iter(CASES.cases))
    transcript: Transcript = hold(case, Oracle(0))
    assert in_own_words(transcript) == transcript
    assert all(isinstance(turn, Turn) for turn in transcript.turns)
