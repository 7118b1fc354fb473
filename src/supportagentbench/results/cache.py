"""Score cache: what the checks and the rule judge said about a run, kept until the run or the code changes.

It is kept in the user's own cache folder, one file per run, and never next to the run: scores must not be
passed on with a run. A score counts only if the same code made it from the same header and transcript;
anything else, and anything damaged, is scored again. Without a place to write there is
no cache, and nothing else changes.
"""

import errno
import hashlib
import os
import platform
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from supportagentbench.records.finding import Finding
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.verdict import Verdict
from supportagentbench.storage.archive import HEADER
from supportagentbench.storage.file import LARGEST_BUNDLE, open_reading, read_bounded, write_whole
from supportagentbench.storage.transcripts import TRANSCRIPTS

PACKAGE = Path(__file__).parents[1]

SCORING_ROOMS = ("checks", "judges", "language", "records", "results", "storage")
"""The rooms whose code and tables decide what a score is."""

SEAL = hashlib.sha256().digest_size
"""Bytes at the start of a file: the SHA-256 of the rest, so that damage is noticed."""

Part = TypeVar("Part", Finding, Opinion)


class Score(Record):
    """What code says about one conversation."""

    verdict: Verdict
    judgement: Judgement | None
    """The rule judge's; None for a conversation that broke off outside the agent."""


class ScoreKey(Record):
    """What scores were made by, and what they were made from."""

    made_by: str
    """Digest of the code that scores and of the run's header."""
    made_from: str
    """Digest of the run's transcripts."""


class KnownScores(NamedTuple):
    """Scores that were kept, and whether they cover the whole run."""

    scores: list[Score]
    is_whole: bool


NOTHING = KnownScores([], False)


class StoredScores(Record):
    """The scores of one run, each finding and opinion once: most are the same in many conversations."""

    key: ScoreKey
    findings: tuple[Finding, ...]
    opinions: tuple[Opinion, ...]
    scores: tuple[Score, ...]
    """Without findings and opinions."""
    findings_of: tuple[tuple[int, ...], ...]
    """For each score, its findings by their place above."""
    opinions_of: tuple[tuple[int, ...], ...]


_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(StoredScores)


def score_key(folder: Path) -> ScoreKey:
    """A name for everything that decides the scores of the run in this folder."""
    made_by = f"{scoring_digest()} {_digest_of(folder / HEADER)}"
    return ScoreKey(made_by, _digest_of(folder / TRANSCRIPTS))


def _digest_of(path: Path) -> str:
    """Empty if it is not a file or cannot be read: reading the run reports that."""
    try:
        with open_reading(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, Problem):
        return ""


@cache
def scoring_digest() -> str:
    """A name for the code that scores: its files, and the versions of what it runs on."""
    found = hashlib.sha256(f"{platform.python_version()} {msgspec.__version__}".encode())
    for room in SCORING_ROOMS:
        for path in sorted((PACKAGE / room).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                found.update(f"\0{path.relative_to(PACKAGE)}\0".encode())
                found.update(path.read_bytes())
    return found.hexdigest()


def known_scores(folder: Path, key: ScoreKey) -> KnownScores:
    """The scores that were kept of the run in this folder and still count."""
    try:
        return unpacked(read_bounded(_place(folder), LARGEST_BUNDLE), key)
    except (OSError, Problem, RuntimeError):
        return NOTHING


def keep_scores(folder: Path, data: bytes) -> None:
    """Put packed scores in the place of any earlier ones; where nothing can be written, nothing is."""
    with suppress(OSError, Problem, RuntimeError):
        place = _place(folder)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(place, data, is_lasting=False)  # Its seal tells if a power failure tore it.


def forget_scores(folder: Path) -> None:
    """Drop what was kept about the run in this folder."""
    with suppress(OSError, RuntimeError):
        _place(folder).unlink(missing_ok=True)


def forget_everything() -> None:
    """Drop all that is kept of any folder; code that could write there may have forged it.

    A link is taken away and not followed. Pages that another command is building are left: nobody reads them.
    """
    try:
        root = cache_root()
    except RuntimeError:  # Without a home folder there is no cache.
        return
    try:
        for kind in _inside(root):
            for kept in _inside(kind):
                if kept.suffix != ".draft":
                    _drop(kept)
    except OSError as error:
        if error.errno == errno.EROFS:  # Nobody can have written there either.
            return
        raise Problem(
            f"cannot be emptied ({error.strerror}), and an agent's code may have written to it; delete it.",
            place=root,
        ) from None


def _inside(folder: Path) -> list[Path]:
    """What is in a folder; anything else in its place is dropped."""
    if folder.is_dir() and not folder.is_symlink():
        return [*folder.iterdir()]
    _drop(folder)
    return []


def _drop(path: Path) -> None:
    """Delete a file, a link or a folder, in one step for those who read it."""
    gone = path.with_name(f".{token_hex(8)}.draft")
    with suppress(FileNotFoundError, NotADirectoryError):  # There is nothing, or another command was first.
        path.rename(gone)
        if gone.is_dir() and not gone.is_symlink():
            rmtree(gone)
        else:
            gone.unlink()


def _place(folder: Path) -> Path:
    """The file of a run, named by the place of its folder."""
    return cache_place("scores", folder).with_suffix(".msgpack")


def cache_place(kind: str, folder: Path) -> Path:
    """Where something that can be made again from a folder is kept, by the folder's place."""
    return cache_root() / kind / hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:32]


def cache_root() -> Path:
    """The folder of everything that can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "supportagentbench"


def packed(key: ScoreKey, scores: Sequence[Score]) -> bytes:
    """Scores as they are kept."""
    findings: dict[Finding, int] = {}
    opinions: dict[Opinion, int] = {}
    data = _ENCODER.encode(
        StoredScores(
            key,
            findings_of=tuple(_numbered(one.verdict.findings, findings) for one in scores),
            opinions_of=tuple(
                _numbered(one.judgement.opinions if one.judgement else (), opinions) for one in scores
            ),
            findings=tuple(findings),
            opinions=tuple(opinions),
            scores=tuple(map(_bare, scores)),
        )
    )
    return hashlib.sha256(data).digest() + data


def _numbered(parts: Iterable[Part], known: dict[Part, int]) -> tuple[int, ...]:
    return tuple(known.setdefault(part, len(known)) for part in parts)


def _bare(score: Score) -> Score:
    judgement = replace(score.judgement, opinions=()) if score.judgement else None
    return Score(replace(score.verdict, findings=()), judgement)


def unpacked(data: bytes, key: ScoreKey) -> KnownScores:
    """The scores that were packed, as far as they count under this key."""
    seal, body = data[:SEAL], data[SEAL:]
    if hashlib.sha256(body).digest() != seal:
        return NOTHING
    try:
        stored = _DECODER.decode(body)
        if stored.key.made_by != key.made_by:
            return NOTHING
        return KnownScores(_whole(stored), stored.key.made_from == key.made_from)
    except (msgspec.MsgspecError, ValueError, IndexError):
        return NOTHING


def _whole(stored: StoredScores) -> list[Score]:
    found = []
    for one, findings, opinions in zip(stored.scores, stored.findings_of, stored.opinions_of, strict=True):
        verdict = replace(one.verdict, findings=tuple([stored.findings[at] for at in findings]))
        judgement = one.judgement
        if judgement is not None:
            judgement = replace(judgement, opinions=tuple([stored.opinions[at] for at in opinions]))
        found.append(Score(verdict, judgement))
    return found
