"""Outlines: a family is read for a case of its own, and an outline of another file is ignored."""

from pathlib import Path
from shutil import copytree

import msgspec
import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.world import family
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import World, find_world, read_world, shipped_worlds
from supportagentbench.world.outline import OUTLINES, read_outlines, write_outlines
from supportagentbench.world.seed import PUBLIC, Seed, numbered, private


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The families whose files are read, as they are."""
    found: list[str] = []
    before = family.read_family

    def noted(path: Path, *given: object) -> object:
        found.append(path.stem)
        return before(path, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(family, "read_family", noted)
    return found


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A world of somebody's own that is like Northline."""
    return Path(copytree(find_world("northline"), tmp_path / "shop"))


@pytest.mark.parametrize("name", shipped_worlds())
def test_outlines_of_shipped_worlds_are_those_of_their_files(name: str, read: list[str]) -> None:
    world = read_world(name)
    assert not read, "run `make schemas`"
    assert {one.name: one.outline for one in world.families} == read_outlines(world.folder)
    for one in world.families:
        assert len(one.content.cases) == len(one.outline.cases)


def test_one_case_reads_one_family(read: list[str]) -> None:
    generate(read_world("northline")).cases["tracking-1"]
    assert read == ["tracking"]


@pytest.mark.parametrize("seed", [PUBLIC, numbered(7), private("a secret")])
def test_manners_are_those_of_the_wording_that_is_drawn(northline: World, seed: Seed) -> None:
    cases = generate(northline, seed)
    changed = 0
    for name, place in cases.places.items():
        if not place.twin_of:
            template = place.template(northline)
            drawn = template.brief.language, place.manner(template, seed)
            assert place.ways(northline, seed) == drawn, name
            changed += template.brief.manner != drawn[1]
    assert bool(changed) == (seed != PUBLIC)


def test_a_changed_file_is_read_whatever_its_outline_says(shop: Path, read: list[str]) -> None:
    path = shop / "cases" / "tracking.yaml"
    path.write_text(path.read_text().replace("title: ", "title: New "))
    world = read_world(str(shop))
    assert read == ["tracking"]
    assert world.vocabulary.case_types["tracking"].startswith("New ")


def test_a_world_without_outlines_is_read_as_a_whole(shop: Path, read: list[str]) -> None:
    (shop / OUTLINES).unlink()
    world = read_world(str(shop))
    assert read == [one.name for one in world.families]
    assert world.digest == read_world("northline").digest
    assert generate(world).seats == generate(read_world("northline")).seats


def test_an_outline_that_lies_is_found_when_its_family_is_read(shop: Path) -> None:
    outlines = read_outlines(shop)
    honest = outlines["tracking"]
    write_outlines(shop, outlines | {"tracking": msgspec.structs.replace(honest, cases=honest.cases[:-1])})
    with pytest.raises(Problem, match=OUTLINES):
        generate(read_world(str(shop))).cases["tracking-1"]


@pytest.mark.parametrize("data", [b"", b"[]", b'{"tracking": {"cases": 3}}'])
def test_outlines_that_are_none_are_named(shop: Path, data: bytes) -> None:
    (shop / OUTLINES).write_bytes(data)
    with pytest.raises(Problem) as caught:
        read_world(str(shop))
    assert caught.value.place == shop / OUTLINES
