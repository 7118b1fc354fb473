"""One entry describes a check, and every table of every room is made from it."""

import subprocess
import sys
from pathlib import Path

from supportagentbench.board.baseline_file import GATED_METRICS
from supportagentbench.board.metrics import METRICS, cards
from supportagentbench.checks.catalogue import CATALOGUE, DUTIES, UNSAFE
from supportagentbench.judges.to_check import CLAUSES
from supportagentbench.site.answers.trouble_kind import GRANTS, KINDS, OMITS, meaning
from supportagentbench.site.data.agent_stats import ACTIONS, CLAIMS, STYLE
from supportagentbench.site.data.issue import ISSUES, SERIOUS

SRC = Path(__file__).parents[2] / "src" / "supportagentbench"

NEW = """
import sys
from supportagentbench.checks import catalogue
from supportagentbench.checks.check import Check

new = Check(
    "shouted", "writes in capitals", "Shouting", "style", serious=True, to_check=True, gated=True,
    heading="It shouts", trait="shouts at customers", weight=1, guard="Hold back capitals",
)
catalogue.CATALOGUE["shouted"] = new

from supportagentbench.records.finding import Finding
from supportagentbench.checks.issue import is_issue
from supportagentbench.checks.precision import marked
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.gate_rules import parse_rule
from supportagentbench.judges.to_check import CLAUSES
from supportagentbench.site.answers.trouble_kind import KINDS, meaning
from supportagentbench.site.data.agent_stats import STYLE
from supportagentbench.site.data.issue import ISSUES, SERIOUS
from supportagentbench.site.data.links import behind

assert [one.title for one in METRICS if one.name == "shouted"] == ["Shouting"]
assert is_issue(Finding("shouted", True, ""))
assert next(iter(marked([Finding("shouted", True, "")]))).to_check
assert CLAUSES["shouted"] == meaning("shouted") == "writes in capitals"
assert KINDS["shouted"].heading == "It shouts" and "shouted" in STYLE and "shouted" in SERIOUS
assert ISSUES["shouted"].words == "shouting" and "counted=shouted" in behind("shouted", "a")
assert parse_rule("shouted", "no new").metric.title == "Shouting"
"""


def test_a_new_check_is_one_entry() -> None:
    """In a process of its own: board, gate, judge, reports, links and issues know it at once."""
    done = subprocess.run([sys.executable, "-c", NEW], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_entry_is_whole() -> None:
    for check in CATALOGUE.values():
        assert check.clause and check.title and not check.clause.endswith(".")
        assert bool(check.heading) == bool(check.trait) == (check.weight > 0)
        assert not check.card or check.card in cards()
        assert {*check.follows} <= CATALOGUE.keys() - {check.name}
        assert not (check.unsafe and (check.duty or check.to_check))
        assert meaning(check.name) == check.clause


def test_every_table_is_made_from_the_catalogue() -> None:
    named = {check.metric_name: check for check in CATALOGUE.values() if check.card}
    metrics = {metric.name: metric for metric in METRICS}
    others = {"unsafe", "pairs", "handovers", "messages", "words", "cost"}
    assert metrics.keys() == named.keys() | others
    for name, check in named.items():
        assert (metrics[name].title, metrics[name].card) == (check.title, check.card)
        assert metrics[name].better == ("higher" if check.duty else "lower")
    assert {*GATED_METRICS} == {"unsafe"} | {one.metric_name for one in CATALOGUE.values() if one.gated}
    assert {*ACTIONS, *CLAIMS, *STYLE} == {
        one.name for one in CATALOGUE.values() if one.card in ("acts", "checked", "claims", "style")
    }
    assert list(ISSUES) == [one.name for one in CATALOGUE.values() if one.counted]
    assert {*SERIOUS} == {name for name, kind in ISSUES.items() if kind.grade == "bad"}
    assert {*CLAUSES} == {one.name for one in CATALOGUE.values() if one.to_check}
    assert {one.name for one in CATALOGUE.values() if one.heading} == CATALOGUE.keys() & KINDS.keys()


def test_what_decides_an_outcome_and_a_habit_is_listed_here_once_more_by_hand() -> None:
    """Double entry: to change one of these is a decision, not a slip."""
    assert DUTIES == ("escalated", "resolved", "held")
    assert UNSAFE == ("forbidden", "premature", "closed_unresolved", "given_away", "disclosed")
    assert {"held", "forbidden", "premature", "waived_proof"} == GRANTS
    assert {"resolved", "escalated", "second_ignored"} == OMITS
    assert {name: check.needs for name, check in CATALOGUE.items() if check.needs} == {
        "given_away": ("pieces", "sending"),
        "waived_proof": ("proof", "sending"),
        "wrong_goods_said": ("goods", "sending"),
        "stale_tracking": ("journey", "sending"),
        "contradicts_record": ("record", "states"),
        "delivery_invented": ("record", "arrival"),
        "leaked_notes": ("notes",),
        "unchecked": ("record",),
        "near_miss": ("record",),
        "unchecked_beyond": ("record",),
    }


def test_words_about_a_check_are_nowhere_else() -> None:
    """No other module repeats a title, heading, trait, clause or guard of the catalogue."""
    phrases = {
        phrase
        for one in CATALOGUE.values()
        for phrase in (one.clause, one.heading, one.guard)
        if len(phrase.split()) > 4
    }
    for path in SRC.rglob("*.py"):
        if path.name != "catalogue.py":
            text = path.read_text()
            assert not [phrase for phrase in phrases if f'"{phrase}"' in text], path
