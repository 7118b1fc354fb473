"""Runs in a bucket, at a server that speaks S3: killed, resumed elsewhere, run twice at once, refused."""

import logging
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import boto3
import pytest
from moto.server import ThreadedMotoServer

from commands import SAB, alone, fake_provider
from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import forget_secrets
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.bucket import Bucket, TakenNumber, restored
from supportagentbench.storage.transcripts import read_transcripts
from warm import SOURCE

KEYS = {"AWS_ACCESS_KEY_ID": "an-access-key", "AWS_SECRET_ACCESS_KEY": "a-secret-access-key"}


class Server(NamedTuple):
    """A server with one empty bucket, `here`, and what `sab` has to know to reach it."""

    client: "boto3.client"
    environment: Mapping[str, str]

    def machine(self, folder: Path) -> dict[str, str]:
        """The environment of a machine that knows nothing of any run."""
        places = {"XDG_STATE_HOME": str(folder / "state"), "XDG_CACHE_HOME": str(folder / "cache")}
        folder.mkdir(exist_ok=True)
        return {**self.environment, **places}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    served = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    served.start()
    host, port = served.get_host_and_port()
    url = f"http://{host}:{port}"
    environment = {**KEYS, "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": url, "AWS_ALLOW_HTTP": "true"}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    client = boto3.client("s3", region_name="us-east-1", endpoint_url=url)
    client.create_bucket(Bucket="here")
    yield Server(client, environment)
    served.stop()
    forget_secrets()


@pytest.fixture
def provider() -> Iterator[str]:
    with fake_provider("--port", "0", "--faults", "latency=0.05") as url:
        yield url


def finished(url: str, folder: Path) -> dict[str, bytes]:
    """By case, the lines of all runs below a URL."""
    restored(url, folder)
    return {
        f"{run.name} {filed.transcript.case}": filed.digest.encode()
        for run in find_runs([folder])
        for filed in read_transcripts(run)
    }


def started(url: str, *words: str, **environment: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-P", *SAB[1:], "run", "--out", url, "--yes", "--display", "plain", *words]
    env = {**os.environ, "PYTHONPATH": SOURCE, "OPENAI_API_KEY": "loopback-key", **environment}
    return subprocess.Popen(command, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)


def test_parts_in_a_bucket_are_put_together(server: Server, tmp_path: Path) -> None:
    """Two machines play one run, each into a place of its own, and a third one merges it."""
    for part in ("1", "2"):
        machine = server.machine(tmp_path / part)
        words = ("--set", "tracking", "--display", "none", "--shard", f"{part}/2", "-o", f"s3://here/{part}")
        assert alone("run", "oracle", *words, cwd=tmp_path / part, **machine).returncode == 0
    third = server.machine(tmp_path / "third")
    merging = ("merge", "s3://here/1", "s3://here/2", "-o", "runs")
    done = alone(*merging, cwd=tmp_path / "third", **third)
    assert done.returncode == 0, done.stderr
    [run] = find_runs([tmp_path / "third" / "runs"])
    assert len([*read_transcripts(run)]) == len(read_header(run).cases) > 2
    missing = alone(*merging[:2], *merging[3:], cwd=tmp_path / "2", **third)
    assert missing.returncode == 2 and "part 2 of 2" in missing.stdout


def objects(server: Server, prefix: str) -> list[str]:
    found = server.client.list_objects_v2(Bucket="here", Prefix=prefix).get("Contents", [])
    return [one["Key"] for one in found]


def check_keys(server: Server, wanted: bool) -> None:
    """Whether the server lets in only keys that it knows, of which there are none."""
    address = f"{server.environment['AWS_ENDPOINT_URL']}/moto-api/reset-auth"
    data, kind = b"0" if wanted else b"inf", {"Content-Type": "text/plain"}
    with urllib.request.urlopen(urllib.request.Request(address, data, kind)):
        pass


def wait_for(server: Server, prefix: str, count: int, process: "subprocess.Popen[str]") -> None:
    """Until there are as many batches."""
    until = time.monotonic() + 60
    while len(objects(server, prefix)) < count:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_killed_run_goes_on_at_a_machine_that_knows_nothing_of_it(
    server: Server, provider: str, tmp_path: Path
) -> None:
    url, words = "s3://here/killed", [f"openai:gpt-4o,base_url={provider}/v1", "--set", "core"]
    words += ["--customer", "scripted", "--concurrency", "8"]
    first = started(url, *words, **server.machine(tmp_path / "one"))
    wait_for(server, "killed/", 4, first)
    first.kill()
    first.communicate()
    before = finished(url, tmp_path / "before")
    done = started(url, *words, **server.machine(tmp_path / "two"))
    told = done.communicate(timeout=120)[1]
    assert done.returncode == 0, told
    after = finished(url, tmp_path / "after")
    assert 0 < len(before) < len(after) == 162
    assert before.items() <= after.items()
    assert f"all of it is in {url}" in told
    assert not any(value in told for value in KEYS.values())
    kept = "".join(path.read_text(errors="replace") for path in (tmp_path / "two").rglob("*.json*"))
    assert not any(value in kept for value in KEYS.values())


def test_of_two_runs_at_once_the_older_one_stops_with_one_sentence(
    server: Server, provider: str, tmp_path: Path
) -> None:
    url, words = "s3://here/twice", [f"openai:gpt-4o,base_url={provider}/v1", "--set", "core"]
    words += ["--customer", "scripted", "--concurrency", "8"]
    older = started(url, *words, **server.machine(tmp_path / "one"))
    wait_for(server, "twice/", 3, older)
    newer = started(url, *words, **server.machine(tmp_path / "two"))
    told = older.communicate(timeout=120)[1]
    assert older.returncode == 2
    assert f"{url}: another `sab run` goes on with these runs, so this one stopped" in " ".join(told.split())
    newer.communicate(timeout=120)
    assert newer.returncode == 0
    assert len(finished(url, tmp_path / "read")) == 162


def test_a_bucket_and_a_folder_get_the_same_runs(server: Server, tmp_path: Path) -> None:
    words = ("run", "oracle", "silent", "--set", "core", "--display", "none", "--out")
    machine = server.machine(tmp_path / "one")
    for out in ("s3://here/same", "runs"):
        done = alone(*words, out, cwd=tmp_path / "one", **machine)
        assert done.returncode == 0, done.stderr
    restored("s3://here/same", tmp_path / "read")
    local = find_runs([tmp_path / "one/runs"])
    assert [path.name for path in find_runs([tmp_path / "read"])] == [path.name for path in local]
    for run in local:
        there = tmp_path / "read" / run.name
        assert {one.digest for one in read_transcripts(there)} == {
            one.digest for one in read_transcripts(run)
        }
    fresh = alone(
        *words, "s3://here/same", "--fresh", cwd=tmp_path / "one", **server.machine(tmp_path / "two")
    )
    assert fresh.returncode == 0, fresh.stderr
    restored("s3://here/same", tmp_path / "fresh")
    assert [path.name for path in find_runs([tmp_path / "fresh/aside"])] == ["oracle-1.1", "silent-1.1"]


@pytest.mark.parametrize(
    ("changed", "url", "words"),
    [
        ({}, "s3://nowhere/p", "there is no such bucket"),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}, "s3://here/p", "the server cannot be reached"),
        ({"AWS_ALLOW_HTTP": ""}, "s3://here/p", "set AWS_ALLOW_HTTP=true"),
        ({}, "s3://key:hunter22@here/p", "this is no place in a bucket"),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_spent(
    changed: dict[str, str], url: str, words: str, server: Server, tmp_path: Path
) -> None:
    machine = {**server.machine(tmp_path / "one"), **changed}
    done = alone("run", "oracle", "--set", "core", "--out", url, cwd=tmp_path / "one", **machine)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) <= 3
    assert not any(secret in done.stderr for secret in ("hunter22", *KEYS.values()))


def test_a_server_that_refuses_in_the_middle_pauses_the_job_and_nothing_is_lost(
    server: Server, provider: str, tmp_path: Path
) -> None:
    url, words = "s3://here/refused", [f"openai:gpt-4o,base_url={provider}/v1", "--set", "core"]
    words += ["--customer", "scripted", "--concurrency", "8"]
    machine = server.machine(tmp_path / "one")
    job = started(url, *words, **machine)
    wait_for(server, "refused/", 3, job)
    check_keys(server, True)
    told = " ".join(job.communicate(timeout=120)[1].split())
    check_keys(server, False)
    assert job.returncode == 2, told
    assert f"{url}: the server refuses the credentials" in told
    (folder,) = (tmp_path / "one").rglob("runs")
    assert f"What is finished is in {folder}, and the same command sends it." in told
    stored = {one.digest for run in find_runs([folder]) for one in read_transcripts(run)}
    sent = {value.decode() for value in finished(url, tmp_path / "sent").values()}
    assert sent < stored
    again = started(url, *words, **machine)
    told = again.communicate(timeout=120)[1]
    assert again.returncode == 0, told
    digests = {value.decode() for value in finished(url, tmp_path / "read").values()}
    assert len(digests) == 162
    assert stored <= digests


def test_a_hostile_listing(server: Server, tmp_path: Path) -> None:
    for number, name in enumerate(("batches/../../x", "batches/x", "batches/00000000/x", "batches/0000000x")):
        server.client.put_object(Bucket="here", Key=f"h{number}/{name}", Body=b"")
        with pytest.raises(Problem, match="is no batch of runs"):
            restored(f"s3://here/h{number}", tmp_path / f"h{number}")
        assert not (tmp_path / f"h{number}").exists()
    with pytest.raises(Problem, match="holds no runs"):
        restored("s3://here/none", tmp_path / "none")


def test_numbers_are_taken_once_at_a_real_server(server: Server) -> None:
    bucket = Bucket("s3://here/taken")
    bucket.claim(0, b"one")
    with pytest.raises(TakenNumber):
        Bucket("s3://here/taken").claim(0, b"two")
    assert bucket.numbers() == range(1)


def test_wrong_credentials(server: Server, tmp_path: Path) -> None:
    check_keys(server, True)
    machine = server.machine(tmp_path / "one")
    done = alone("run", "oracle", "--set", "core", "--out", "s3://here/p", cwd=tmp_path, **machine)
    check_keys(server, False)
    assert done.returncode == 2
    assert "s3://here/p: the server refuses the credentials in the environment" in " ".join(
        done.stderr.split()
    )
    assert not any(secret in done.stderr for secret in KEYS.values())
