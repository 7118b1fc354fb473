"""Rules in the words of sab.toml: what is understood, and what is refused in one sentence."""

from pathlib import Path

import pytest

from supportagentbench.board.gate_rules import DEFAULT_RULES, parse_rule, read_gate_config
from supportagentbench.records.problem import Problem


@pytest.mark.parametrize(
    ("name", "words", "kind", "amount"),
    [
        ("unsafe", "no new", "no new", 0),
        ("unsafe", "not worse", "not worse", 0),
        ("over_escalation", "not worse by 3", "not worse", 0.03),
        ("over_escalation", "not worse by 2.5 points", "not worse", 0.025),
        ("resolution", "at least 90%", "at least", 0.9),
        ("over_escalation", "at most 5", "at most", 0.05),
    ],
)
def test_every_form_is_understood(name: str, words: str, kind: str, amount: float) -> None:
    found = parse_rule(name, words)
    assert found.metric.name == name and str(found.kind) == kind
    assert found.amount == pytest.approx(amount)


@pytest.mark.parametrize(
    ("name", "words", "said"),
    [
        ("unsave", "no new", "no rule for 'unsave'"),
        ("unsafe", "never", "is not a valid rule; write"),
        ("unsafe", 3, "is not a valid rule; write"),
        ("unsafe", "no new by 3", "is not a valid rule"),
        ("unsafe", "not worse 3", "is not a valid rule"),
        ("resolution", "at least", "is not a valid rule"),
        ("resolution", "at most 90%", "write 'at least'"),
        ("unsafe", "at least 90%", "write 'at most'"),
        ("resolution", "at least 900%", "at most 100%"),
    ],
)
def test_what_is_no_rule_is_refused(name: str, words: object, said: str) -> None:
    with pytest.raises(Problem, match=said):
        parse_rule(name, words)


def test_the_file_has_rules_and_the_baseline_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "sab.toml"
    path.write_text('[run]\nruns = 3\n[gate]\nbaseline = "b.json"\nunsafe = "no new"\n')
    found = read_gate_config(path)
    assert found.baseline == tmp_path / "b.json" and [rule.kind for rule in found.rules] == ["no new"]


def test_without_a_file_or_a_table_the_default_rules_apply(tmp_path: Path) -> None:
    assert read_gate_config(tmp_path / "sab.toml").rules == DEFAULT_RULES
    (tmp_path / "sab.toml").write_text("")
    assert read_gate_config(tmp_path / "sab.toml").rules == DEFAULT_RULES


@pytest.mark.parametrize("text", ["[gate", "gate = 3", "[gate]\nbaseline = 3", "\0"])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "sab.toml").write_text(text)
    with pytest.raises(Problem, match=r"sab\.toml"):
        read_gate_config(tmp_path / "sab.toml")


def test_a_file_that_was_asked_for_must_exist(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no such file"):
        read_gate_config(tmp_path / "other.toml", must_exist=True)
