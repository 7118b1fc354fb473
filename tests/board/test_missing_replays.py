"""Replays that are missing before a present one are named; the last ones may be left out."""

from msgspec.structs import replace

from boards import header
from supportagentbench.board.missing_replays import Replayed, missing_replays, missing_words


def replays(planned: str, *on_file: str) -> list[Replayed]:
    """Runs of forks that are called by one letter each, with the forks that each has on file."""
    return [
        (replace(header("mine", run), cases=tuple(planned)), {*found})
        for run, found in enumerate(on_file, start=1)
    ]


def test_the_last_replays_may_be_left_out() -> None:
    assert missing_replays(replays("ab", "ab", "ab", "b", "")) == {}


def test_replays_before_a_present_one_are_missing() -> None:
    assert missing_replays(replays("ab", "b", "ab", "b", "b", "a")) == {("a", "mine"): "1, 3–4"}


def test_a_run_that_is_gone_is_missing_for_all_its_forks() -> None:
    assert missing_replays(replays("ab", "ab", "ab", "ab")[1:]) == {("a", "mine"): "1", ("b", "mine"): "1"}


def test_a_fork_without_any_replay_is_missing() -> None:
    missing = missing_replays(replays("ab", "b", "b"))
    assert [*missing_words(missing, str.title)] == ["Mine at a: replays 1–2 are not here"]


def test_runs_of_other_forks_have_numbers_of_their_own() -> None:
    assert missing_replays([*replays("a", "a", "a"), *replays("b", "", "", "b", "b")[2:]]) == {}
