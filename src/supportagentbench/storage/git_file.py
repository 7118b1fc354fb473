"""Git file: a file as another commit has it, as `git:REF:path`, so that a change cannot bring its own.

Nothing is checked out, no shell is used, and no word of the name is taken for an option. A folder may come
from a stranger with a repository in it, whose configuration names programs: git is asked only in the current
folder, and so that it starts none of them and fetches nothing.
"""

import os
import posixpath
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from supportagentbench.records.problem import Problem

PREFIX = "git:"

SECONDS = 60.0
"""How long one command of git may take."""

_ENTRY = re.compile(rb"(?P<mode>\d{6}) (?P<kind>[a-z]+) (?P<id>[0-9a-f]{40,64}) +(?P<size>\d+|-|BAD)\t")
"""A line of `git ls-tree --long`; the size of what a partial clone lacks is BAD."""

_REF = re.compile(r"(?!-)[\w./@^~{}+-]{1,255}")
"""What names a commit."""

_MEANINGS = ("refs/remotes/{}", "refs/remotes/{}/HEAD", "refs/heads/{}", "refs/tags/{}", "refs/{}")
"""What a name that is not written in full may mean; what somebody most likely means comes first."""

_SUFFIX = re.compile(r"[\^~]|@\{")
"""Where the name of a ref ends, as in main~2."""

_SHORT_ID = re.compile(r"[0-9a-f]{4,39}")
"""What may also be the beginning of an id."""

SHORT = 12
"""Letters of a commit's id that are shown."""

_NOTHING = os.devnull

_SETTINGS = {
    "safe.bareRepository": "explicit",
    "core.fsmonitor": "",
    "core.hooksPath": _NOTHING,
    "core.alternateRefsCommand": "false",
    "core.sshCommand": "false",
    "core.gitProxy": "",
    "core.askPass": "",
    "credential.helper": "",
    "fetch.bundleURI": "",
}
"""What overrides a repository's own configuration, for every setting that may name a program."""

_VARIABLES = {
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_EXEC_PATH": _NOTHING,
}
"""An object that is missing is not fetched. Versions of git that do not know the variable for this start a
fetch of their own, which may use no protocol and finds no program that speaks one."""


class GitFile(NamedTuple):
    """A file in a commit; its path starts at the top of the repository, or with `./` in this folder."""

    ref: str
    path: str

    @classmethod
    def of(cls, words: str) -> "GitFile | None":
        """The file that these words mean, if they begin with `git:`."""
        if not words.startswith(PREFIX):
            return None
        ref, colon, path = words.removeprefix(PREFIX).partition(":")
        is_plain = path.isprintable() and not path.startswith(("/", "-", ":"))
        if not (colon and _REF.fullmatch(ref) and path and is_plain):
            raise Problem(
                "is not a file in git; write git:REF:path, such as git:refs/remotes/origin/main:sab.toml.",
                place=words,
            )
        return cls(ref, path)

    def __str__(self) -> str:
        return f"{PREFIX}{self.ref}:{self.path}"

    def beside(self, name: str) -> "GitFile":
        """The file of this name next to this one, in the same commit."""
        folder = posixpath.dirname(self.path)
        return GitFile(self.ref, posixpath.join(folder, name) if folder else name)

    def commit(self) -> str:
        """The id of its commit."""
        return commit_of(self.ref, str(self))

    def exists(self) -> bool:
        """Whether the commit has a file of this name."""
        return bool(self._entry(self.commit()))

    def read(self, most: int) -> bytes:
        """Its content, if it is a regular file of at most this number of bytes."""
        commit = self.commit()
        found = _ENTRY.match(self._entry(commit))
        if not found:
            raise Problem(f"commit {commit[:SHORT]} has no such file.", place=str(self))
        if found["kind"] != b"blob" or not found["mode"].startswith(b"100"):
            raise Problem("is a folder or a link in that commit, not a file.", place=str(self))
        if found["size"] == b"BAD":
            raise self._missing(commit)
        if int(found["size"]) > most:
            raise Problem(f"has more than {most:,} bytes.", place=str(self))
        try:
            return git("cat-file", "blob", found["id"].decode())
        except LookupError:
            raise self._missing(commit) from None

    def _entry(self, commit: str) -> bytes:
        path = self.path
        if path.startswith("./"):
            path = os.fsdecode(git("rev-parse", "--show-prefix").removesuffix(b"\n")) + path
        path = posixpath.normpath(path)
        if path in (".", "..") or path.startswith("../"):
            return b""
        try:
            return git("ls-tree", "--long", "--full-tree", commit, "--", path)
        except LookupError:
            raise self._missing(commit) from None

    def _missing(self, commit: str) -> Problem:
        return Problem(
            f"the repository has commit {commit[:SHORT]} but not all of its files, like a partial clone; "
            "fetch them first, in a pipeline without a `filter`.",
            place=str(self),
        )


def commit_of(ref: str, place: str) -> str:
    """The id of the commit that a name means; a Problem if there is no repository or no such commit."""
    try:
        git("rev-parse", "--git-dir")
    except LookupError:
        raise Problem("this folder is not in a git repository.", place=place) from None
    remedy = "fetch it first, in a pipeline with `fetch-depth: 0` or `git fetch origin`."
    missing = Problem(f"the repository has no commit called {ref}; {remedy}", place=place)
    if not _is_plain(ref, place):
        raise missing
    try:
        return (
            git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}").decode().strip()
        )
    except LookupError:
        raise missing from None


def _is_plain(ref: str, place: str) -> bool:
    """Whether git takes a name for what it says; a Problem if it has several meanings.

    Whoever may push a tag could give it the name of a branch, and git would prefer the tag.
    """
    name = _SUFFIX.split(ref)[0]
    is_full = name.startswith("refs/")
    meanings = [name] if is_full else [form.format(name) for form in _MEANINGS]
    known = git("for-each-ref", "--format=%(refname)", *meanings).decode().split()
    found = [one for one in meanings if one in known]
    is_id = bool(_SHORT_ID.fullmatch(name) and found and git("rev-parse", f"--disambiguate={name}"))
    if len(found) + is_id > 1 and name != "HEAD":
        meant = " and ".join([*found, *(["the id of an object"] * is_id)])
        raise Problem(f"{name} has several meanings, {meant}; write {found[0]} in full.", place=place)
    return bool(found) or not is_full


def git(*words: str) -> bytes:
    """What git prints in the current folder; LookupError if it fails, and a Problem if it cannot be run."""
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    try:
        done = subprocess.run(
            ["git", "--no-pager", *settings, *words],
            env={**os.environ, **_VARIABLES},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
        )
    except FileNotFoundError:
        raise Problem("git is not installed; give a file instead of a name that begins with git:.") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Problem(f"git could not be run ({error}).") from None
    if done.returncode:
        raise LookupError(done.stderr.decode(errors="replace"))
    return done.stdout


def origin(place: Path | GitFile) -> str:
    """Where a file is from: its name, and in this folder's repository how it compares with the commit."""
    if isinstance(place, GitFile):
        return f"{place}, commit {place.commit()[:SHORT]}"
    try:
        top = Path(os.fsdecode(git("rev-parse", "--show-toplevel").removesuffix(b"\n"))).resolve()
        path = place.resolve().relative_to(top)
        commit = git("rev-parse", "--verify", "--quiet", "HEAD").decode()[:SHORT]
        entry = _ENTRY.match(git("ls-tree", "--long", "--full-tree", "HEAD", "--", str(path)))
        now = git("hash-object", "--no-filters", "--", str(place.resolve())).strip()
    except (LookupError, ValueError, Problem):
        return str(place)
    if entry is None:
        return f"{place}, which is not in commit {commit}"
    return f"{place}, {'as in' if entry['id'] == now else 'which differs from'} commit {commit}"


def place_of(words: str) -> Path | GitFile:
    """The file that is meant, in this folder or in a commit."""
    return GitFile.of(words) or Path(words)
