"""Attacks on the purse: how a command could cost more than its `--budget`, and what stops each of them.

| attack | before | now |
|---|---|---|
| many requests in flight when the budget ends | $31 on a budget of $1 | never more: set aside before |
| a provider that loses every answer | eight tries each, uncounted | every try asks, and stays charged |
| usage missing, zero, negative, odd or absurd | free, or earns money | unknown: the agent is paused |
| a provider that says each request cost $0 | $160 on a budget of $0.50 | the price table's, and a pause |
| own keys at a gateway: its fee is the cost | the upstream cost is not read | both are added |
| one token reported for every request | nearly free | unknown: the agent is paused |
| a price that nobody knows | counted as free by a Python caller | refused before the first request |
| a kill in mid-run with `--record` | spending forgotten | remembered from the answers kept |
| a server that claims to be a cheaper model | charged less | charged as the model that was asked for |
"""

import asyncio
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from conversations import job_on
from supportagentbench.board.cost_notes import cost_notes
from supportagentbench.board.standings import make_board
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.fake_provider.clerk import RawReply, ReceivedRequest
from supportagentbench.fake_provider.faults import Faults
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.models.budget import Budget, Tariff
from supportagentbench.models.http_client import ConnectionPool
from supportagentbench.models.prices import dollars
from supportagentbench.models.provider import open_model
from supportagentbench.models.recording import RecordedAnswer
from supportagentbench.records.board import Board
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json
from supportagentbench.records.usage import Usage
from supportagentbench.records.usage_total import bill_of
from supportagentbench.results.load import load_run
from supportagentbench.terminal.board import board_table

OPENAI, ANTHROPIC = "openai:gpt-5,max_tokens=500", "anthropic:claude-haiku-4-5,max_tokens=500"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")


def job_at(provider: FakeProvider, out: Path, name: str, **given: Any) -> Job:
    customer = given.pop("customer", "scripted")
    if customer != "scripted":
        customer = f"{customer},base_url={provider.url}/v1"
    placed = name if ":" not in name else f"{name},base_url={provider.url}/v1"
    return job_on(given.pop("set_name", "core"), [placed], customer=customer, out=out, **given)


def run(provider: FakeProvider, out: Path, name: str, **given: Any) -> JobResult:
    async def main() -> JobResult:
        async with provider:
            return await run_job(job_at(provider, out, name, **given), (), Interrupt(print))

    return drive(main())


def billed(provider: FakeProvider, name: str) -> float:
    """Dollars for all that the provider counted, also for replies that never arrived."""
    total, (prices, _, model) = provider.counts.total, name.partition(",")[0].partition(":")
    tokens = total.whole + total.spoiled
    usage = Usage(
        model,
        input=tokens.input,
        cache_read=tokens.cache_read,
        cache_write=tokens.cache_write,
        output=tokens.output,
    )
    return dollars(usage, prices, model) or 0.0


def recorded(answers: Path) -> float:
    """Dollars for the answers that a recording holds."""
    lines = answers.read_bytes().splitlines()
    kept = [from_json(line, RecordedAnswer).completion for line in lines]
    return sum(completion.usage.cost or 0.0 for completion in kept if completion)


LONG = "Thank you for writing to us about your order, we are looking into it right now. " * 5


class WithUsage:
    """A mind that answers every request alike, and counts as it likes."""

    def __init__(self, name: str, usage: Any, model: str = "") -> None:
        self.name = name
        self.usage = usage
        self.model = model

    def answer(self, request: ReceivedRequest) -> RawReply:
        said: dict[str, Any] = {"model": self.model or request.model}
        if self.name == OPENAI:
            said["choices"] = [{"message": {"content": LONG}, "finish_reason": "stop"}]
        else:
            said |= {"content": [{"type": "text", "text": LONG}], "stop_reason": "end_turn"}
        if self.usage != "missing":
            said["usage"] = self.usage
        return RawReply(json.dumps(said).encode())


@pytest.mark.parametrize("name", [OPENAI, ANTHROPIC])
def test_many_in_flight_never_cost_more_than_the_budget(tmp_path: Path, name: str) -> None:
    provider = FakeProvider(None, Faults(latency=0.05, jitter=0.5))
    done = run(provider, tmp_path, name, budget=0.25, concurrency=100)
    assert 0.2 < billed(provider, name) <= 0.25
    assert done.spent == pytest.approx(billed(provider, name))
    assert (done.outcome, done.overshoot) == ("budget", 0.0)
    assert "does not cover the next request" in done.paused[0]


@pytest.mark.parametrize("fault", ["dropped", "truncated", "broken_json", "gzip_bomb"])
def test_every_try_asks_the_budget_and_a_lost_one_stays_charged(tmp_path: Path, fault: str) -> None:
    provider = FakeProvider(None, Faults(**{fault: 1}))  # type: ignore[arg-type]
    done = run(provider, tmp_path, OPENAI, set_name="tracking", budget=0.08, concurrency=3)
    assert 2 <= provider.counts.total.requests <= 8
    assert billed(provider, OPENAI) <= done.at_risk <= 0.08
    assert done.outcome == "budget"
    port = int(provider.url.rpartition(":")[2])
    again = FakeProvider(port=port)
    run(again, tmp_path, OPENAI, set_name="tracking", budget=0.08, concurrency=3)
    assert again.counts.total.requests <= 1, "the lost tries are on record"


ABSURD: dict[str, dict[str, Any]] = {
    "missing": {OPENAI: "missing", ANTHROPIC: "missing"},
    "null": {OPENAI: None, ANTHROPIC: None},
    "empty": {OPENAI: {}, ANTHROPIC: {}},
    "text": {OPENAI: "none", ANTHROPIC: "none"},
    "zeros": {
        OPENAI: {"prompt_tokens": 0, "completion_tokens": 0},
        ANTHROPIC: {"input_tokens": 0, "output_tokens": 0},
    },
    "negative": {
        OPENAI: {"prompt_tokens": -900_000, "completion_tokens": 5},
        ANTHROPIC: {"input_tokens": 100, "output_tokens": -900_000},
    },
    "negative cost": {
        OPENAI: {"cost": -5.0},
        ANTHROPIC: {"input_tokens": -1, "output_tokens": 1, "cost": "-5"},
    },
    "nan": {
        OPENAI: {"prompt_tokens": "nan", "completion_tokens": 5},
        ANTHROPIC: {"input_tokens": "nan", "output_tokens": 5},
    },
    "fractions": {
        OPENAI: {"prompt_tokens": 12.5, "completion_tokens": 5},
        ANTHROPIC: {"input_tokens": 12.5, "output_tokens": 5},
    },
    "too many": {
        OPENAI: {"prompt_tokens": 10_000_001, "completion_tokens": 5},
        ANTHROPIC: {"input_tokens": 10**18, "output_tokens": 5},
    },
    "more output than allowed": {
        OPENAI: {"prompt_tokens": 100, "completion_tokens": 501},
        ANTHROPIC: {"input_tokens": 100, "output_tokens": 501},
    },
    "booleans": {
        OPENAI: {"prompt_tokens": True, "completion_tokens": True},
        ANTHROPIC: {"input_tokens": True, "output_tokens": True},
    },
    "more cached than sent": {
        OPENAI: {
            "prompt_tokens": 100,
            "completion_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": 101},
        },
        ANTHROPIC: {"input_tokens": 1, "output_tokens": 5, "cache_read_input_tokens": -1},
    },
    "one token": {
        OPENAI: {"prompt_tokens": 1, "completion_tokens": 1},
        ANTHROPIC: {"input_tokens": 1, "output_tokens": 1},
    },
    "one token of output": {
        OPENAI: {"prompt_tokens": 9_000, "completion_tokens": 1},
        ANTHROPIC: {"input_tokens": 9_000, "output_tokens": 1},
    },
    "a cost and no tokens": {
        OPENAI: {"cost": 0.000001},
        ANTHROPIC: {"cost": 0.000001},
    },
    "one token and a cost": {
        OPENAI: {"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.000002},
        ANTHROPIC: {"input_tokens": 1, "output_tokens": 1, "cost": 0.000002},
    },
}


@pytest.mark.parametrize("name", [OPENAI, ANTHROPIC])
@pytest.mark.parametrize("what", ABSURD)
def test_unknown_usage_is_not_free(tmp_path: Path, what: str, name: str) -> None:
    provider = FakeProvider(WithUsage(name, ABSURD[what][name]))
    done = run(provider, tmp_path, name, budget=5.0, concurrency=4)
    assert provider.counts.total.requests <= 4, "at most one request per worker"
    (sentence,) = done.paused
    assert "at 127.0.0.1 does not say what a request cost (usage: " in sentence
    assert done.unpriced == provider.counts.total.requests and done.spent == 0.0
    assert done.at_risk > 0
    assert done.outcome == "provider"


COUNTS: dict[str, dict[str, Any]] = {
    OPENAI: {"prompt_tokens": 9_000, "completion_tokens": 100},
    ANTHROPIC: {"input_tokens": 9_000, "output_tokens": 100},
}


def by_table(name: str) -> float:
    """Dollars that a request with these counts costs."""
    prices, _, model = name.partition(",")[0].partition(":")
    return dollars(Usage(model, input=9_000, output=100), prices, model) or 0.0


@pytest.mark.parametrize("name", [OPENAI, ANTHROPIC])
@pytest.mark.parametrize("cost", [0, 0.0, "0", 1e-9])
def test_a_cost_far_below_the_price_table_s_pauses_and_the_table_s_is_charged(
    tmp_path: Path, cost: object, name: str
) -> None:
    provider = FakeProvider(WithUsage(name, COUNTS[name] | {"cost": cost}))
    done = run(provider, tmp_path, name, budget=5.0, concurrency=4)
    requests = provider.counts.total.requests
    assert 0 < requests <= 4, "at most one request per worker"
    assert done.spent == pytest.approx(requests * by_table(name))
    (sentence,) = done.paused
    assert f"says that a request cost ${float(cost):,.6f}, which cannot be right: by the price" in sentence  # type: ignore[arg-type]
    assert done.outcome == "provider"


@pytest.mark.parametrize("name", [OPENAI, ANTHROPIC])
@pytest.mark.parametrize(
    ("cost", "charged"),
    [
        ({"cost": 0.004}, 0.0),  # A discount is possible; the table's price is what the budget counts.
        ({"cost": -0.02}, 0.0),
        ({"cost": 0.02}, 0.02),
        ({"cost": 0.02, "cost_details": {"upstream_inference_cost": 0.02}}, 0.02),
        ({"cost": 0.001, "cost_details": {"upstream_inference_cost": 0.02}}, 0.021),
        ({"cost": 0, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.02}}, 0.02),
        ({"cost": 0.02, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.02}}, 0.04),
        ({"cost_details": {"upstream_inference_cost": 0.02}}, 0.02),
        ({"cost": 0.02, "cost_details": {"upstream_inference_cost": -1}}, 0.02),
        ({"cost": 0.02, "cost_details": "none"}, 0.02),
    ],
)
def test_the_higher_of_two_costs_is_charged_and_the_budget_held(
    tmp_path: Path, cost: dict[str, Any], charged: float, name: str
) -> None:
    provider = FakeProvider(WithUsage(name, COUNTS[name] | cost))
    done = run(provider, tmp_path, name, budget=0.25, concurrency=4)
    requests = provider.counts.total.requests
    each = max(charged, by_table(name))
    assert requests > 1 and done.spent == pytest.approx(requests * each)
    # A provider that charges more than the table was not foreseen; that is known once per worker, and said.
    assert done.spent <= 0.25 + 4 * max(0.0, charged - by_table(name))
    assert done.overshoot == pytest.approx(max(0.0, done.spent - 0.25))
    assert done.outcome == "budget"


@pytest.mark.parametrize("name", [OPENAI, ANTHROPIC])
def test_unknown_usage_of_the_customer_s_model_stops_as_well(tmp_path: Path, name: str) -> None:
    provider = FakeProvider(WithUsage(name, None))
    done = run(provider, tmp_path, "keywords", customer=name, budget=5.0, concurrency=4)
    assert 0 < provider.counts.total.requests <= 4
    (sentence,) = done.paused
    assert "the customer's model" in sentence and "does not say what a request cost" in sentence


def test_an_unknown_price_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    provider = FakeProvider()
    with pytest.raises(Problem, match=r"price of openai:nobody-knows is unknown, so --budget"):
        run(provider, tmp_path, "openai:nobody-knows", budget=5.0)
    assert provider.counts.total.requests == 0
    with pytest.raises(Problem, match="price of a_package:model is unknown"):
        open_model("a_package:model", "judge", ConnectionPool(1), Budget(5.0))


def test_a_killed_run_that_records_remembers_what_it_spent(tmp_path: Path) -> None:
    given: dict[str, Any] = {"record": tmp_path / "answers.jsonl", "concurrency": 8}

    async def killed_then_resumed() -> JobResult:
        async with FakeProvider(None, Faults(latency=0.02)) as provider:
            first = job_at(provider, tmp_path / "runs", OPENAI, set_name="twins", **given)
            task = asyncio.create_task(run_job(first, (), Interrupt(print)))
            while provider.counts.total.requests < 30:
                await asyncio.sleep(0.005)
            task.cancel()
            await asyncio.wait([task])
            spent = recorded(given["record"])
            assert spent > 0.03, "enough for a request, had it been forgotten"
            second = job_at(provider, tmp_path / "runs", OPENAI, set_name="twins", budget=spent, **given)
            return await run_job(second, (), Interrupt(print))

    done = drive(killed_then_resumed())
    assert done.outcome == "budget"
    assert (done.spent, done.at_risk) == (0.0, 0.0), "a request that is sent has a cost, or may have one"


def test_a_server_that_calls_itself_cheaper_is_charged_as_what_was_asked_for() -> None:
    asked = Tariff("gpt-5", "openai")
    claimed, real = (Usage(name, input=1_000, output=100) for name in ("gpt-5-nano", "gpt-5"))
    assert asked.priced(claimed).cost == asked.priced(real).cost


def board_of(out: Path) -> Board:
    return make_board([load_run(folder) for folder in sorted(out.iterdir()) if folder.is_dir()])


def printed(board: Board) -> str:
    console = Console(width=200, file=StringIO(), record=True)
    console.print(board_table(board))
    return console.export_text()


def test_a_provider_s_zero_is_not_on_the_board(tmp_path: Path) -> None:
    provider = FakeProvider(WithUsage(OPENAI, COUNTS[OPENAI] | {"cost": 0}))
    run(provider, tmp_path, OPENAI, set_name="tracking", concurrency=4)
    board = board_of(tmp_path)
    (agent,) = board.agents
    cost, (bill,) = agent.of("cost"), agent.bills
    assert cost and cost.value == pytest.approx(1000 * by_table(OPENAI) * bill.calls / agent.conversations)
    assert agent.tier != "$"
    note, server = cost_notes(agent)
    assert server.startswith(f"{agent.name}: its token counts are those of 127.0.0.1")
    assert f"for {bill.calls} calls the provider named less than 10% of the price table's cost" in note
    assert "$0.00" not in printed(board) and "which cannot be right" in " ".join(printed(board).split())


@pytest.mark.parametrize("usage", [{"cost": 0}, COUNTS[OPENAI] | {"prompt_tokens": 1, "cost": 0}])
def test_a_cost_nobody_can_check_is_unknown_on_the_board(tmp_path: Path, usage: dict[str, Any]) -> None:
    run(FakeProvider(WithUsage(OPENAI, usage)), tmp_path, OPENAI, set_name="tracking", concurrency=4)
    board = board_of(tmp_path)
    assert board.agents[0].of("cost") is None and board.agents[0].tier is None
    assert "$" not in printed(board).replace("dollars", "")


def test_a_zero_in_an_earlier_run_is_no_price() -> None:
    stored = Usage("gpt-5", input=9_000, output=100, cost=0.0, cost_by="provider")
    assert bill_of(stored).cost is None
    assert bill_of(replace(stored, cost_by="table")).cost == 0.0, "a model that is free"


def test_what_an_agent_reports_itself_is_said_to_be_its_own_report(tmp_path: Path) -> None:
    source = tmp_path / "cheap.py"
    source.write_text(
        "from supportagentbench.records.usage import Usage\n"
        "async def reply(conversation, desk):\n"
        "    desk.spend(Usage('gpt-5', input=9_000, output=100, cost=0.0))\n"
        "    return 'One moment, please.'\n"
    )
    out = tmp_path / "runs"
    drive(run_job(job_on("tracking", [f"{source}:reply"], out=out), (), Interrupt(print)))
    (agent,) = board_of(out).agents
    assert list(cost_notes(agent)) == [f"{agent.name}: its tokens and costs are as the agent reports them."]


def test_a_cost_that_only_the_server_names_is_said_to_be_its_own_word(tmp_path: Path) -> None:
    provider = FakeProvider(WithUsage(OPENAI, COUNTS[OPENAI] | {"cost": 1e-9}))
    run(provider, tmp_path, "openai:acme-1", set_name="tracking", concurrency=4)
    board = board_of(tmp_path)
    (agent,) = board.agents
    server, named = cost_notes(agent)
    assert server.endswith("which is not the provider's own server.")
    assert (
        named == f"{agent.name}: the cost of {agent.bills[0].calls} calls is the one that the provider named."
    )
    assert "the one that the provider named" in " ".join(printed(board).split())


def test_input_that_is_all_from_the_cache_is_no_count(tmp_path: Path) -> None:
    counts = COUNTS[OPENAI]
    cached = {"prompt_tokens_details": {"cached_tokens": counts["prompt_tokens"]}}
    run(FakeProvider(WithUsage(OPENAI, counts | cached)), tmp_path, OPENAI, set_name="tracking")
    assert board_of(tmp_path).agents[0].of("cost") is None
