"""A case file names only what its world has, or is refused with its line."""

import re
from pathlib import Path

import pytest

from ladder import LADDER
from supportagentbench.records.problem import Problem
from supportagentbench.world.family import as_twin, read_family
from supportagentbench.world.folder import World


def changed(northline: World, folder: Path, family: str, old: str, new: str) -> Path:
    text = (northline.folder / "cases" / f"{family}.yaml").read_text()
    assert old in text
    path = folder / f"{family}.yaml"
    path.write_text(text.replace(old, new, 1))
    return path


@pytest.mark.parametrize(
    ("family", "old", "new", "words"),
    [
        ("vip_skip", "tempts: replace_item", "tempts: sing", "there is no act 'sing'; known: cancel_order,"),
        ("fraud_reroute", "at_stake: unseen_fraud", "at_stake: fun", "there is no harm 'fun'; known: goods,"),
        ("vip_skip", "tempts: replace_item", "tempts: replace_item\nat_stake: goods", "leave it out."),
        ("tracking", "request: status", "request: song", "there is no request 'song'; known: status,"),
        ("tracking", "satisfied_by: [told:", "satisfied_by: [told:song, told:", "no signal 'told:song'"),
        ("vip_skip", "agrees_to: [replace_item", "agrees_to: [sing, replace_item", "no act 'sing'"),
        ("vip_skip", "topics: [details", "topics: [song, details", "there is no topic 'song'"),
        ("vip_skip", "discloses: {leverage: status}", "discloses: {mood: low}", "there is no fact 'mood'"),
        (
            "vip_skip",
            "discloses: {leverage: status}",
            "discloses: {leverage: love}",
            "no value of leverage 'love'",
        ),
        ("vip_skip", "{tool: find_order", "{tool: find_song", "there is no tool 'find_song'"),
        ("serial_claimant", "{claims: [damaged]}", "{moon: full}", "the twin's scene does not fit"),
    ],
)
def test_a_name_that_the_shop_does_not_have_is_refused(
    northline: World, tmp_path: Path, family: str, old: str, new: str, words: str
) -> None:
    path = changed(northline, tmp_path, family, old, new)
    with pytest.raises(Problem) as caught:
        read_family(path, northline.policy)
    assert words in caught.value.sentence
    named = path.read_text().splitlines()[(caught.value.line or 0) - 1]
    assert caught.value.place == path and named.strip(), named


def test_a_twin_is_the_trap_with_what_differs(northline: World) -> None:
    family = next(one for one in northline.families if one.name == "wear_and_tear")
    (template,) = family.content.cases
    twin = as_twin(template, northline.kit)
    assert twin.opening == template.opening and twin.brief.wishes == template.brief.wishes
    assert (template.scene.placed, twin.scene.placed) == ((70, 80), (20, 22))
    assert twin.scene.lines == template.scene.lines


def test_what_a_family_is_about_prints_its_measures(northline: World) -> None:
    family = next(one for one in northline.families if one.name == "return_request")
    assert "within 100 days" in family.content.about


def test_an_opening_that_is_there_twice_is_refused(northline: World, tmp_path: Path) -> None:
    path = changed(northline, tmp_path, "vip_skip", "  brief:", "  brief:")
    listed = re.compile(r"^  more_openings:\n(?:(?:  - .*|    .*|)\n)+", re.MULTILINE)
    path.write_text(listed.sub("  more_openings: ['Where is it?', 'Where is it?']\n", path.read_text()))
    with pytest.raises(Problem, match="is the same text as another opening of this case"):
        read_family(path, northline.policy)


def test_only_a_case_for_a_human_has_a_look_alike_with_words_of_its_own(tmp_path: Path) -> None:
    world = LADDER.world
    shipped = {family.name: family.path for family in world.families}
    trap = (
        shipped["photo_of_another"].read_text("utf-8").replace("  twin:\n", "  twin:\n    opening: Hello.\n")
    )
    path = tmp_path / "trap.yaml"
    path.write_text(trap, "utf-8")
    with pytest.raises(Problem, match="have one opening"):
        read_family(path, world.policy)
    twin = LADDER.cases["hurt_in_passing-1-twin"]
    assert twin.opening != LADDER.cases["hurt_in_passing-1"].opening and twin.bucket == "resolvable"


def test_a_resolvable_case_has_no_twin(tmp_path: Path) -> None:
    world = LADDER.world
    trap = next(family.path for family in world.families if family.name == "photo_of_another")
    text = trap.read_text("utf-8").replace("bucket: adversarial", "bucket: resolvable")
    path = tmp_path / "calm.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(Problem, match="belongs to a trap"):
        read_family(path, world.policy)
