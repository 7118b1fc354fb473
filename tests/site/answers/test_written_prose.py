"""Prose that somebody wrote: code puts figures and quotes in, and whatever is not borne out is refused."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from reports import agent_stats_of, flock_data, reference_data, reference_folder, rendered
from supportagentbench.records.problem import Problem
from supportagentbench.site.answers.written_prose import Prose, parse_prose, read_folder, read_prose
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.quote import Said, in_bundles

WHOLE = """By: Robin

## Verdict
It grants what it is asked for: {{unsafe}} traps.

## The short version
It says {{quote damaged_no_proof-1 1 2 "Done, I've sent"}} without
a look at any photo. Rules kept: {{adherence rules}}.

Nobody stops it.
"""


@pytest.fixture(scope="module")
def said() -> Said:
    reference_data()
    return in_bundles(reference_folder() / "kept")


def read(text: str, said: Said, agent: str = "complies") -> Prose:
    return parse_prose(text, agent_stats_of(reference_data(), agent), said, "complies.md")


def test_figures_and_quotes_are_put_in_and_lead_to_their_conversations(said: Said) -> None:
    prose = read(WHOLE, said)
    assert prose.by == "Robin"
    [[words]] = [prose.of("verdict")]
    assert [piece.text for piece in words] == ["It grants what it is asked for: ", "100% (36/36)", " traps."]
    assert words[1].link == "reader.html#agent=complies&counted=unsafe"
    quote = prose.of("short")[0][1]
    assert (quote.kind, quote.text) == ("quote", "Done, I've sent")
    assert quote.link == "reader.html#case=damaged_no_proof-1&a=complies&run=1&m=am2"
    assert len(prose.of("short")) == 2


def test_it_stands_above_what_code_says_in_both_twins(said: Said) -> None:
    made = rendered(reference_data(), written={"complies": read(WHOLE, said)})
    page, twin = made["agents/complies.html"], made["agents/complies.md"]
    assert '<p class="written">It grants what it is asked for: <a class="number"' in page
    assert "written by Robin" in page and "Text by Robin" in twin
    assert "“Done, I've sent” ([read it](../reader.html#case=damaged_no_proof-1" in twin
    assert "This report has no text by a person" not in page
    assert "This report has no text by a person" in made["agents/oracle.html"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            "It acted {{unsafety}}.",
            "complies.md:5: this agent has no figure 'unsafety'; use one of over",
        ),
        ("Rules: {{adherence nobody}}.", "complies.md:5: this agent has no figure 'adherence nobody'"),
        ("It acted 45 times.", "complies.md:5: the digit 4 is written by hand"),
        ("It acted ٣ times.", "complies.md:5: the digit ٣ is written by hand"),
        ("It acted {{unsafe times.", "complies.md:5: a placeholder has to begin and end on one line"),
        ("It is the safest of all.", "complies.md:5: “It is the safest of all.” compares"),
        (
            '{{quote damaged_no_proof-1 1 2 "Done, I have sent"}}',
            "complies.md:5: “Done, I have sent” is quoted",
        ),
        (
            '{{quote damaged_no_proof-1 1 99 "Done, I\'ve sent"}}',
            "complies.md:5: message 99 of damaged_no_proof-1",
        ),
        ('{{quote nothing-1 1 2 "Done, I\'ve sent"}}', "complies.md:5: message 2 of nothing-1"),
        ('{{quote damaged_no_proof-1 1 2 "Done"}}', "complies.md:5: a quote needs at least 8 characters"),
        ("## Opinions", "complies.md:5: there is no section 'Opinions'"),
    ],
)
def test_what_has_no_support_is_refused_with_its_line(line: str, complaint: str, said: Said) -> None:
    with pytest.raises(Problem) as caught:
        read(f"By: Robin\n## Bottom line\n\nPlain words first.\n{line}\n", said)
    assert str(caught.value).startswith(complaint)


def test_text_before_the_first_heading_is_refused(said: Said) -> None:
    with pytest.raises(Problem, match=r"complies\.md:3: there is text before the first heading"):
        read("By: Robin\n\nIt is fine.\n", said)
    with pytest.raises(Problem, match=r"complies\.md:1: there is text before the first heading"):
        read("By: Robin\nIt is fine.\n", said)


@pytest.mark.parametrize(
    ("first", "complaint"),
    [
        ("", "does not say who wrote it; begin with a line `By: name`"),
        ("By:", "does not say who wrote it"),
        ("By: SupportAgentBench", "is not by 'SupportAgentBench', which only the board says"),
        ("By: Support-Agent Bench team", "is not by 'Support-Agent Bench team'"),
        ("By: verified ✓", "is not by 'verified ✓'"),
    ],
)
def test_text_has_an_author_who_is_not_the_benchmark(first: str, complaint: str, said: Said) -> None:
    with pytest.raises(Problem) as caught:
        read(f"{first}\n\n## Bottom line\nPlain words.\n", said)
    assert str(caught.value).startswith(f"complies.md:1: {complaint}")


def test_a_verdict_has_at_most_sixty_words(said: Said) -> None:
    with pytest.raises(Problem, match="the verdict has 61 words; at most 60 are allowed"):
        read("By: Robin\n## Verdict\n" + "word " * 61, said)


def test_a_claim_may_be_written_word_for_word() -> None:
    data = flock_data()
    stats = agent_stats_of(data, "wild/heron")
    kept = (
        "By: Robin\n## Bottom line\nA plain word. wild/heron beats wild/rook\n"
        "on needless handovers. Another word.\n"
    )
    assert parse_prose(kept, stats, lambda cite: None, "x.md").of("bottom")
    with pytest.raises(Problem, match=r"x\.md:3: .* compares"):
        parse_prose(kept.replace("needless handovers", "unsafe actions"), stats, lambda cite: None, "x.md")


def test_a_name_may_have_digits() -> None:
    data = flock_data()
    first = data.board.agents[0]
    named = replace(data.board, agents=(replace(first, name="heron-4.5"),), claims=())
    stats = AgentStats(data._replace(board=named, slugs={"heron-4.5": "heron"}), named.agents[0])
    assert parse_prose("By: Robin\n## Bottom line\nheron-4.5 it is.\n", stats, lambda cite: None, "x.md").of(
        "bottom"
    )
    with pytest.raises(Problem, match="the digit 4 is written by hand"):
        parse_prose("By: Robin\n## Bottom line\nheron-4 it is.\n", stats, lambda cite: None, "x.md")


def test_a_folder_of_prose_is_read_by_slug(tmp_path: Path, said: Said) -> None:
    (tmp_path / "complies.md").write_text(WHOLE)
    found = read_folder(tmp_path, reference_data(), said)
    assert found == {
        "complies": read_prose(tmp_path / "complies.md", agent_stats_of(reference_data(), "complies"), said)
    }
    (tmp_path / "complise.md").write_text(WHOLE)
    with pytest.raises(Problem, match=r"complise\.md: no agent has this file name; use one of oracle"):
        read_folder(tmp_path, reference_data(), said)
