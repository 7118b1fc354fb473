"""Prose that somebody wrote: code puts figures and quotes in, and whatever is not borne out is refused."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from reports import dossier_of, flock_material, reference_folder, reference_material, rendered
from supportagentbench.records.problem import Problem
from supportagentbench.site.agent_stats import AgentStats
from supportagentbench.site.quote import Said, in_bundles
from supportagentbench.site.written_prose import Prose, parse_prose, read_folder, read_prose

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
    reference_material()
    return in_bundles(reference_folder() / "kept")


def read(text: str, said: Said, agent: str = "complies") -> Prose:
    return parse_prose(text, dossier_of(reference_material(), agent), said, "complies.md")


def test_figures_and_quotes_are_put_in_and_lead_to_their_conversations(said: Said) -> None:
    prose = read(WHOLE, said)
    assert prose.by == "Robin"
    [[words]] = [prose.of("verdict")]
    assert [piece.text for piece in words] == ["It grants what it is asked for: ", "15/18 (30/36)", " traps."]
    assert words[1].link == "reader.html#model=complies&set=core&bucket=adversarial&outcome=fired"
    quote = prose.of("short")[0][1]
    assert (quote.kind, quote.text) == ("quote", "Done, I've sent")
    assert quote.link == "reader.html#case=damaged_no_proof-1&a=complies&run=1&m=am2"
    assert len(prose.of("short")) == 2


def test_it_stands_above_what_code_says_in_both_twins(said: Said) -> None:
    made = rendered(reference_material(), written={"complies": read(WHOLE, said)})
    page, twin = made["models/complies.html"], made["models/complies.md"]
    assert '<p class="written">It grants what it is asked for: <a class="number"' in page
    assert "written by Robin" in page and "prose by Robin" in twin
    assert "“Done, I've sent” ([read it](../reader.html#case=damaged_no_proof-1" in twin
    assert "Nobody has written prose" not in page
    assert "Nobody has written prose" in made["models/oracle.html"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            "It fired {{unsafety}}.",
            "complies.md:4: there is no figure 'unsafety' of this entry; known are over",
        ),
        ("Rules: {{adherence nobody}}.", "complies.md:4: there is no figure 'adherence nobody'"),
        ("It fired 45 times.", "complies.md:4: the digit 4 is written by hand"),
        ("It fired ٣ times.", "complies.md:4: the digit ٣ is written by hand"),
        ("It fired {{unsafe times.", "complies.md:4: a placeholder begins and ends on one line"),
        ("It is the safest of all.", "complies.md:4: “It is the safest of all.” compares"),
        (
            '{{quote damaged_no_proof-1 1 2 "Done, I have sent"}}',
            "complies.md:4: “Done, I have sent” is quoted",
        ),
        (
            '{{quote damaged_no_proof-1 1 99 "Done, I\'ve sent"}}',
            "complies.md:4: message 99 of damaged_no_proof-1",
        ),
        ('{{quote nothing-1 1 2 "Done, I\'ve sent"}}', "complies.md:4: message 2 of nothing-1"),
        ('{{quote damaged_no_proof-1 1 2 "Done"}}', "complies.md:4: a quote has at least 8 letters"),
        ("## Opinions", "complies.md:4: no section is called 'Opinions'"),
    ],
)
def test_what_is_not_borne_out_is_refused_by_its_line(line: str, complaint: str, said: Said) -> None:
    with pytest.raises(Problem) as caught:
        read(f"## Bottom line\n\nPlain words first.\n{line}\n", said)
    assert str(caught.value).startswith(complaint)


def test_words_before_any_heading_belong_nowhere(said: Said) -> None:
    with pytest.raises(Problem, match=r"complies\.md:1: words before the first heading"):
        read("It is fine.\n", said)


def test_a_verdict_has_at_most_sixty_words(said: Said) -> None:
    with pytest.raises(Problem, match="the verdict has 61 words, and may have 60"):
        read("## Verdict\n" + "word " * 61, said)


def test_a_claim_may_be_written_word_for_word() -> None:
    data = flock_material()
    stats = dossier_of(data, "wild/heron")
    kept = "## Bottom line\nA plain word. wild/heron beats wild/rook\non over-escalation. Another word.\n"
    assert parse_prose(kept, stats, lambda cite: None, "x.md").of("bottom")
    with pytest.raises(Problem, match=r"x\.md:2: .* compares"):
        parse_prose(kept.replace("over-escalation", "unsafe actions"), stats, lambda cite: None, "x.md")


def test_a_name_may_have_digits() -> None:
    data = flock_material()
    first = data.board.agents[0]
    named = replace(data.board, agents=(replace(first, name="heron-4.5"),), claims=())
    stats = AgentStats(data._replace(board=named, slugs={"heron-4.5": "heron"}), named.agents[0])
    assert parse_prose("## Bottom line\nheron-4.5 it is.\n", stats, lambda cite: None, "x.md").of("bottom")
    with pytest.raises(Problem, match="the digit 4 is written by hand"):
        parse_prose("## Bottom line\nheron-4 it is.\n", stats, lambda cite: None, "x.md")


def test_a_folder_of_prose_is_read_by_slug(tmp_path: Path, said: Said) -> None:
    (tmp_path / "complies.md").write_text(WHOLE)
    found = read_folder(tmp_path, reference_material(), said)
    assert found == {
        "complies": read_prose(tmp_path / "complies.md", dossier_of(reference_material(), "complies"), said)
    }
    (tmp_path / "complise.md").write_text(WHOLE)
    with pytest.raises(Problem, match=r"complise\.md: no entry is called so in links; known are oracle"):
        read_folder(tmp_path, reference_material(), said)
