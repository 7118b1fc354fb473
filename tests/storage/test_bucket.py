"""Buckets: their URLs, their hostile listings, and servers that never answer."""

import builtins
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import obstore
import pytest
from obstore.store import MemoryStore

from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import forget_secrets, without_secrets
from supportagentbench.storage import bucket as buckets
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.batch import LARGEST_BATCH
from supportagentbench.storage.bucket import Bucket, TakenNumber, checked_url, home_of, restored
from supportagentbench.storage.config import read_config
from supportagentbench.storage.place import check_folder, url_of

URL = "s3://here/p"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keys that no server knows."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, f"secret-of-{name.lower()}")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    yield
    forget_secrets()


@pytest.mark.parametrize(
    "url", ["s3://here", "s3://here/a/b-1.x_=+", "gs://here/a", "az://here/a", "s3://here/a/"]
)
def test_a_place_in_a_bucket(url: str) -> None:
    assert checked_url(url) == url.rstrip("/")
    assert url_of(Path(url)) == url.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        "s3://AKIA123456:hunter22@here/p",
        "s3://here/p?AWSAccessKeyId=hunter22",
        "s3://here/hunter22/../x",
        "s3://here/hunter22 ",
        "s3://",
        "file:///hunter22",
        "s3://here//hunter22",
    ],
)
def test_another_url_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(Problem, match="this is no place in a bucket: write s3://bucket/prefix") as problem:
        checked_url(url)
    assert "hunter22" not in str(problem.value)


def test_commands_that_need_a_folder_say_how_to_get_one(tmp_path: Path) -> None:
    for ask in (check_folder, lambda path: find_runs([path])):
        with pytest.raises(Problem, match="`sab merge s3://bucket/prefix --out runs`") as problem:
            ask(Path("s3://key:hunter22@here/p"))
        assert "hunter22" not in str(problem.value)


def test_a_project_s_file_sends_no_runs_to_a_bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sab.toml").write_text('[run]\nout = "s3://here/p"\n')
    with pytest.raises(Problem, match="has to be typed"):
        read_config()


def test_the_same_url_at_another_server_is_another_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    places = [home_of(URL), home_of("s3://here/p_"), home_of("s3://here_p")]
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    assert len({*places, home_of(URL)}) == 4
    assert all(place.parent == tmp_path / "supportagentbench/buckets" for place in places)


def test_without_the_extra_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def without(
        name: str,
        of: Mapping[str, Any] | None = None,
        here: Any = None,
        what: Sequence[str] = (),
        level: int = 0,
    ) -> Any:
        if name == "obstore":
            raise ImportError(name)
        return found(name, of, here, what, level)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(Problem, match=r"pip install 'supportagentbench\[bucket\]'"):
        Bucket(URL)


def test_batches_are_created_once() -> None:
    store = MemoryStore()
    bucket, other = Bucket(URL, store), Bucket(URL, store)
    bucket.claim(0, b"one")
    bucket.create(0, b"one")  # Asked again, because the answer was lost.
    other.create(1, b"two")
    for ask in (bucket.create, bucket.claim):
        with pytest.raises(TakenNumber, match="is written by another process"):
            ask(1, b"three")
    assert bucket.numbers() == range(2)
    assert bucket.numbers(1) == range(1, 2)
    assert bucket.numbers(2) == range(2, 2)
    with bucket.fetched(range(2)) as paths:
        assert [path.read_bytes() for path in paths] == [b"one", b"two"]


def test_many_batches_are_read_in_their_order() -> None:
    bucket = Bucket(URL, MemoryStore())
    for number in range(40):
        bucket.create(number, b"%d" % number)
    with bucket.fetched(bucket.numbers()) as paths:
        assert [int(path.read_bytes()) for path in paths] == [*range(40)]
    assert not paths[0].parent.exists()


@pytest.mark.parametrize(
    "name", ["x", "0000000", "000000001", "00000001.part", "deep/00000001", "..00000001", "٠٠٠٠٠٠٠١"]
)
def test_a_stranger_s_object_is_named(name: str) -> None:
    store = MemoryStore()
    obstore.put(store, "batches/00000000", b"")
    obstore.put(store, f"batches/{name}", b"")
    with pytest.raises(Problem, match="holds something that is no batch of runs"):
        Bucket(URL, store).numbers()


def test_a_gap_is_told() -> None:
    store = MemoryStore()
    for number in (0, 2):
        obstore.put(store, f"batches/0000000{number}", b"")
    bucket = Bucket(URL, store)
    for first in (0, 1):
        with pytest.raises(Problem, match="has lost some of its batches"):
            bucket.numbers(first)


def test_an_object_that_is_too_large_is_not_read() -> None:
    store = MemoryStore()
    obstore.put(store, "batches/00000000", b"x" * (LARGEST_BATCH + 1))
    bucket = Bucket(URL, store)
    for ask in (bucket.numbers, lambda: bucket.fetched(range(1)).__enter__()):
        with pytest.raises(Problem, match="no batch of runs: 'batches/00000000'"):
            ask()


@pytest.mark.parametrize("timeout", [0.3, 60.0])
def test_a_server_that_never_answers_is_given_up_in_time(
    timeout: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "TRIES", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")
        bucket = Bucket(URL, deadline=timeout)
        bucket.deadline = 0.3  # Also when the client itself would wait.
        begun = time.monotonic()
        with pytest.raises(
            Problem, match=r"s3://here/p: (does not answer within 0.3 s|the server cannot be)"
        ):
            bucket.create(0, b"x")
        assert 0.6 <= time.monotonic() - begun < 5
    assert without_secrets("secret-of-aws_secret_access_key") == "[key]"


def test_a_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(buckets, "TRIES", 1)
    with socket.create_server(("127.0.0.1", 0)) as gone:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{gone.getsockname()[1]}")
    with pytest.raises(Problem, match="s3://here/p: the server cannot be reached"):
        restored(URL, tmp_path / "runs")


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (
            301,
            "<Error><Code>PermanentRedirect</Code></Error>",
            "the bucket is in another region; set AWS_REGION.",
        ),
        (400, "<Error><Code>AuthorizationHeaderMalformed</Code></Error>", "the bucket is in another region"),
        (
            403,
            "<Error><Code>InvalidAccessKeyId</Code></Error>",
            "refuses the credentials .*InvalidAccessKeyId",
        ),
        (401, "secret-of-aws_access_key_id", r"refuses the credentials in the environment \(401\)"),
        (404, "<Error><Code>NoSuchBucket</Code></Error>", "there is no such bucket"),
        (405, "", r"the server refuses the request \(405\)"),
        (
            503,
            "<Error><Code>SlowDown</Code></Error>",
            r"the server cannot be reached, or is overloaded \(SlowDown\)",
        ),
    ],
)
def test_what_a_server_answers_is_said_in_our_own_words(
    status: int, body: str, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(buckets, "TRIES", 1)
    with answering(status, body.encode()) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        with pytest.raises(Problem, match=f"s3://here/p: .*{told}") as written:
            Bucket(URL).create(0, b"x")
        with pytest.raises(Problem, match=f"s3://here/p: .*{told}") as read:
            restored(URL, tmp_path / "runs")
        assert "secret-of" not in f"{written.value} {read.value}"


def test_an_overloaded_server_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "PAUSE", 0.0)
    with answering(503, b"") as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        with pytest.raises(Problem, match=r"overloaded \(503\)"):
            Bucket(URL).create(0, b"x")
        assert Answer.asked == buckets.TRIES


def test_a_server_that_refuses_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "PAUSE", 0.0)
    with answering(403, b"") as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        with pytest.raises(Problem, match=r"refuses the credentials"):
            Bucket(URL).create(0, b"x")
        assert Answer.asked == 1


def test_a_server_that_replaces_what_is_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(200, b"") as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL", url)
        with pytest.raises(Problem, match="it ignores If-None-Match"):
            Bucket(URL).claim(0, b"x")


class Answer(BaseHTTPRequestHandler):
    """The same answer to every request."""

    status, body, asked = 0, b"", 0

    def do_GET(self) -> None:
        type(self).asked += 1
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(self.body)))
        self.send_header("ETag", '"1"')
        self.end_headers()
        self.wfile.write(self.body)

    do_PUT = do_GET

    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    """The address of a server that answers like this."""
    Answer.status, Answer.body, Answer.asked = status, body, 0
    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        serving = Thread(target=server.serve_forever, daemon=True)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            serving.join()
