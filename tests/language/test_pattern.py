"""A pattern that a stranger wrote is used only if matching it ends soon, whatever the text."""

import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supportagentbench.concurrency.cpu_limit import OutOfTime, cpu_limit
from supportagentbench.language.notation import patterns
from supportagentbench.language.pattern import LONGEST, refuse_unsafe, why_refused
from supportagentbench.language.statements import stance
from supportagentbench.records.case import Label, Statement
from supportagentbench.records.problem import Problem
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world, shipped_worlds

REFUSED = {
    "(": "not a valid regular expression",
    "[a": "not a valid regular expression",
    "a{2,1}": "not a valid regular expression",
    "(?:x+x+)+y": "repeats without end",
    "(?:a|a)*b": "repeats without end",
    "(?:a|a?b|ab)+c": "repeats without end",
    "(?:[a-z]+ ?)+x": "repeats without end",
    r"(?:\w*\w)*!": "repeats without end",
    "(?:a*)*b": "can be empty",
    "(?:a?){30}a": "can be empty",
    r".*.*.*x": "end anywhere",
    r"(?:\w+a){8}\w+!": "end anywhere",
    "(?:a|ab?|abc){1,40}d": "too many ways",
    "(?:aa?){60}b": "too many ways",
    "x{999999999}": "too many ways",
    r"(a)\1": "not allowed",
    "(?i:x)": "not allowed",
    "(?i)x": "without flags",
    "a" * (LONGEST + 1): "letters",
    "(" * 3_000: "not a valid regular expression",
}

ALLOWED = (
    "",
    "cancel(?:led|ling)?",
    r"(?:have|has)(?: now| already| been| be)* (?:sent|shipped)",
    r"not(?: \w+){0,4} within 100 days",
    r"(?:is|are)\b[^.?!;]{0,60}?(?:broken|torn)[^.?!;]{0,60}?(?:refund|money)",
    r"https?://\S*track\S*",
    r"(?<!our )team(?! of)",
    "(?:a|ab)*c",
    "(?:ab|ba)+",
)


@pytest.mark.parametrize("pattern", REFUSED, ids=lambda one: one[:20])
def test_what_can_fit_in_too_many_ways_is_refused(pattern: str) -> None:
    assert REFUSED[pattern] in why_refused(pattern)
    with pytest.raises(Problem, match="cannot be used"):
        refuse_unsafe(["fine", pattern])


@pytest.mark.parametrize("pattern", ALLOWED)
def test_what_people_write_is_allowed(pattern: str) -> None:
    assert why_refused(pattern) == ""


def _statements(label: Label) -> Iterator[Statement]:
    yield from label.withheld
    for outcome in label.outcomes:
        yield from outcome.tells


@pytest.mark.parametrize("world", shipped_worlds())
def test_every_statement_of_a_shipped_world_is_allowed(world: str) -> None:
    labels = [case.label for case in generate(read_world(world)).cases.values()]
    found = {one for label in labels for one in _statements(label)}
    assert found
    for one in found:
        refuse_unsafe(patterns(*one.says, *one.denies))


ATOMS = st.sampled_from(["a", "b", " ", r"\w", ".", "[ab]", "[^a]", "ab", "a b", r"\b", "(?!a)", r"\d"])
TIMES = st.sampled_from(["*", "+", "?", "*?", "+?", "{0,3}", "{2}", "{1,9}", "{0,60}?", "{2,}"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=4).map(lambda found: f"(?:{'|'.join(found)})"),
        st.tuples(inner, TIMES).map(lambda found: f"(?:{found[0]}){found[1]}"),
    ),
    max_leaves=12,
)
HARD = [
    text * (400 // len(text)) + end for text in ("a", "ab", "a ", "aab", "a b", "1a ") for end in ("", "!")
]


@settings(max_examples=400, deadline=None)
@given(PATTERNS)
def test_what_is_allowed_ends_soon(pattern: str) -> None:
    """An exponential pattern would need years for these few letters, and one of the fourth degree minutes."""
    if why_refused(pattern):
        return
    compiled = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")
    for text in HARD:
        try:
            with cpu_limit(10):
                compiled.search(text)
        except OutOfTime:
            pytest.fail(f"{pattern!r} on {text[:6]!r}…")


def test_twenty_thousand_letters_are_read_in_seconds() -> None:
    """A shipped wording takes its time on this one, so a sentence is read as far as people read."""
    denies = r"(refund|money)\w*<gap>\d+( ?(-|to|or) ?\d+)? (business |working )?days"
    hard = Statement("how long a refund takes", (r"process\w*<near>\d+ days",), (denies,))
    started = time.process_time()
    for text in ("refund" + "1" * 20_000, "process " * 2_500, "a" * 20_000, "refund 1 " * 2_000):
        stance(hard, text, "en")
    assert time.process_time() - started < 5
