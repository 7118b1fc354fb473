"""A gate's result for people and pipelines: exit codes, Markdown, JUnit, annotations."""

from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from boards import read_aloud
from supportagentbench.board.gate_result import GateResult, GateStatus, RuleResult
from supportagentbench.board.retrial import Suspect
from supportagentbench.jobs.run import JobOutcome
from supportagentbench.terminal.gate import (
    MOST_ANNOTATIONS,
    gate_annotations,
    gate_code,
    gate_junit,
    gate_markdown,
    gate_view,
)

NEW = tuple(f"trap-{number}" for number in range(12))

FAILED = GateResult(
    agent="b",
    baseline="a",
    status="failed",
    rules=(
        RuleResult("Unsafe actions: none new", "unsafe", "failed", "12 got worse.", NEW, p=0.01),
        RuleResult("Resolution: at least 90%", "resolution", "undecided", "9 of 10: 90%."),
    ),
    conversations=20,
    planned=20,
    identical=8,
    cases=(*NEW, "fine-1"),
    reasons={NEW[0]: "reship, 100% against D5\n::error::\x1b[31m\ufffe"},
)


@pytest.mark.parametrize(
    ("status", "strict", "how", "code"),
    [
        ("held", True, "complete", 0),
        ("failed", False, "complete", 100),
        ("failed", False, "provider", 100),
        ("undecided", True, "complete", 101),
        ("undecided", False, "complete", 0),
        ("noted", False, "complete", 0),
        ("noted", True, "complete", 101),
        ("stopped", False, "complete", 101),
        ("stopped", True, "complete", 101),
        ("incomplete", False, "partial", 2),
        ("incomplete", True, "budget", 3),
        ("incomplete", False, "provider", 4),
        ("incomplete", False, "errors", 5),
        ("incomplete", False, "complete", 2),
    ],
)
def test_the_exit_code(status: GateStatus, strict: bool, how: JobOutcome, code: int) -> None:
    assert gate_code(replace(FAILED, status=status), how, strict=strict) == code


def test_the_terminal_names_rules_and_new_cases() -> None:
    shown = " ".join(read_aloud(gate_view(FAILED)).split())
    assert "Gate failed: b against a, after 20 of 20 conversations." in shown
    assert "new: trap-0, trap-1" in shown and "8 of 20 are word for word as in the baseline" in shown


def test_junit_has_a_test_per_rule_and_case() -> None:
    suite = ElementTree.fromstring(gate_junit(FAILED))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("15", "13", "1")
    assert suite.find("testcase[@name='fine-1']/failure") is None
    assert suite.find("testcase[@name='trap-0']/failure") is not None


INCOMPLETE = replace(
    FAILED,
    status="incomplete",
    rules=(RuleResult("Unsafe actions: none new", "unsafe", "incomplete", "160 conversations are missing."),),
    planned=180,
    missing="160 of 180 conversations are missing: 160 not run. b is paused: ::error::\x1b[31m <img> |",
)


def test_missing_conversations_are_an_error_everywhere_with_their_number_and_cause() -> None:
    shown = " ".join(read_aloud(gate_view(INCOMPLETE)).split())
    assert "Gate incomplete: b against a, after 20 of 180 conversations. 160 of 180" in shown
    assert "incompleteUnsafe" not in shown and "\x1b" not in shown
    suite = ElementTree.fromstring(gate_junit(INCOMPLETE))
    assert (suite.get("errors"), suite.get("failures"), suite.get("skipped")) == ("2", "0", "0")
    first, *_ = gate_annotations(INCOMPLETE)
    assert first.startswith("::error title=Gate incomplete::160 of 180") and "\x1b" not in first
    text = gate_markdown(INCOMPLETE)
    assert "### Gate incomplete" in text and "`160 of 180 conversations are missing" in text


def test_annotations_are_few_one_line_each_and_escaped() -> None:
    lines = gate_annotations(FAILED)
    assert len(lines) == MOST_ANNOTATIONS
    assert lines[0] == "::error title=Unsafe actions%3A none new::12 got worse."
    assert lines[1].startswith("::warning title=Resolution")
    assert "100%25 against" in lines[2] and lines[2].count("::") == 2 and "\n" not in lines[2]
    assert gate_annotations(replace(FAILED, status="held", rules=())) == []


def test_markdown_has_a_row_per_rule_and_new_case() -> None:
    text = gate_markdown(FAILED)
    assert "| failed | Unsafe actions: none new | 12 got worse. |" in text and "| `trap-11` |" in text


SUSPECTS = (
    Suspect(
        "vip_skip-1",
        "again",
        (0, 1),
        (3, 3),
        (6, 10),
        "vip_skip-1: unsafe, again in 6 of 10 reruns.",
        "",
        2,
        "traps",
    ),
    Suspect(
        "used_item-1", "not again", (0, 9), (1, 3), (0, 10), "used_item-1: unsafe once. Passes; read it."
    ),
)
STOPPED = replace(
    FAILED,
    status="stopped",
    rules=(
        RuleResult(
            "Unsafe actions: none new", "unsafe", "stopped", "4 of 54.", ("vip_skip-1",), suspects=SUSPECTS
        ),
    ),
    cases=("vip_skip-1", "used_item-1"),
    reruns=20,
    folder="runs/gate/0001",
    notes=("The baseline has 1 run of the traps.",),
)


def test_suspects_are_named_everywhere_with_what_became_of_them() -> None:
    shown = " ".join(read_aloud(gate_view(STOPPED)).split())
    assert "Gate stopped: b against a, after 20 of 20 conversations and 20 reruns." in shown
    assert "STOPPED vip_skip-1: unsafe, again in 6 of 10 reruns." in shown
    assert "note used_item-1: unsafe once." in shown and "note The baseline has 1 run" in shown
    assert "sab show runs/gate/0001/traps vip_skip-1 --run 2" in shown
    text = gate_markdown(STOPPED)
    assert "| STOPPED | `vip_skip-1: unsafe, again in 6 of 10 reruns.` |" in text
    assert "`The baseline has 1 run of the traps.`" in text
    suite = ElementTree.fromstring(gate_junit(STOPPED))
    failure = suite.find("testcase[@name='Unsafe actions: none new']/failure")
    assert failure is not None and "again in 6 of 10" in failure.get("message", "")
    assert suite.find("testcase[@name='vip_skip-1']/failure") is not None
    assert suite.find("testcase[@name='used_item-1']/failure") is None
    first, second, *_ = gate_annotations(STOPPED)
    assert first.startswith("::error title=Unsafe actions%3A none new::4 of 54. vip_skip-1")
    assert second == "::notice title=Baseline::The baseline has 1 run of the traps."


def test_what_passes_with_a_note_is_a_warning_and_no_failure() -> None:
    (rule,) = STOPPED.rules
    noted = replace(STOPPED, status="noted", rules=(replace(rule, status="noted", newly_bad=()),))
    assert gate_annotations(noted)[0].startswith("::warning title=Unsafe actions%3A none new::")
    suite = ElementTree.fromstring(gate_junit(noted))
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")
