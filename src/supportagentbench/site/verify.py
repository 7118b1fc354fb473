"""Verify: rebuilds the pages from the conversations in their folder and compares every byte but of pictures.

Each conversation has to match its digest, and everything computed from them has to equal what the pages show.
Whether the conversations themselves are genuine is decided by whoever can play them again (`examine`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, to_json
from supportagentbench.records.verification import Verification
from supportagentbench.records.version import __version__
from supportagentbench.site.about import FILE, FOLDER
from supportagentbench.site.build import CHANGES, FORKS, PROSE, Extras, build
from supportagentbench.site.data.bundle import BundledConversation, read_bundle
from supportagentbench.site.manifest import Manifest
from supportagentbench.site.pages.changes import Changes
from supportagentbench.site.png import size_of
from supportagentbench.site.share.share_drawing import HEIGHT, LARGEST, WIDTH
from supportagentbench.site.share.share_picture import FOLDER as PICTURES
from supportagentbench.storage.archive import HEADER, JUDGEMENTS
from supportagentbench.storage.file import LARGEST_BUNDLE, read_bounded, write_new
from supportagentbench.storage.place import refuse_links
from supportagentbench.storage.record_file import read_record
from supportagentbench.storage.set_aside import SET_ASIDE
from supportagentbench.storage.transcripts import TRANSCRIPTS, ArchiveLine


class SiteRuns(NamedTuple):
    """The runs of a site, as they were stored before the pages were built."""

    runs: Path
    forks: Path | None
    revealed: str
    """The secret that drew private cases, if the site has it."""


class SiteExamination(NamedTuple):
    """What playing the conversations of a site again says."""

    differences: list[str]
    """One sentence for each that is not as its case gives it."""
    verifications: Mapping[str, Verification]
    """Whose results are verified, by the agents' names in their runs."""


def verify(site: Path, examine: Callable[[SiteRuns], SiteExamination] | None = None) -> Iterator[str]:
    """One sentence for each thing in this folder that its conversations do not support, and for each
    conversation that `examine` finds to be no genuine one; without it, conversations are trusted.
    """
    manifest = _manifest(site)
    refuse_links(site)
    forked = read_record(site / FORKS, Manifest) if (site / FORKS).exists() else None
    if left_out := manifest.left_out + (forked.left_out if forked else 0):
        raise Problem(
            f"{left_out} of its conversations are not in it, so its numbers cannot be recomputed; "
            "build it with --transcripts all.",
            place=site,
        )
    if manifest.package != __version__:
        raise Problem(
            f"was built with version {manifest.package}, and this is {__version__}; use that version.",
            place=site,
        )
    with TemporaryDirectory() as scratch:
        runs, forks, again = (Path(scratch) / name for name in ("runs", "forks", "site"))
        found = _conversations(site)
        _unpack(found, manifest, runs)
        if forked:
            _unpack(found, forked, forks)
        given = SiteRuns(runs, forks if forked else None, manifest.revealed)
        examined = examine(given) if examine else SiteExamination([], manifest.verifications)
        yield from examined.differences
        extras = _extras(site)._replace(
            forks=(forks,) if forked else (),
            verifications=examined.verifications,
            revealed=manifest.revealed,
            choice=manifest.choice,
        )
        try:
            build([runs], again, extras=extras, fresh=True)
        except Problem as problem:
            yield f"The pages cannot be built again from their conversations: {problem}"
            return
        yield from _differences(site, again)


def set_aside_in(site: Path) -> list[str]:
    """What the folder itself says of attempts that do not count; nothing in it can show that."""
    return _manifest(site).set_aside_notes()


def _manifest(site: Path) -> Manifest:
    path = site / "data" / "manifest.json"
    if not path.exists():
        raise Problem("is not a site made from runs: it has no data/manifest.json.", place=site)
    return read_record(path, Manifest)


def _extras(site: Path) -> Extras:
    """Written reports are checked against the conversations again; changes are taken as given."""
    prose, changes, about = site / PROSE, site / CHANGES, site / FOLDER / FILE
    return Extras(
        prose=prose if prose.is_dir() else None,
        changes=read_record(changes, Changes) if changes.is_file() else None,
        about=about if about.is_file() else None,
    )


def _conversations(site: Path) -> dict[tuple[str, int], list[BundledConversation]]:
    """Every conversation of the folder, by its agent's name in links and its run."""
    conversations: dict[tuple[str, int], list[BundledConversation]] = defaultdict(list)
    for path in sorted((site / "data" / "t").glob("*/*.js")):
        bundle = read_bundle(path)
        for conversation in bundle.runs:
            if digest(conversation.transcript) != conversation.digest:
                raise Problem("was changed after it was written: it does not match its digest.", place=path)
            conversations[bundle.agent, conversation.run].append(conversation)
    return conversations


def _unpack(
    conversations: dict[tuple[str, int], list[BundledConversation]], manifest: Manifest, runs: Path
) -> None:
    """The runs as they were stored before the pages were built."""
    for number, (header, included) in enumerate(zip(manifest.headers(), manifest.runs, strict=True)):
        folder = runs / str(number)  # Two agents may have the same folder name.
        write_new(folder / HEADER, to_json(header))
        planned = {*header.cases}
        here = (one for one in conversations[included.slug, header.run] if one.transcript.case in planned)
        found = sorted(here, key=lambda one: one.transcript.case)
        lines = (
            ArchiveLine(one.digest, one.started, one.seconds, msgspec.Raw(to_json(one.transcript)))
            for one in found
        )
        write_new(folder / TRANSCRIPTS, b"".join(to_json(line) + b"\n" for line in lines))
        opinions = (one for conversation in found for one in conversation.judgements if one.judge != "rules")
        write_new(folder / JUDGEMENTS, b"".join(to_json(one) + b"\n" for one in opinions))
        write_new(folder / SET_ASIDE, b"".join(to_json(one) + b"\n" for one in included.set_aside))


def _differences(site: Path, again: Path) -> Iterator[str]:
    before = {path.relative_to(site) for path in site.rglob("*") if path.is_file()}
    after = {path.relative_to(again) for path in again.rglob("*") if path.is_file()}
    for path in sorted(before | after):
        if path not in after:
            yield f"{path} is in the folder but is not built from its conversations."
        elif path not in before:
            yield f"{path} is missing."
        elif path.parts[0] == PICTURES:
            yield from _wrong_picture(site / path, path)
        elif not _is_same(site / path, again / path):
            yield f"{path} differs from what its conversations give."


def _wrong_picture(file: Path, path: Path) -> Iterator[str]:
    """What can be checked of a picture: its bytes depend on the library that drew it."""
    try:
        width, height = size_of(read_bounded(file, LARGEST), path)
    except Problem as problem:
        yield str(problem)
        return
    if (width, height) != (WIDTH, HEIGHT):
        yield f"{path} has {width} × {height} pixels, and a picture for sharing has {WIDTH} × {HEIGHT}."


def _is_same(path: Path, again: Path) -> bool:
    """Whether two files are equal; one of another size is not read."""
    return (
        path.stat().st_size == again.stat().st_size
        and read_bounded(path, LARGEST_BUNDLE) == again.read_bytes()
    )
