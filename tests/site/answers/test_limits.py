"""The limits of a board name what its numbers do not show."""

from msgspec.structs import replace

from boards import planted
from supportagentbench.board.standings import make_board
from supportagentbench.records.run import IsolationKind
from supportagentbench.site.answers.limits import limits


def said(**isolations: IsolationKind) -> str:
    runs = [planted(name) for name in isolations]
    board = make_board(
        [run._replace(header=replace(run.header, isolation=isolations[run.header.agent])) for run in runs]
    )
    return " ".join(limits(board, published=False))


def test_agents_whose_code_is_trusted_are_named() -> None:
    words = said(ours="none", theirs="process", model="", online="sandbox_network", alone="sandbox")
    assert "The code of ours ran in the benchmark's process" in words
    assert "The code of theirs ran in a separate process" in words
    assert "The user's files, the network and the public cases stayed open to it." in words
    assert "The code of online ran in a sandbox with its own code, messages and tools. The network" in words
    assert "The code of alone ran in a sandbox with its own code, messages and tools: no other" in words


def test_a_desk_with_a_handbook_is_no_other_desk() -> None:
    run = planted("a")
    board = make_board([run._replace(header=replace(run.header, desk="handbook"))])
    assert "work by a handbook to look things up in" in " ".join(limits(board, published=False))
    assert "handbook" not in said(a="")


def test_models_have_no_code() -> None:
    assert "code of" not in said(model="")
