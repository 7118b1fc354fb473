"""The end of a job: why it is over, which code that is, and the command that goes on."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from boards import planted
from supportagentbench.board.standings import make_board
from supportagentbench.models.cost_plan import CostPlan
from supportagentbench.runner.interrupt import Interrupt
from supportagentbench.runner.job import JobResult
from supportagentbench.terminal.run import EXIT_CODES, command_line, cost_span, how_it_ended, not_told_apart


def done(*, paused: tuple[str, ...] = (), is_spent: bool = False, **endings: int) -> JobResult:
    return JobResult([], Counter(endings), 0.0, 0, list(paused), [], is_spent)


def pulled() -> Interrupt:
    brake = Interrupt(print)
    brake.is_pulled = True
    return brake


@pytest.mark.parametrize(
    ("found", "how", "code"),
    [
        (done(customer_left=9), "complete", 0),
        (done(customer_left=9, agent_error=1), "complete", 0),
        (done(customer_left=9, missing=1), "partial", 2),
        (done(customer_left=9, provider_error=1), "partial", 2),
        (done(customer_left=9, missing=1, is_spent=True), "budget", 3),
        (done(customer_left=9, is_spent=True), "complete", 0),
        (done(provider_error=5, missing=9, paused=("a is paused",)), "provider", 4),
        (done(missing=9, paused=("runs/a-1: is being written by another process",)), "partial", 2),
    ],
)
def test_why_a_job_is_over_and_its_code(found: JobResult, how: str, code: int) -> None:
    assert how_it_ended(found, Interrupt(print)) == how
    assert EXIT_CODES[how_it_ended(found, Interrupt(print))] == code


def test_whoever_pulls_the_brake_interrupts() -> None:
    assert how_it_ended(done(customer_left=9), pulled()) == how_it_ended(None, pulled()) == "interrupted"
    assert EXIT_CODES["interrupted"] == 130


def test_the_command_to_go_on_with_can_be_pasted_and_keeps_a_secret() -> None:
    words = ["/usr/bin/sab", "run", "openai:gpt-5,base_url=http://x y", "--private-seed", "s3cret", "-n", "3"]
    assert command_line(words) == "sab run 'openai:gpt-5,base_url=http://x y' --private-seed … -n 3"
    assert "s3cret" not in command_line(["sab", "run", "oracle", "--private-seed=s3cret"])


def plan(cost: float | None, *, is_paid: bool = True) -> CostPlan:
    return CostPlan("m", 1, 1, 1, 1, cost, 1.0, is_paid, "agent", None if cost is None else 2 * cost)


def test_what_all_models_come_to_is_unknown_as_soon_as_one_is() -> None:
    assert cost_span([plan(1.0), plan(0.5), plan(None, is_paid=False)]) == (1.5, 3.0)
    assert cost_span([plan(1.0), plan(None)]) == cost_span([]) == (None, None)


def test_who_cannot_be_told_apart_is_said() -> None:
    board = make_board([planted("a"), planted("b", over=120), planted("c")])
    assert not_told_apart(board) == "Not told apart by any metric: a and c."
    assert not_told_apart(make_board([planted("a")])) == ""


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """A provider that knows some models, for jobs in processes of their own."""
    command = [sys.executable, "-m", "fake_provider.provider", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    yield server.stdout.readline().split()[-1].removesuffix("/v1")
    server.terminate()
    server.communicate(timeout=10)


def sab(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from supportagentbench.cli.main import main; main()", *words]
    environment = {**os.environ, "COLUMNS": "80", "OPENAI_API_KEY": "sk-test"}
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_spent_budget_and_a_refusing_provider_have_codes_of_their_own(
    tmp_path: Path, provider: str
) -> None:
    model = f"openai:gpt-5,base_url={provider}/v1"
    spent = sab("run", model, "--set", "core", "--budget", "0.05", "-y", "--display", "none", cwd=tmp_path)
    assert spent.returncode == 3, spent.stderr
    assert "Nothing more is asked once $0.05 are spent." in spent.stderr
    assert f"  sab run {model} --set core --budget 0.05 -y --display none" in spent.stderr
    gone = sab(
        "run",
        f"openai:unknown-model,base_url={provider}/v1",
        "-y",
        "-o",
        "gone",
        "--set",
        "core",
        "--display",
        "none",
        cwd=tmp_path,
    )
    assert gone.returncode == 4, gone.stderr
    assert "openai:unknown-model is paused" in gone.stderr
