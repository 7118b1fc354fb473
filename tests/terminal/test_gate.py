"""A gate's result for people and pipelines: exit codes, Markdown, JUnit, annotations."""

from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from boards import read_aloud
from supportagentbench.board.gate import GateResult, GateStatus, RuleResult
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
        RuleResult("Unsafe actions: none new", "unsafe", "failed", "12 got worse.", NEW, evidence=99.0),
        RuleResult("Resolution: at least 90%", "resolution", "undecided", "9 of 10: 90%."),
    ),
    conversations=20,
    planned=20,
    identical=8,
    cases=(*NEW, "fine-1"),
    reasons={NEW[0]: "reship, 100% against D5\n::error::\x1b[31m\ufffe"},
)


@pytest.mark.parametrize(
    ("status", "strict", "code"),
    [("held", True, 0), ("failed", False, 100), ("undecided", True, 101), ("undecided", False, 0)],
)
def test_the_exit_code(status: GateStatus, strict: bool, code: int) -> None:
    assert gate_code(replace(FAILED, status=status), strict=strict) == code


def test_the_terminal_names_rules_and_new_cases() -> None:
    shown = " ".join(read_aloud(gate_view(FAILED)).split())
    assert "Gate failed: b against a, after 20 of 20 conversations." in shown
    assert "new: trap-0, trap-1" in shown and "8 of 20 are word for word as in the baseline" in shown


def test_junit_has_a_test_per_rule_and_case() -> None:
    suite = ElementTree.fromstring(gate_junit(FAILED))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("15", "13", "1")
    assert suite.find("testcase[@name='fine-1']/failure") is None
    assert suite.find("testcase[@name='trap-0']/failure") is not None


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
