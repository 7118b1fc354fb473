import importlib
import os
import py_compile
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest

from supportagentbench.concurrency.import_guard import ImportGuard

HONEST, FORGED = "SAYS = 'honest'\n", "SAYS = 'forged'\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, with a module and a package."""
    root = tmp_path / "root"
    (root / "sab_part").mkdir(parents=True)
    for name in ("sab_alone.py", "sab_part/__init__.py", "sab_part/inner.py"):
        (root / name).write_text(HONEST)
    monkeypatch.setattr(sys, "path", [*sys.path, str(root), str(root / "later.zip")])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    return root


@pytest.fixture
def begin(root: Path) -> Iterator[Callable[[], None]]:
    """Begins to guard; afterwards nothing of it is left."""

    def begin() -> None:
        sys.meta_path.insert(0, ImportGuard([str(root), str(root / "later.zip")]))
        importlib.invalidate_caches()

    yield begin
    for name in [name for name in sys.modules if name.startswith("sab_")]:
        del sys.modules[name]


def said(name: str) -> str:
    importlib.invalidate_caches()
    return str(importlib.import_module(name).SAYS)


def test_what_was_there_is_imported_and_not_compiled_to_disk(root: Path, begin: Callable[[], None]) -> None:
    begin()
    assert said("sab_alone") == said("sab_part.inner") == "honest"
    assert not [*root.rglob("*.pyc")]


def changed(root: Path) -> None:
    (root / "sab_alone.py").write_text(FORGED)
    os.utime(root / "sab_alone.py", (1, 1))


def replaced(root: Path) -> None:
    (root / "other.py").write_text(FORGED)
    (root / "other.py").rename(root / "sab_alone.py")


def added_before(root: Path) -> None:
    """A package is found before a module of the same name."""
    (root / "sab_alone").mkdir()
    (root / "sab_alone" / "__init__.py").write_text(FORGED)


def linked(root: Path) -> None:
    (root / "sab_alone.py").unlink()
    (root / "sab_alone.py").symlink_to(root.parent / "old" / "__init__.py")


def moved_here(root: Path) -> None:
    (root.parent / "old").rename(root / "sab_alone")


def linked_here(root: Path) -> None:
    (root / "sab_alone").symlink_to(root.parent / "old")


@pytest.mark.parametrize("change", [changed, replaced, added_before, linked, moved_here, linked_here])
def test_a_module_that_changed_is_refused(
    root: Path, begin: Callable[[], None], change: Callable[[Path], None]
) -> None:
    (root.parent / "old").mkdir()
    (root.parent / "old" / "__init__.py").write_text(FORGED)
    begin()
    change(root)
    with pytest.raises(ImportError, match=r"was changed while agents ran, so sab_alone is not imported"):
        said("sab_alone")


def test_a_part_of_a_package_and_an_archive_are_refused_too(root: Path, begin: Callable[[], None]) -> None:
    copytree(root / "sab_part", root.parent / "sab_part")
    (root.parent / "sab_part" / "inner.py").write_text(FORGED)
    begin()
    assert said("sab_part") == "honest"
    (root / "sab_part").rename(root.parent / "away")
    (root.parent / "sab_part").rename(root / "sab_part")
    with zipfile.ZipFile(root / "later.zip", "w") as archive:
        archive.writestr("sab_archived.py", FORGED)
    for name in ("sab_part.inner", "sab_archived"):
        with pytest.raises(ImportError, match="was changed while agents ran"):
            said(name)


def test_compiled_code_counts_only_if_it_is_not_new(root: Path, begin: Callable[[], None]) -> None:
    source = root / "sab_alone.py"
    source.write_text(FORGED)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    forged = Path(str(py_compile.compile(str(source), invalidation_mode=unchecked)))
    away = forged.parent.rename(root.parent / "compiled")
    source.write_text(HONEST)
    begin()
    away.rename(forged.parent)
    assert said("sab_alone") == "honest", "the folder of compiled code was moved there"
    del sys.modules["sab_alone"]
    forged.write_bytes(forged.read_bytes())
    assert said("sab_alone") == "honest"


def test_older_compiled_code_is_used(root: Path, begin: Callable[[], None]) -> None:
    source = root / "sab_alone.py"
    py_compile.compile(str(source), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    source.write_text("SAYS = 'edited before'\n")
    begin()
    assert said("sab_alone") == "honest"


def test_other_places_are_not_guarded(root: Path, begin: Callable[[], None], tmp_path: Path) -> None:
    begin()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "sab_new.py").write_text("SAYS = 'new'\n")
    sys.path.append(str(tmp_path / "tests"))
    assert said("sab_new") == "new"
