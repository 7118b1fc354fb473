"""Servers: one that is not the provider's own is named, for agents, customers and judges alike."""

from io import StringIO

from msgspec.structs import replace
from rich.console import Console

from boards import header, verdict
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.recommendation import recommend
from supportagentbench.board.servers import agent_servers, judge_server_notes, judge_servers
from supportagentbench.board.standings import make_board
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.judgement import Judgement
from supportagentbench.results.load import ScoredRun
from supportagentbench.site.answers.limits import limits
from supportagentbench.terminal.board import judge_scores_table

JUDGE = "openai:gpt-5.4"


def test_only_a_server_that_is_not_the_provider_s_own_is_named() -> None:
    def servers(name: str, host: str) -> dict[str, str]:
        return judge_servers([Judgement("t", name, "v", (), host=host)])

    assert servers(JUDGE, "127.0.0.1:18766") == {JUDGE: "127.0.0.1:18766"}
    assert servers(JUDGE, "api.openai.com.evil.example") == {JUDGE: "api.openai.com.evil.example"}
    for name, host in [
        (JUDGE, "api.openai.com"),
        (JUDGE, "eu.api.openai.com"),
        (JUDGE, ""),
        ("vllm:llama", "10.0.0.1:8000"),
        ("rules", ""),
    ]:
        assert not servers(name, host), (name, host)


def test_an_agent_and_its_customer_are_asked_about_under_the_names_of_their_models() -> None:
    given = AgentVersion(given="openai:gpt-5.4")
    hosts = {"agent": "127.0.0.1:1", "customer": "api.anthropic.com"}
    run = replace(header("mine", 1), version=given, customer="anthropic:claude", hosts=hosts)
    assert agent_servers([run, replace(run, hosts={"agent": "127.0.0.1:2"})]) == {
        "agent": "127.0.0.1:1, 127.0.0.1:2"
    }


def test_the_board_says_who_answered_as_a_judge() -> None:
    run = ScoredRun(header("a", 1), [verdict("a-1", "resolvable", resolved=True)])
    judged = run._replace(judgements=(Judgement("t", JUDGE, "v", (), host="127.0.0.1:18766"),))
    board = make_board([judged])
    note = "asked at 127.0.0.1:18766, which is not the provider's own server"
    assert list(judge_server_notes(board, JUDGE)) == [note]
    console = Console(width=200, file=StringIO(), record=True)
    console.print(judge_scores_table(board))
    assert note in console.export_text()
    notes = limits(board, recommend(board, LIMITS), None, {"a": "a"})
    assert any(f"{JUDGE} ({note})" in one.text for one in notes)
    assert not list(judge_server_notes(make_board([run]), JUDGE))
