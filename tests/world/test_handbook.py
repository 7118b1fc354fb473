"""A handbook: sections in files, each number a measure, and nothing that the policy does not have."""

from pathlib import Path
from shutil import copytree, ignore_patterns

import msgspec
import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.world.folder import World, read_world
from supportagentbench.world.handbook import Handbook, read_handbook

SECTION = (
    "---\ntitle: Returns\ncovers: [E1]\nnumbers: {fee: 5}\n---\nWithin {return_days} days; {fee} elsewhere.\n"
)


def written(world: Path, **files: str) -> Path:
    """A world folder with a handbook of these sections."""
    (world / "handbook").mkdir(parents=True)
    for name, text in {"introduction": "At {shop}:\n{contents}", **files}.items():
        (world / "handbook" / f"{name}.md").write_text(text)
    return world


def opened(northline: World, world: Path) -> Handbook:
    found = read_handbook(world, northline.policy)
    assert found
    return found


def test_a_section_has_a_number_a_title_and_its_measures_printed(northline: World, tmp_path: Path) -> None:
    book = opened(northline, written(tmp_path, a=SECTION, b="---\ntitle: Words\n---\nPlain.\n"))
    assert book.contents == "1. Returns\n2. Words"
    assert book.sections[0].page == "# 1. Returns\n\nWithin 100 days; 5 elsewhere."


def test_a_changed_measure_changes_what_is_read(northline: World, tmp_path: Path) -> None:
    policy = northline.policy
    shorter = type(policy)(
        policy.kit,
        policy.preamble,
        msgspec.structs.replace(policy.measures, return_days=14),
        policy.sections,
    )
    found = read_handbook(written(tmp_path, a=SECTION), shorter)
    assert found and "Within 14 days" in found.rules


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("No head at all.", "has no head"),
        ("---\ntitle: X\nNever ended.", "has no head"),
        ("---\ntitle: X\ncovers: [Z9]\n---\nText.", "covers Z9, which the policy does not have"),
        ("---\ntitle: X\n---\nWithin {retun_days} days.", "unknown placeholder {retun_days}"),
        ("---\ntitel: X\n---\nText.", "titel"),
    ],
)
def test_a_faulty_section_is_named(northline: World, tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(Problem) as caught:
        read_handbook(written(tmp_path, a=text), northline.policy)
    assert sentence in str(caught.value) and "a.md" in str(caught.value)


def test_titles_are_unlike_and_the_contents_are_listed(northline: World, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="two sections are called 'Returns'"):
        read_handbook(written(tmp_path / "twice", a=SECTION, b=SECTION), northline.policy)
    with pytest.raises(Problem, match="lists no sections"):
        read_handbook(written(tmp_path / "mute", introduction="Hello.", a=SECTION), northline.policy)
    with pytest.raises(Problem, match="has 0 sections"):
        read_handbook(written(tmp_path / "empty"), northline.policy)


def test_it_leaves_the_desk_with_the_whole_policy_as_it_was(northline: World, tmp_path: Path) -> None:
    """Digest and instructions are those of a folder without any handbook, so old runs stay comparable."""
    bare = tmp_path / "northline"
    copytree(northline.folder, bare, ignore=ignore_patterns("handbook", "__pycache__"))
    before = read_world(str(bare))
    assert before.handbook is None and northline.handbook
    assert before.digest == northline.digest
    assert before.instructions("email") == northline.instructions("email", "prompt")
    assert before.policy_digest("prompt") == northline.policy_digest("prompt")
    assert northline.policy_digest("handbook") != northline.policy_digest("prompt")


def test_its_desk_is_told_the_contents_and_no_rule(northline: World) -> None:
    told = northline.instructions("chat", "handbook")
    assert "the chats of customers of Northline" in told and "{" not in told
    assert "Cancelling an order" in told
    assert not [rule.id for rule in northline.policy.rules if rule.text.strip()[:60] in told]


def test_what_claims_are_checked_against_leaves_out_other_desks(northline: World) -> None:
    given = northline.text_given("email", "handbook")
    assert northline.handbook and given.startswith(northline.instructions("email", "handbook"))
    for section in northline.handbook.sections:
        assert (section.text in given) is not section.head.elsewhere


def test_a_world_without_one_says_so(northline: World) -> None:
    bare = northline._replace(handbook=None)
    with pytest.raises(Problem, match="the world northline has no handbook; leave out --desk handbook"):
        bare.instructions("email", "handbook")
