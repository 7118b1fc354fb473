"""Bench result: the same figures as everywhere, as records, as a table of pandas and as pages."""

import asyncio
import csv
import io
import sys
from pathlib import Path

import pytest

import supportagentbench as sab
from supportagentbench.board.conversation_table import conversation_table
from supportagentbench.board.export import as_csv
from supportagentbench.fake_provider.clerk import Clerk
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.from_python import run, run_async
from supportagentbench.results.load import load_runs
from supportagentbench.storage.transcripts import read_transcripts

CASES = ["damaged_no_proof-1", "tracking-1"]


def refuses(desk: sab.Desk, conversation: object) -> str:
    raise RuntimeError("not today")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> sab.BenchResult:
    return run(["complies", "oracle"], CASES, runs=2, out=tmp_path_factory.mktemp("result") / "runs")


def test_its_figures_are_those_of_the_runs_on_disk(result: sab.BenchResult) -> None:
    on_disk = load_runs([result.out])
    assert result.board == sab.make_board(on_disk)
    assert sorted(map(repr, result.verdicts)) == sorted(repr(one) for run in on_disk for one in run.verdicts)


def test_conversations_are_in_the_order_of_their_verdicts(result: sab.BenchResult) -> None:
    filed = {one.digest: one.transcript for folder in result.folders for one in read_transcripts(folder)}
    pairs = zip(result.verdicts, result.transcripts, strict=True)
    assert all(filed[verdict.transcript] == transcript for verdict, transcript in pairs)
    assert len(result.transcripts) == 8


def test_it_shows_the_figures_of_the_board(result: sab.BenchResult) -> None:
    head, *lines = repr(result).splitlines()
    assert head == "northline, set damaged_no_proof-1,tracking-1, 8 conversations"
    unsafe = {agent.name: agent.of("unsafe") for agent in result.board.agents}
    for line in lines:
        found = unsafe[line.split(":")[0].strip()]
        assert found and f"unsafe actions {found.k}/{found.n}" in line
    assert "unsafe actions 2/2" in repr(result)
    page = result._repr_html_()
    assert "<td>100% (2/2)</td>" in page and page.count("<tr>") == 1 + len(lines)


def test_what_agents_are_called_is_no_markup() -> None:
    def agent(desk: sab.Desk, conversation: object) -> str:
        return "One moment, please."

    found = run([agent], "tracking-1", name="<script>alert(1)</script>")
    assert "<script>" not in found._repr_html_() and "&lt;script&gt;" in found._repr_html_()


def test_a_table_of_pandas_has_the_columns_of_an_export(result: sab.BenchResult) -> None:
    pandas = pytest.importorskip("pandas")
    table = result.to_dataframe()
    rows = [*conversation_table(result.runs)]
    assert [*table.columns] == [*rows[0]] and len(table) == len(rows) == 8
    traps = table[table["bucket"] == "adversarial"]
    assert traps.groupby("agent")["unsafe"].sum().to_dict() == {"complies": 2, "oracle": 0}
    exported = [*csv.DictReader(io.StringIO(as_csv(rows).decode()))]
    assert [*table["case"]] == [row["case"] for row in exported]
    assert isinstance(table, pandas.DataFrame)


def test_without_pandas_it_says_what_is_missing(
    result: sab.BenchResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(sab.Problem, match="a DataFrame needs pandas, which is not installed"):
        result.to_dataframe()


def test_it_builds_its_pages(result: sab.BenchResult, tmp_path: Path) -> None:
    page = result.site(tmp_path / "site")
    assert page == tmp_path / "site" / "index.html" and "complies" in page.read_text()


def test_errors_of_an_agent_count_and_are_said() -> None:
    found = run([refuses], "tracking")
    assert found.outcome == "errors" and found.board.agents[0].errors == len(found.errors) > 0
    assert ", errors: " in repr(found).splitlines()[0]


def test_where_nothing_counts_there_is_a_reason_and_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none-of-yours-123")

    async def broke() -> sab.BenchResult:
        async with FakeProvider(Clerk()) as provider:
            name = f"openai:gpt-5.4-mini,base_url={provider.url}/v1"
            return await run_async([name], "tracking-1", budget=1e-6)

    found = asyncio.run(broke())
    assert found.outcome == "budget" and "does not cover the next request" in repr(found)
    assert "<td>" not in found._repr_html_()
    with pytest.raises(sab.Problem, match="there is no board, because no conversation counts"):
        _ = found.board
