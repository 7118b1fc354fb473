"""Keys and passwords: each way out, what was found there before, and that nothing is there now.

The key has no prefix by which it could be known. A provider gives it back in every part of its answers, an
agent in every part of its own: whatever is written, served or printed does not hold it, in any notation.
"""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import msgspec
import pytest

from commands import alone, by_pytest, sab
from conversations import job_on
from supportagentbench.board.standings import make_board
from supportagentbench.board.substitutes import substitutes
from supportagentbench.cli import main as command
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.fake_provider.clerk import ModelReply, RawReply, ReceivedRequest, Responder
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.judge import JudgeJob, JudgePlan, JudgeSummary
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.live.journal import Journal
from supportagentbench.live.server import serving
from supportagentbench.models.provider import PROVIDERS, _env_file, host_of, keep_known_keys
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, to_json
from supportagentbench.results.load import load_runs
from supportagentbench.site.build import build
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.transcripts import ArchiveLine, read_transcripts
from supportagentbench.terminal.board import board_table
from supportagentbench.terminal.cost_plan import plan_table

KEY = "q7ZrPlain/93+KtWxy82"
FORMS = {
    "as it is": KEY,
    "in a URL": quote(KEY, safe=""),
    "in base64": b64encode(KEY.encode()).decode(),
    "as a password in base64": b64encode(f"user:{KEY}".encode()).decode(),
    "in base64 for URLs": urlsafe_b64encode(f"x{KEY}".encode()).decode(),
    "in JSON in a text": to_json({"key": KEY}).decode(),
}
TRACES = [form.strip("=").encode()[-14:] for form in FORMS.values()]
"""The end of every form: what would be left of one that was scrubbed in part."""


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for provider in PROVIDERS.values():
        for variable in (*provider.keys, provider.url_variable):
            monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    _env_file.cache_clear()
    yield
    _env_file.cache_clear()


def assert_clean(*found: bytes | str) -> None:
    for one in found:
        data = one.encode() if isinstance(one, str) else one
        assert data and not [trace for trace in TRACES if trace in data]


def assert_clean_below(root: Path) -> None:
    files = [path for path in root.rglob("*") if path.is_file() and path.stat().st_size]
    assert files
    for path in files:
        assert_clean(path.read_bytes(), str(path))


class Echo:
    """A provider that gives the key it was sent back, in one form, in all parts of its answers in turn."""

    def __init__(self, form: str, watched: Path) -> None:
        self.form = form
        self.watched = watched
        self.count = count()

    def answer(self, request: ReceivedRequest) -> ModelReply | RawReply:
        assert request.key == KEY
        if self.watched.exists():
            assert_clean_below(self.watched)  # With the pages and caches of conversations in progress.
        number = next(self.count) % 4
        if number == 0:
            return ModelReply(calls=(("find_order", to_json({"email": self.form}).decode()),))
        if number == 1:
            return ModelReply(calls=((f"tool {self.form}", to_json({self.form: [self.form]}).decode()),))
        words = f"Hello {self.form}, " + "x" * (19_990 if number == 2 else 10)
        return ModelReply(f"{words} {self.form}", reasoning=f"I was given {self.form}.")


JOURNALS: list[Journal] = []
"""Those of one test, which looks at what they write while a job is on."""


@pytest.fixture(autouse=True)
def journals_are_closed() -> Iterator[None]:
    yield
    while JOURNALS:
        JOURNALS.pop().ended("complete")


def run(
    mind: Responder,
    out: Path,
    name: str = "openai:gpt-5",
    customer: str = "scripted",
    set_name: str = "tracking",
) -> tuple[JobResult, Journal]:
    """A job with everything on that writes: recording, events, live view."""

    async def main() -> tuple[JobResult, Journal]:
        async with FakeProvider(mind) as provider:
            place = f",base_url={provider.url}/v1"
            job = job_on(
                *(set_name, [name + place], 1, 0),
                *(customer if customer == "scripted" else customer + place, out, 4),
                record=out / "answers.jsonl",
            )
            journal = Journal(out, wants_turns=True)
            JOURNALS.append(journal)
            return await run_job(job, [journal], Interrupt(print)), journal

    return drive(main())


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_provider_that_gives_the_key_back(tmp_path: Path, form: str) -> None:
    """Before: in transcripts, recording, live view and, from there, five files of a published site."""
    done, journal = run(Echo(form, tmp_path / "runs"), tmp_path / "runs")
    assert done.endings.total() == 6
    assert_clean_below(tmp_path / "runs")
    assert b"[key]" in next((tmp_path / "runs").glob("*-1/transcripts.jsonl")).read_bytes()
    with serving(tmp_path / "runs", journal.view, 0) as link:
        folder = find_runs([tmp_path / "runs"])[0].name
        for path in ("/", "/state.json", f"/conversation/{folder}/tracking-1", f"/turns/{folder}/tracking-1"):
            with urlopen(link + path) as page:
                assert_clean(page.read())
    build([tmp_path / "runs"], tmp_path / "site")
    assert_clean_below(tmp_path / "site")


@pytest.mark.parametrize("status", [400, 401, 500])
def test_an_error_that_names_the_key(tmp_path: Path, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before: in endings, events and the sentence of the pause, unless it had a known prefix."""
    monkeypatch.setattr("supportagentbench.models.http_client.RetryPolicy.wait", lambda self, attempt: 0.01)

    class Refuses:
        def answer(self, request: ReceivedRequest) -> RawReply:
            words = f"no such key: {KEY} {'y' * 236} {KEY}"  # The second is cut, if nobody scrubs it first.
            return RawReply(to_json({"error": {"message": words}}), status)

    done, journal = run(Refuses(), tmp_path / "runs")
    assert_clean_below(tmp_path / "runs")
    assert_clean(*done.paused, to_json(journal.view()))


def test_a_customer_that_gives_the_key_back(tmp_path: Path) -> None:
    run(Echo(KEY, tmp_path / "runs"), tmp_path / "runs", customer="anthropic:claude-haiku-4-5")
    assert_clean_below(tmp_path / "runs")


def test_a_judge_that_gives_the_key_back(tmp_path: Path) -> None:
    """Before: in judgements, and in the reports that quote them."""
    sab("run", "oracle", "--set", "tracking", "-o", tmp_path / "runs", "--display", "none")

    class Judges:
        def answer(self, request: ReceivedRequest) -> ModelReply:
            opinion = {
                "id": "resolution",
                "reason": "r " * 130 + KEY,
                "turn": 1,
                "quote": KEY * 40,
                "met": True,
            }
            return ModelReply(to_json({"opinions": [opinion]}).decode())

    async def main() -> JudgeSummary:
        async with FakeProvider(Judges()) as provider:
            judge = f"anthropic:claude-haiku-4-5,base_url={provider.url}/v1"
            plan = JudgePlan(find_runs([tmp_path / "runs"]), [judge], 2)
            return await JudgeJob(plan, Interrupt(print), lambda number: None).run()

    assert drive(main()).judged
    assert_clean_below(tmp_path / "runs")


AGENT = """
import os

class Agent:
    def __init__(self, seed):
        self.seed = seed

    async def reply(self, turns, desk):
        key = os.environ["OPENAI_API_KEY"]
        desk.call("find_order", {"email": key, key: key})
        if self.seed % 2:
            raise RuntimeError("x" * 470 + " cannot sign in with " + key)
        return "Your order is on its way, says " + key
"""


def test_an_agent_that_uses_the_key_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before: in its errors and replies, whichever library of its own named it."""
    (tmp_path / "signs_in.py").write_text(AGENT)
    monkeypatch.syspath_prepend(str(tmp_path))
    done = sab("run", "signs_in:Agent", "--set", "tracking", "-o", "runs", "--customer", "scripted")
    assert_clean_below(tmp_path / "runs")
    shown = sab("show", "runs", "tracking-1")
    assert_clean(done.stdout + done.stderr, shown.stdout)
    assert "[key]" in shown.stdout


def test_a_key_that_was_typed_as_a_model(tmp_path: Path) -> None:
    """Before: the name of a folder, on every page."""
    done = sab("run", f"openai:{KEY},base_url=http://127.0.0.1:9/v1", "--set", "nothing", "-y", "-o", "runs")
    assert_clean(done.stdout + done.stderr)
    run(Echo("nothing", tmp_path / "runs"), tmp_path / "runs", name=f"openai:{KEY}", set_name="tracking-1")
    assert_clean_below(tmp_path / "runs")


def test_a_crash_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before: a traceback with whatever its exceptions say."""

    def crash(*_: object, **__: object) -> None:
        keep_known_keys()
        try:
            raise ValueError(f"bad header: Bearer {KEY}")
        except ValueError as error:
            raise RuntimeError(f"while sending {KEY}") from error

    monkeypatch.setattr(command, "app", crash)
    done = sab("doctor")
    assert done.returncode == 1
    assert "Traceback" in done.stderr and "[key]" in done.stderr
    assert_clean(done.stderr)


def test_a_run_that_holds_a_key_is_not_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before: published. A run may be older than this, or another program's."""
    (tmp_path / "signs_in_too.py").write_text(AGENT)
    monkeypatch.syspath_prepend(str(tmp_path))
    drive(
        run_job(
            job_on("tracking-1", ["signs_in_too:Agent"], out=tmp_path / "runs"),
            interrupt=Interrupt(print),
        )
    )
    (path,) = (tmp_path / "runs").glob("*/transcripts.jsonl")
    body = to_json(next(read_transcripts(path.parent)).transcript).replace(b"[key]", KEY.encode())
    path.write_bytes(to_json(ArchiveLine(digest(body), 0.0, 0.0, msgspec.Raw(body))) + b"\n")
    done = sab("site", "build", tmp_path / "runs", "-o", tmp_path / "site")
    assert done.returncode == 2
    assert "would show a key" in done.stderr
    assert_clean(done.stderr)
    assert not (tmp_path / "site").exists()


HOSTILE = "OPENAI_BASE_URL=http://127.0.0.1:9/steal\nOPENAI_API_KEY=of-this-folder\n"


def test_an_address_in_the_folder_s_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before: every key of whoever worked in that folder went there."""
    (tmp_path / ".env").write_text(HOSTILE)
    done = sab("run", "openai:gpt-5", "--set", "tracking-1", "-y", "-o", "runs", "--display", "none")
    assert done.returncode == 2
    assert "OPENAI_BASE_URL is set in .env, and addresses are not read from there" in done.stderr
    assert not (tmp_path / "runs").exists()
    monkeypatch.setenv("OPENAI_BASE_URL", "https://desk.example/v1")
    assert host_of("openai:gpt-5") == "desk.example"
    assert host_of("openai:gpt-5,base_url=http://127.0.0.1:9/v1") == "127.0.0.1:9"
    assert host_of("anthropic:claude-haiku-4-5") == "api.anthropic.com"


def test_a_password_in_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before: in errors and, from a base_url, in the message that refused it."""
    secret = "correct-horse-77"
    for name in (
        f"openai:gpt-5,base_url=http://ann:{secret}@h/v1",
        f"openai:gpt-5,base_url=http://ann:{secret}@h/v1,x=1",
    ):
        done = sab("run", name, "--set", "tracking-1", "-y", "-o", "runs")
        assert done.returncode == 2
        assert secret not in done.stderr
    monkeypatch.setenv("OLLAMA_BASE_URL", f"http://ann:{secret}@127.0.0.1:9/v1")
    monkeypatch.setattr("supportagentbench.models.http_client.RetryPolicy.wait", lambda self, attempt: 0.01)
    done = sab(
        "run",
        "ollama:qwen3",
        "--set",
        "tracking-1",
        "-o",
        "runs",
        "--display",
        "json",
        "--customer",
        "scripted",
    )
    assert secret not in done.stdout + done.stderr
    assert "Sent to 127.0.0.1:9: ollama:qwen3." in done.stderr
    assert not [path for path in (tmp_path / "runs").rglob("*.json*") if secret in path.read_text()]
    (folder,) = find_runs([tmp_path / "runs"])
    assert read_header(folder).hosts == {"agent": "127.0.0.1:9"}


def test_a_password_in_a_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://ann:correct-horse-77@127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setattr("supportagentbench.models.http_client.RetryPolicy.wait", lambda self, attempt: 0.01)
    name = "openai:gpt-5,base_url=http://desk.example/v1"
    done = sab("run", name, "--set", "tracking-1", "-y", "-o", "runs", "--display", "json")
    assert "correct-horse-77" not in done.stdout + done.stderr
    for path in (tmp_path / "runs").rglob("*.jsonl"):
        assert "correct-horse-77" not in path.read_text()


def test_the_place_is_printed_before_anything_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before: nowhere."""
    done = sab("run", "openai:gpt-5", "anthropic:claude-haiku-4-5", "--set", "tracking-1", "-o", "runs")
    assert done.returncode == 2 and "add --yes" in done.stderr
    assert "Sent to api.openai.com: openai:gpt-5" in done.stderr
    assert "Sent to api.anthropic.com: anthropic:claude-haiku-4-5" in done.stderr
    assert plan_table([], None)


class Impostor:
    """Answers as a cheaper model than it was asked for."""

    def answer(self, request: ReceivedRequest) -> RawReply:
        said = {"role": "assistant", "content": "Your order is on its way."}
        usage = {"prompt_tokens": 10, "completion_tokens": 5}
        name = "cheap-mini\x1b[31m<b>" + "z" * 500
        return RawReply(to_json({"model": name, "choices": [{"message": said}], "usage": usage}))


def test_a_server_that_answers_as_another_model(tmp_path: Path) -> None:
    """Before: on record in every usage, and named nowhere."""
    run(Impostor(), tmp_path / "runs")
    (folder,) = find_runs([tmp_path / "runs"])
    usage = next(read_transcripts(folder)).transcript.turns[1].usage[0]
    assert usage.asked == "gpt-5" and usage.model.startswith("cheap-mini") and len(usage.model) == 100
    board = make_board(load_runs([tmp_path / "runs"]))
    (words,) = substitutes(board.agents[0])
    assert "openai:gpt-5, the server answered as cheap-mini" in words
    printed = sab("board", tmp_path / "runs").stdout
    assert "the server answered as cheap-mini\\u001b[31m" in " ".join(printed.split())
    assert board_table(board)
    build([tmp_path / "runs"], tmp_path / "site")
    for page in (tmp_path / "site" / "board.html", *(tmp_path / "site" / "agents").glob("*.*")):
        assert "the server answered as cheap-mini" in page.read_text()
    assert "<b>zzz" not in (tmp_path / "site" / "board.html").read_text()
    assert "127.0.0.1" in next((tmp_path / "site" / "agents").glob("*.md")).read_text()


def test_a_server_that_answers_as_it_was_asked_is_not_named(tmp_path: Path) -> None:
    run(Echo("nothing", tmp_path / "runs"), tmp_path / "runs", set_name="tracking-1")
    board = make_board(load_runs([tmp_path / "runs"]))
    assert not list(substitutes(board.agents[0]))


def test_an_env_file_that_is_no_text(tmp_path: Path) -> None:
    """Before: UnicodeDecodeError."""
    (tmp_path / ".env").write_bytes(b"OPENAI_API_KEY=\xff\xfe\n")
    with pytest.raises(Problem, match=r"\.env: cannot be read"):
        keep_known_keys()


READS_KEYS = """
import os, pathlib
LEAK = pathlib.Path(__file__).parent / "leak.txt"
def reply(desk, conversation):
    LEAK.write_text(os.environ.get("OPENAI_API_KEY", "none"))
    return "Hello."
"""
ONE = ("--set", "tracking-1", "--display", "none", "--isolate")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A stranger's project: an agent that looks for a key, and settings that would give it one."""
    (tmp_path / "reads.py").write_text(READS_KEYS)
    (tmp_path / "sab.toml").write_text('[run]\nkeep-env = ["OPENAI_API_KEY"]\n')
    return tmp_path


def test_a_projects_own_settings_hand_no_key_to_its_agent(project: Path) -> None:
    tested = by_pytest("--sab", "reads.py", "--sab-set", "tracking-1", cwd=project)
    for done, code in ((alone("run", "reads.py", *ONE, cwd=project), 2), (tested, 4)):
        assert done.returncode == code and "--keep-env" in done.stderr, done
        assert "has to be typed" in " ".join(done.stderr.split())
    assert not (project / "leak.txt").exists()


def test_only_a_typed_variable_reaches_the_agent(project: Path) -> None:
    (project / "sab.toml").unlink()
    one = ("--sab", "reads.py", "--sab-set", "tracking-1")
    (project / "pytest.ini").write_text("[pytest]\naddopts = --sab-keep-env OPENAI_API_KEY\n")
    refused = by_pytest(*one, cwd=project)
    assert refused.returncode == 4 and "type it: --sab-keep-env OPENAI_API_KEY" in refused.stderr
    assert not (project / "leak.txt").exists()
    (project / "pytest.ini").unlink()
    by_pytest(*one, cwd=project)
    assert (project / "leak.txt").read_text() == "none"
    by_pytest(*one, "--sab-keep-env", "OPENAI_API_KEY", cwd=project)
    assert (project / "leak.txt").read_text() == KEY
