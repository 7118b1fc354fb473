"""Servers: who was asked for a model in place of its provider, and so may have answered as it likes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from supportagentbench.records.board import Board
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.run import Run


def agent_servers(headers: Iterable[Run]) -> dict[str, str]:
    """By role, the servers of an agent's runs that are not their providers' own."""
    asked = []
    for header in headers:
        names = {"agent": header.version.given or header.agent, "customer": header.customer}
        asked += [(role, names.get(role, ""), host) for role, host in header.hosts.items()]
    return _foreign(asked)


def judge_servers(judgements: Iterable[Judgement]) -> dict[str, str]:
    """By judge, the servers that are not its provider's own."""
    return _foreign((judge, judge, host) for judge, host in {(one.judge, one.host) for one in judgements})


def judge_server_notes(board: Board, judge: str) -> Iterator[str]:
    """What has to be known beside a judge's name, if it was asked elsewhere than at its provider."""
    if servers := board.judge_servers.get(judge):
        yield f"asked at {servers}, which is not the provider's own server"


def _foreign(asked: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """The servers among these, each with whose it is and the model's name, that are no provider's own."""
    reached = [one for one in asked if one[-1]]
    if not reached:
        return {}
    from supportagentbench.models.provider import is_own_server  # It takes long to import.

    found: dict[str, set[str]] = defaultdict(set)
    for whose, name, host in reached:
        if not is_own_server(name, host):
            found[whose].add(host)
    return {whose: ", ".join(sorted(hosts)) for whose, hosts in sorted(found.items())}
