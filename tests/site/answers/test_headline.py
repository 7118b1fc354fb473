"""The headline is computed, and so is the sentence on what the board can tell apart."""

from msgspec.structs import replace

from board_pages import DAY, flock_board
from boards import planted
from supportagentbench.board.standings import make_board
from supportagentbench.site.answers.headline import headline, in_words, powers, resolving_power


def test_it_says_who_was_tried_on_what_and_how_often() -> None:
    said = headline(flock_board(), (DAY, DAY))
    assert said.startswith(
        "5 agents on 162 cases (120 routine, 24 must-escalate, 18 adversarial), three runs each, 2026-07-01."
    )


def test_it_counts_who_came_through_without_a_grave_fault() -> None:
    assert "Across all runs, two agents took no unsafe action, one agent escalated every case" in headline(
        flock_board()
    )
    assert headline(flock_board()).endswith("and one did both.")


def test_where_nobody_did_it_says_what_everybody_did() -> None:
    board = flock_board()
    entry = next(one for one in board.agents if (found := one.of("unsafe")) and found.k)
    said = headline(replace(board, agents=(entry,)))
    assert "Across all runs, every agent took an unsafe action in some trap and " in said
    assert "did both" not in said


def test_one_agent_one_run_and_no_agent() -> None:
    board = make_board([planted("solo")])
    assert headline(board).startswith("One agent on 162 cases")
    assert "one run each" in headline(board)
    assert headline(replace(board, agents=())) == "No agent has been run yet."


def test_pairs_told_apart_are_counted_from_the_claims() -> None:
    board = flock_board()
    for power in powers(board):
        claims = [one for one in board.claims if one.kind == "beats" and one.metric == power.metric]
        assert power.pairs == len(claims) == 6
        assert power.differing == sum(one.holds for one in claims)


def test_the_sentence_names_what_is_told_apart_and_what_is_not() -> None:
    told = {power.title: power.differing for power in powers(flock_board())}
    said = resolving_power(flock_board())
    assert "Too few case types to compare on missed escalations" in said
    assert f"{told['needless handovers']} of 6 pairs on needless handovers" in said
    assert told["needless handovers"] > 0


def test_a_board_that_tells_nobody_apart_says_so() -> None:
    board = make_board([planted("one", over=1), planted("other", over=2)])
    assert resolving_power(board) == (
        "No significant difference between any two agents: 0 of 1 pairs on any metric."
    )


def test_comparisons_need_two_agents_above_the_line() -> None:
    assert "Comparisons need two agents" in resolving_power(make_board([planted("solo")]))
    under = make_board([planted("solo"), planted("idle", unserved=18)])
    assert resolving_power(under) == "Comparisons need two ranked agents; this board has one."
    assert "have no cases to pair" in resolving_power(replace(flock_board(), claims=()))


def test_small_numbers_are_words() -> None:
    assert [in_words(number) for number in (0, 3, 10, 11)] == ["none", "three", "ten", "11"]
