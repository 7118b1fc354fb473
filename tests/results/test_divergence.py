"""Where two conversations part: at the first different action, or else at the first different word."""

from msgspec.structs import replace

from filed import failed, solved
from supportagentbench.results.divergence import divergence, first_differences

CASE = "damaged_no_proof-1"


def test_the_turn_with_another_action_is_shown_with_what_was_done_and_said() -> None:
    found = divergence(solved(CASE), failed(CASE))
    assert found and found.turn == first_differences(solved(CASE).turns, failed(CASE).turns).done
    assert "replace_item" in found.after and "replace_item" not in found.before
    assert "\n" not in found.before + found.after and not found.in_words_only


def test_other_words_with_the_same_actions_are_a_difference_in_words_only() -> None:
    one = solved(CASE)
    turn = next(at for at, turn in enumerate(one.turns) if turn.party == "agent")
    other = replace(
        one, turns=(*one.turns[:turn], replace(one.turns[turn], text="Hm."), *one.turns[turn + 1 :])
    )
    found = divergence(one, other)
    assert found and found.turn == turn and found.in_words_only and found.after.endswith("Hm.")


def test_equal_conversations_have_none() -> None:
    assert divergence(solved(CASE), solved(CASE)) is None


def test_a_conversation_that_is_over_has_no_words_there() -> None:
    one = failed(CASE)
    found = divergence(one, replace(one, turns=one.turns[:1]))
    assert found and found.after == ""


def test_only_what_agents_say_is_a_difference_in_words() -> None:
    one = solved(CASE).turns
    assert one[0].party == "customer" and one[1].party == "agent"
    asked = (replace(one[0], text="Something else."), *one[1:])
    assert first_differences(one, asked) == (None, None)
    answered = (one[0], replace(one[1], text="Something else."), *one[2:])
    assert first_differences(one, answered) == (None, 1)
    assert first_differences(one, answered, lambda turn: (turn.text,)) == (1, 1)


def test_a_conversation_that_is_over_does_and_says_nothing() -> None:
    one = solved(CASE).turns
    acting = next(at for at, turn in enumerate(one) if turn.calls)
    assert first_differences(one, one[:acting]).done == acting
    assert first_differences((), ()) == (None, None)
