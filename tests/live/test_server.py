"""The live view over HTTP: for this machine alone, GET only, and never further behind than the events."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from commands import start_sab
from conversations import CASES, Hold, Says
from jobs import START, busy_job, conversations, finished, planned, write
from supportagentbench.concurrency.loopback import HOST
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.live.follow import Follower
from supportagentbench.live.server import serving
from supportagentbench.runner.run import header_of
from supportagentbench.storage.archive import RunWriter

HOSTILE = "</script><img src=x onerror=alert(1)>\u2028"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    write(tmp_path, busy_job())
    with serving(tmp_path, Follower(tmp_path).view, 0) as link:
        yield int(link.rpartition(":")[2])


def ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, str]:
    connection = http.client.HTTPConnection(HOST, port, timeout=20)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


class Stream:
    """Somebody who listens."""

    def __init__(self, port: int, **headers: str) -> None:
        self.connection = http.client.HTTPConnection(HOST, port, timeout=20)
        self.connection.request("GET", "/events", headers=headers)
        self.answer = self.connection.getresponse()

    def next(self) -> tuple[str, Any]:
        """The next message: its id, and what it says."""
        place = ""
        while True:
            line = self.answer.readline().decode()
            assert line, "the line is dead"
            if line.startswith("id: "):
                place = line[4:].strip()
            if line.startswith("data: "):
                return place, json.loads(line[6:])

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


def test_the_page_is_whole_without_any_script(port: int) -> None:
    answer, text = ask(port, "/")
    assert answer.status == 200
    for words in ("302/648", "gpt-5.5", "11/54", "replace_item, against D1", "429: slow down"):
        assert words in text
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy and "script-src 'self';" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
@pytest.mark.parametrize("path", ["/", "/state.json", "/events", "/conversation/a/b", "/index.html"])
def test_whoever_asks_from_elsewhere_is_turned_away(port: int, path: str, headers: dict[str, str]) -> None:
    answer, text = ask(port, path, **headers)
    assert answer.status == 403
    assert "gpt-5.5" not in text


def test_pages_of_its_own_may_ask(port: int) -> None:
    for name in ("127.0.0.1", "localhost"):
        place = f"{name}:{port}"
        assert ask(port, "/state.json", Host=place, Origin=f"http://{place}")[0].status == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
def test_nothing_but_get_is_answered(port: int, method: str) -> None:
    answer, _ = ask(port, "/", method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET")


@pytest.mark.parametrize(
    "path",
    ["/%00", "/a%00b.html", f"/{'1' * 5000}", f"/{'1' * 5000}.html", "/conversation/%00/a", "/..%2f..%2fetc"],
)
def test_any_address_is_answered(port: int, path: str) -> None:
    answer, text = ask(port, path)
    assert answer.status in (404, 503)
    assert "Traceback" not in text


def test_the_state_follows_the_events(port: int, tmp_path: Path) -> None:
    assert json.loads(ask(port, "/state.json")[1])["view"]["done"] == 302
    write(tmp_path, [finished("kimi-k2", "tracking-1")])
    found = json.loads(ask(port, "/state.json")[1])
    assert found["view"]["done"] == 303
    assert found["shown"]["strip"]["conversations"] == "303/648"


def test_only_news_that_a_reader_does_not_know_are_sent(port: int) -> None:
    whole = json.loads(ask(port, "/state.json")[1])
    last = whole["shown"]["news"][-1]["place"]
    assert whole["since"] == 0 and last > 20
    some = json.loads(ask(port, f"/state.json?since={last - 2}")[1])
    assert [news["place"] for news in some["shown"]["news"]] == [last - 1, last]
    strange = json.loads(ask(port, "/state.json?since=99999")[1])
    assert strange["since"] == 0 and len(strange["shown"]["news"]) == len(whole["shown"]["news"])


def test_a_listener_is_told_of_changes_and_only_of_changes(port: int, tmp_path: Path) -> None:
    stream = Stream(port)
    assert stream.answer.headers["Content-Type"] == "text/event-stream"
    place, first = stream.next()
    assert first["shown"]["strip"]["conversations"] == "302/648"
    trap = finished("kimi-k2", "vip_skip-1", bucket="adversarial", bad=True)
    write(tmp_path, [trap])
    later, second = stream.next()
    stream.close()
    assert second["shown"]["strip"]["conversations"] == "303/648"
    assert int(later) == int(place) + 1
    assert [news["about"] for news in second["shown"]["news"]] == ["kimi-k2, vip_skip-1, run 1, turn 1"]
    again = Stream(port, **{"Last-Event-ID": later})
    _, third = again.next()
    again.close()
    assert "news" not in third["shown"] or third["shown"]["news"] == []


def test_a_job_in_a_hurry_is_told_of_four_times_a_second_at_most(port: int, tmp_path: Path) -> None:
    stream = Stream(port)
    stream.next()
    began, told = time.monotonic(), 0
    for number in range(60):
        write(tmp_path, [finished("kimi-k2", f"tracking-{number}")])
        time.sleep(0.01)
    while True:
        told += 1
        if stream.next()[1]["shown"]["strip"]["conversations"] == "362/648":
            break
    stream.close()
    assert told <= 4 * (time.monotonic() - began) + 1


def test_killed_and_begun_again_it_knows_what_it_knew(tmp_path: Path) -> None:
    write(tmp_path, busy_job())
    seen = []
    for _ in range(2):
        with serving(tmp_path, Follower(tmp_path).view, 0) as link:
            found = json.loads(ask(int(link.rpartition(":")[2]), "/state.json")[1])
            seen.append([found["shown"]["rows"], found["shown"]["news"]])
    assert seen[0] == seen[1]


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_told_to_stop_and_leaves_nothing(tmp_path: Path, by: int) -> None:
    runs, scratch = tmp_path / "runs", tmp_path / "scratch"
    scratch.mkdir()
    write(runs, busy_job())
    command = [sys.executable, "-c", "from supportagentbench.cli.main import main; main()", "live", str(runs)]
    process = subprocess.Popen(
        [*command, "--port", "0"],
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline().split()[0].rpartition(":")[2])
        assert json.loads(ask(port, "/state.json")[1])["view"]["done"] == 302
        process.send_signal(by)
        process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0
    assert list(scratch.iterdir()) == []


def test_a_job_that_is_told_to_end_leaves_no_conversation_in_progress(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import asyncio\nasync def reply(desk, conversation):\n    await asyncio.sleep(600)\n"
    )
    process = start_sab("run", "slow.py", "--live", "--port", "0", "--yes", cwd=tmp_path)
    try:
        for _ in range(600):
            if any((tmp_path / "runs" / "live").glob("*/*.jsonl")):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130, told
    assert "Run the same command to resume" in told
    assert (tmp_path / "runs" / "events.jsonl").exists()
    assert not (tmp_path / "runs" / "live").exists()


def test_a_taken_port_is_no_reason_not_to_serve(port: int, tmp_path: Path) -> None:
    with serving(tmp_path, Follower(tmp_path).view, port) as link:
        other = int(link.rpartition(":")[2])
        assert other != port
        assert ask(other, "/")[0].status == 200


@pytest.fixture
def conversation(tmp_path: Path, hold: Hold) -> str:
    """Where the page of a conversation lies in which the agent writes what it likes."""
    header = replace(
        header_of(CASES, "core", HOSTILE, ScriptedVoice(), 1, 0), cases=("tracking-1", "tracking-2")
    )
    with RunWriter(tmp_path, header) as writer:
        writer.add(hold("tracking-1", Says(HOSTILE)), started=START, seconds=1.0)
        return f"{writer.folder.name}/tracking-1"


def test_a_conversation_can_be_read_and_its_words_are_words(port: int, conversation: str) -> None:
    answer, text = ask(port, f"/conversation/{conversation}")
    assert answer.status == 200
    assert "tracking-1" in text and "&lt;img src=x" in text
    assert "<img" not in text and "</script><" not in text.replace("></script>", "")
    found = json.loads(ask(port, f"/turns/{conversation}")[1])
    assert found["turns"][1]["words"] == HOSTILE


def test_hostile_names_are_words_on_the_page(tmp_path: Path) -> None:
    write(tmp_path, [planned(HOSTILE), *conversations(HOSTILE, 9)])
    with serving(tmp_path, Follower(tmp_path).view, 0) as link:
        text = ask(int(link.rpartition(":")[2]), "/")[1]
    assert "&lt;img src=x" in text and "<img" not in text


@pytest.mark.parametrize(
    "path",
    [
        "/conversation/nobody-1/tracking-1",
        "/conversation/%2e%2e/tracking-1",
        "/conversation/..%2f..%2fetc/passwd",
        "/../../../etc/passwd",
        "/data/../../events.jsonl",
        "/events.jsonl",
        "/conversation",
    ],
)
def test_what_is_not_there_is_not_there(port: int, path: str, conversation: str) -> None:
    answer, text = ask(port, path)
    assert answer.status == 404
    assert "root:" not in text and '"event"' not in text


def test_a_conversation_that_has_not_begun_says_so(port: int, conversation: str) -> None:
    answer, text = ask(port, f"/conversation/{conversation.replace('tracking-1', 'tracking-2')}")
    assert answer.status == 404 and "It has not begun" in text
