"""Bucket: a place at an object store, such as s3://bucket/prefix, with the batches of a job's runs.

Credentials, region and server are read from the environment by `obstore`; they are in no URL, file or error.
Every request has a deadline of ours around it, because one that never ends is known to happen
(https://github.com/harbor-framework/harbor/issues/2418).
"""

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, TypeVar

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.secrets import keep_secret
from supportagentbench.storage.batch import BATCHES, LARGEST_BATCH, MOST_BATCHES, name_of, replay
from supportagentbench.storage.file import write_whole
from supportagentbench.storage.place import safe_name

Kind = TypeVar("Kind")

DEADLINE = 60.0
"""Seconds for one request; a batch of the largest size takes 270 KB/s."""
TRIES = 4
"""Requests until a server that does not answer, or is overloaded, counts as out of reach."""
PAUSE = 1.0
"""Seconds before the second request; twice as many before the next one, and so on."""
AT_ONCE = 16
"""Batches that are read side by side."""

_URL = re.compile(
    r"(?:s3|gs|az)://[a-z0-9][a-z0-9._-]{1,62}(?:/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._=+-]{1,128}){0,16}/?"
)
_HIDDEN = re.compile(r"(?:AWS|AZURE|GOOGLE)_\w*(?:SECRET|TOKEN|KEY|SAS)\w*")
_CODE = re.compile(r"<Code>(\w{1,60})</Code>")
_STATUS = re.compile(r"status code: (\d{3})\b")
_BATCH = re.compile(rf"{BATCHES}/([0-9]{{8}})")


def checked_url(url: str) -> str:
    """The URL of a place in a bucket; one that may hold credentials is not repeated."""
    if not _URL.fullmatch(url):
        raise Problem(
            "this is no place in a bucket: write s3://bucket/prefix, in letters, digits and . _ = + -; "
            "credentials belong in the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)."
        )
    return url.rstrip("/")


def home_of(url: str) -> Path:
    """The folder on this machine for the runs of this place, and for notes about them."""
    url = checked_url(url)
    server = [
        os.environ.get(name, "") for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT", "AWS_ENDPOINT_URL_S3")
    ]
    try:
        root = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    except RuntimeError:
        raise Problem("there is no home folder for the runs of a bucket; set XDG_STATE_HOME.") from None
    return root / "supportagentbench" / "buckets" / f"{safe_name(url)[-80:]}-{digest([url, *server])}"


class NoRuns(Problem):
    """Nothing was ever sent to this place."""


def restored(url: str, folder: Path) -> None:
    """Write all runs that are in a bucket to a folder in which there is nothing yet."""
    bucket = Bucket(url)
    numbers = bucket.numbers()
    if not numbers:
        raise NoRuns("holds no runs; `sab run --out` with this URL makes some.", place=bucket.url)
    with bucket.fetched(numbers) as paths:
        replay(paths, bucket.url, folder)


class TakenNumber(Problem):
    """Another process has created the batch with this number."""


class Bucket:
    """The batches below a URL. `store`: instead of what the environment names."""

    def __init__(self, url: str, store: Any = None, deadline: float = DEADLINE) -> None:
        self.url, self.deadline = checked_url(url), deadline
        try:
            import obstore
        except ImportError:
            raise Problem(
                "a bucket needs obstore. Run `pip install 'supportagentbench[bucket]'`, or use a folder."
            ) from None
        self._api: Any = obstore
        self._store = store or _opened(self.url, deadline)

    def numbers(self, first: int = 0) -> range:
        """The batches from this number on; they have no gap."""
        found = sorted(self._asked([lambda: self._listed(first)])[0])
        if found != [*range(first, first + len(found))]:
            raise Problem("has lost some of its batches; restore them from a copy.", place=self.url)
        return range(first, first + len(found))

    def create(self, number: int, data: bytes) -> None:
        """Write a batch that did not exist; a Problem if another process has written it."""

        def put() -> None:
            try:
                self._put(number, data)
            except self._api.exceptions.AlreadyExistsError:
                if self._read(number) != data:  # It may be our own, of which the answer was lost.
                    raise TakenNumber(
                        "is written by another process; wait for it, or choose another URL.", place=self.url
                    ) from None

        self._asked([put])

    def claim(self, number: int, data: bytes) -> None:
        """The same for the first batch of a process; a server that would replace it is refused."""
        self.create(number, data)

        def is_kept() -> bool:
            try:
                self._put(number, data)
            except self._api.exceptions.AlreadyExistsError:
                return True
            return False

        if not self._asked([is_kept])[0]:
            raise Problem(
                "replaces what exists (it ignores If-None-Match), so that two processes could lose each "
                "other's runs; use another server.",
                place=self.url,
            )

    @contextmanager
    def fetched(self, numbers: range) -> Iterator[list[Path]]:
        """These batches as files, for a while."""
        with TemporaryDirectory(prefix="sab-bucket-") as folder:
            paths = [Path(folder) / name_of(number) for number in numbers]
            for at in range(0, len(numbers), AT_ONCE):
                found = self._asked([partial(self._read, one) for one in numbers[at : at + AT_ONCE]])
                for path, data in zip(paths[at : at + AT_ONCE], found, strict=True):
                    write_whole(path, data, is_lasting=False)
            yield paths

    def _listed(self, first: int) -> list[int]:
        after = f"{BATCHES}/{name_of(first - 1)}" if first else None
        found: list[int] = []
        for page in self._api.list(self._store, prefix=BATCHES, offset=after, chunk_size=1000):
            for one in page:
                name = _BATCH.fullmatch(one["path"])
                if not name or one["size"] > LARGEST_BATCH or len(found) >= MOST_BATCHES:
                    raise self._stranger(one["path"])
                found.append(int(name[1]))
        return found

    def _put(self, number: int, data: bytes) -> None:
        self._api.put(self._store, f"{BATCHES}/{name_of(number)}", data, mode="create", use_multipart=False)

    def _read(self, number: int) -> bytes:
        found = bytearray()
        for part in self._api.get(self._store, f"{BATCHES}/{name_of(number)}").stream():
            found += part
            if len(found) > LARGEST_BATCH:
                raise self._stranger(f"{BATCHES}/{name_of(number)}")
        return bytes(found)

    def _stranger(self, name: str) -> Problem:
        what = f"holds something that is no batch of runs: {name[:80]!r}; take it out, or choose another URL."
        return Problem(what, place=self.url)

    def _asked(self, requests: Sequence[Callable[[], Kind]]) -> list[Kind]:
        """The answers to some requests side by side, each tried a few times."""
        why = ""
        for attempt in range(TRIES):
            if attempt:
                time.sleep(PAUSE * 2 ** (attempt - 1))
            try:
                started = [_started(one) for one in requests]
                until = time.monotonic() + self.deadline
                return [one.result(max(0.0, until - time.monotonic())) for one in started]
            except Problem:
                raise
            except TimeoutError:
                why = f"does not answer within {self.deadline:g} s"
            except Exception as error:
                why, is_final = _explained(error)
                if is_final:
                    break
        raise Problem(f"{why}.", place=self.url)


def _opened(url: str, deadline: float) -> Any:
    """The store of a URL, with what the environment says of it."""
    from obstore.store import from_url

    for name, value in os.environ.items():
        if _HIDDEN.fullmatch(name):
            keep_secret(value)
    is_plain = os.environ.get("AWS_ALLOW_HTTP", "").lower() in ("1", "true")
    options: Any = {"timeout": f"{deadline:g}s", "connect_timeout": "10s", "allow_http": is_plain}
    try:
        return from_url(url, client_options=options, retry_config={"max_retries": 0})
    except Exception as error:
        raise Problem(f"{_explained(error)[0]}.", place=url) from None


def _started(request: Callable[[], Kind]) -> "Future[Kind]":
    """A request in a new thread, which the end of the process does not wait for."""
    answer: Future[Kind] = Future()

    def ask() -> None:
        try:
            answer.set_result(request())
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=ask, daemon=True).start()
    return answer


def _explained(error: Exception) -> tuple[str, bool]:
    """What an error of `obstore` means, and whether asking again is of no use. Its words may hold keys."""
    words = str(error).partition("Debug source")[0]
    status, code = (found[1] if (found := one.search(words)) else "" for one in (_STATUS, _CODE))
    told = f" ({code or status})" if status else ""
    if code == "NoSuchBucket":
        return "there is no such bucket", True
    if "redirect" in words or code in ("PermanentRedirect", "AuthorizationHeaderMalformed"):
        return "the bucket is in another region; set AWS_REGION", True
    if "Missing" in words or "169.254.169.254" in words or "must be specified" in words:
        return "there are no credentials for it in the environment; set AWS_ACCESS_KEY_ID and the like", True
    if "builder error" in words:
        return "its server is not asked without TLS; set AWS_ALLOW_HTTP=true if it may be", True
    if status in ("401", "403"):
        return f"the server refuses the credentials in the environment{told}", True
    if type(error).__name__ == "InvalidPathError":
        return "holds something that is no batch of runs; take it out, or choose another URL", True
    if status.startswith("4") and status not in ("408", "409", "429"):
        return f"the server refuses the request{told}", True
    return f"the server cannot be reached, or is overloaded{told}", False
