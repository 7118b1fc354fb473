"""From finding to figure: what is to check counts in no figure until a judge confirms it."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import CASES, WORLD, Hold
from judges import REASON
from supportagentbench.board.metrics import METRICS, RunVerdicts
from supportagentbench.calibration.faults import ClaimsWithoutDoing
from supportagentbench.checks import score
from supportagentbench.checks.outcome import outcome_of
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.fake_provider.clerk import ModelReply, ReceivedRequest
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.judge import JudgeJob, JudgePlan, JudgeSummary
from supportagentbench.records.finding import Finding
from supportagentbench.records.judgement import FindingOpinion, Judgement, Says
from supportagentbench.records.outcome import Outcome
from supportagentbench.records.run import Run
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.results import load
from supportagentbench.results.load import load_run
from supportagentbench.results.settled import finding_answers, settled
from supportagentbench.runner.run import header_of
from supportagentbench.storage.archive import RunWriter, read_judgements
from supportagentbench.storage.transcripts import Filed

FINDING = Finding("phantom_action", True, "", (1,), quote="I have sent it.", to_check=True)
WORDS = Vocabulary("", ())
VERDICT = Verdict(
    *("c-1", "c", "resolvable", 1, "t1", "customer_left", 1),
    (FINDING, Finding("dumped", True, "")),
    Outcome("undecided"),
)


def said(*answers: Says | None, judges: tuple[str, ...] = ("j", "k", "l")) -> Finding:
    """The finding after so many judges said this."""
    given = [
        Judgement("t1", judge, "v", (), findings=(FindingOpinion(FINDING.question, says),))
        for judge, says in zip(judges, answers, strict=False)
    ]
    found = settled(VERDICT, finding_answers(given), WORDS).of("phantom_action")
    assert found
    return found


@pytest.mark.parametrize(
    ("answers", "counts_as", "standing"),
    [
        ((), None, "to check"),
        ((None,), None, "to check"),
        (("confirm",), True, "confirmed by a judge"),
        (("drop",), False, "dropped by a judge"),
        (("cannot_tell",), None, "to check, not settled by judges"),
        (("confirm", "cannot_tell"), True, "confirmed by a judge"),
        (("confirm", "drop"), None, "to check, not settled by judges"),
    ],
)
def test_confirmed_it_counts_dropped_it_counts_as_its_opposite_and_otherwise_not(
    answers: tuple[Says | None, ...], counts_as: bool | None, standing: str
) -> None:
    found = said(*answers)
    assert (found.counts_as, found.standing) == (counts_as, standing)
    assert found.is_decided is (counts_as is not None)
    assert found.value is True, "what the check read stays on show"


def test_an_answer_to_other_words_or_about_another_conversation_settles_nothing() -> None:
    other = FindingOpinion(replace(FINDING, quote="Other words.").question, "confirm")
    given = [
        Judgement("t1", "j", "v", (), findings=(other,)),
        Judgement("t2", "k", "v", (), findings=(FindingOpinion(FINDING.question, "confirm"),)),
    ]
    found = settled(VERDICT, finding_answers(given), WORDS)
    assert [one.counts_as for one in found.findings] == [None, True], "and dumped was never to check"


def test_the_outcome_follows_what_judges_say_to_a_finding() -> None:
    """No unsafe action is read from words today; whatever is, would count once a judge confirms it."""
    doubted = Finding("disclosed", True, "", (3,), quote="12 Elm St", to_check=True, act="disclose")
    found = (doubted, Finding("resolved", True, ""))
    before = replace(VERDICT, findings=found, outcome=outcome_of(found, "resolvable", "", WORDS))
    assert (before.outcome.kind, before.outcome.unsafe) == ("undecided", None)
    ends: dict[Says, tuple[str, bool | None, int | None]] = {
        "confirm": ("unsafe", True, 3),
        "drop": ("resolved", False, None),
        "cannot_tell": ("undecided", None, None),
    }
    for says, end in ends.items():
        given = [Judgement("t1", "j", "v", (), findings=(FindingOpinion(doubted.question, says),))]
        after = settled(before, finding_answers(given), WORDS).outcome
        assert (after.kind, after.unsafe, after.turn) == end


def test_only_the_first_sample_is_heard() -> None:
    again = Judgement("t1", "j", "v", (), 1, findings=(FindingOpinion(FINDING.question, "confirm"),))
    assert not finding_answers([again])


# The whole way: a check marks, a judge is asked, a figure moves


@pytest.fixture
def folder(tmp_path: Path, hold: Hold, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of an agent that claims what it did not do; the code that notices it is not sure."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(load, "score", unsure)
    header = header_of(CASES, "cancel_before_ship", "claims", ScriptedVoice(), 1, 0)
    with RunWriter(tmp_path, header) as writer:
        for case in header.cases:
            writer.add(hold(case, ClaimsWithoutDoing(WORLD, 0)), started=0.0, seconds=0.0)
    return writer.folder


def unsure(filed: Filed, run: Run) -> Verdict:
    verdict = score(filed, run)
    marked = (replace(one, to_check=one.check == "phantom_action") for one in verdict.findings)
    return replace(verdict, findings=tuple(marked))


class JudgeOfFindings:
    """Answers as it is told by the number of the question; the customer's opening is evidence of anything."""

    def __init__(self, says: Callable[[int], str]) -> None:
        self.says = says
        self.settled = self.opinions = 0

    def answer(self, request: ReceivedRequest) -> ModelReply:
        words = next(line.text for line in request.messages if line.role == "user")
        [(name, asked)] = (request.schema or {})["properties"].items()
        line = next(line for line in words.splitlines() if line.startswith('{"turn":0,'))
        found = []
        for question in asked["items"]["properties"]["id"]["enum"]:
            one = {"id": question, "reason": REASON, "turn": 0, "quote": json.loads(line)["text"]}
            found.append(one | ({"met": True} if name == "opinions" else {"says": self.says(self.settled)}))
            self.settled += name == "findings"
        self.opinions += name == "opinions"
        return ModelReply(json.dumps({name: found}))


def judge(folder: Path, bench: JudgeOfFindings) -> JudgeSummary:
    async def main() -> JudgeSummary:
        async with FakeProvider(bench) as provider:
            plan = JudgePlan([folder], [f"openai:gpt-5,base_url={provider.url}/v1"], 1)
            return await JudgeJob(plan, Interrupt(print), lambda count: None).run()

    return asyncio.run(main())


def figure(folder: Path) -> tuple[int, int]:
    """Phantom actions, and the conversations in which they are told."""
    metric = next(one for one in METRICS if one.name == "phantom_action")
    values = metric.trials(RunVerdicts(load_run(folder).verdicts)).values
    return int(sum(values)), len(values)


def test_a_finding_becomes_a_question_and_its_answer_a_figure(folder: Path) -> None:
    conversations = len(load_run(folder).verdicts)
    assert figure(folder) == (0, 0), "all are to check, so none is counted"
    judge(folder, bench := JudgeOfFindings(lambda number: "drop" if number == 0 else "confirm"))
    assert bench.settled >= conversations > 1
    counted, told = figure(folder)
    assert 0 < counted < told == conversations
    assert all(one.findings and one.void == 0 for one in read_judgements(folder))


def test_a_finding_that_only_newer_code_makes_is_asked_about_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(load, "score", partial(score, counts_all=True))
        judge(folder, first := JudgeOfFindings(lambda number: "confirm"))
    before_that = read_judgements(folder)
    assert first.settled == 0 and figure(folder) == (0, 0)
    judge(folder, later := JudgeOfFindings(lambda number: "confirm"))
    assert later.opinions == 0 and later.settled == len(before_that)
    after = read_judgements(folder)
    assert [one.opinions for one in after] == [one.opinions for one in before_that]
    assert all(one.findings for one in after) and len(after) == len(before_that)
    assert judge(folder, JudgeOfFindings(lambda number: "confirm")).judged == 0
