"""Project key: what the surrogates of a project are made with. It is never in an import.

With it anyone could try out which name gave which surrogate, so it is in the user's own configuration, for
this user only, and counts as a secret in everything that is written.
"""

import hashlib
import os
import re
import stat
from pathlib import Path
from secrets import token_bytes

from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import keep_secret
from supportagentbench.storage.file import NoSuchFile, make_folder, open_reading, write_new

LENGTH = 32


def project_key(project: str, out: Path | None = None, *, is_open: bool = False) -> bytes:
    """The key of a project, made when it is first asked for. `out`: where it must not be.

    `is_open`: for invented tickets; it is the same for everyone.
    """
    path = key_path(project)
    if out and path.resolve().is_relative_to(out.resolve()):
        raise Problem("is in the folder of the import; choose another folder with --out.", place=path)
    try:
        key = _read(path)
    except NoSuchFile:
        make_folder(path.parent)
        path.parent.chmod(0o700)
        made = hashlib.sha256(project.encode()).digest() if is_open else token_bytes(LENGTH)
        write_new(path, made, mode=0o600)
        key = _read(path)
    keep_secret(key.hex())
    return key


def key_path(project: str) -> Path:
    """The file of a project's key; a project without a name is the current folder."""
    return (
        _keys()
        / hashlib.sha256((project or os.fspath(Path.cwd())).encode("utf-8", "replace")).hexdigest()[:32]
    )


def key_named(name: str) -> bytes:
    """The key that an import was made with, by the name of its file; a Problem if it is no longer there."""
    if not re.fullmatch(r"[0-9a-f]{32}", name):
        raise Problem("the import does not say which key it was made with; import the tickets again.")
    try:
        key = _read(_keys() / name)
    except NoSuchFile:
        raise Problem(
            "the key that the import was made with is not in your configuration, so the desk's own numbers "
            "cannot be found in it; name tickets and orders as the import does."
        ) from None
    keep_secret(key.hex())
    return key


def _keys() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "supportagentbench" / "keys"


def _read(path: Path) -> bytes:
    with open_reading(path) as file:
        if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
            raise Problem("can be read by others; run `chmod 600` on it.", place=path)
        key = file.read(LENGTH + 1)
    if len(key) != LENGTH:
        words = "is not a key; delete it, and the next import makes a new one with new surrogates."
        raise Problem(words, place=path)
    return key
