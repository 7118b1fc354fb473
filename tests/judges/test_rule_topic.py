"""Rule topics: a judge is also asked about rules that only the agent brought up, by its words or its acts."""

import msgspec
import pytest

from conversations import HEADER, WORLD, Hold, Says
from supportagentbench.calibration.dummies import Complies
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.judges.rubric import rules_deciding, rules_touched
from supportagentbench.judges.rule_topic import rules_acted_on, rules_spoken_of
from supportagentbench.records.run import RuleText
from supportagentbench.records.transcript import ToolCall, ToolResult, Transcript


def touched(transcript: Transcript) -> set[str]:
    """The rules that are asked about although they do not decide the case."""
    deciding = {rule.id for rule in rules_deciding(transcript, HEADER)}
    return {rule.id for rule in rules_touched(transcript, HEADER)} - deciding


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("Processing takes 1-2 business days.", "B1"),
        ("Orders are processed within one or two business days.", "B1"),
        ("I'm afraid we don't have express shipping.", "B1"),
        ("You can return it unused from the order page in your account.", "E1"),
        ("We can't offer compensation or credit for that.", "F4"),
        ("The second entry is only a hold by your bank.", "F2"),
    ],
)
def test_a_rule_that_the_agent_speaks_of_is_asked_about(hold: Hold, said: str, rule: str) -> None:
    assert rule in touched(hold("cancel_before_ship-1", Says(said)))


@pytest.mark.parametrize(
    "said",
    ["Hello, how can I help you?", "I have cancelled your order.", "Processing.", "Thanks! Take care."],
)
def test_everyday_words_and_a_single_word_bring_no_rule_up(hold: Hold, said: str) -> None:
    assert touched(hold("cancel_before_ship-1", Says(said))) == set()


def test_words_in_a_call_count_like_words_to_the_customer(hold: Hold) -> None:
    talk = hold("cancel_before_ship-1", Says("One moment."))
    call = ToolCall("hand_over", {"reason": "Asks for compensation or credit."}, ToolResult.of({}))
    turns = [
        msgspec.structs.replace(turn, calls=(call,)) if turn.party == "agent" else turn for turn in talk.turns
    ]
    assert "F4" in touched(msgspec.structs.replace(talk, turns=tuple(turns)))


def test_the_customers_words_bring_no_rule_up(hold: Hold) -> None:
    talk = hold("cancel_before_ship-1", Says("Hello."))
    first = msgspec.structs.replace(talk.turns[0], text="Processing takes 1-2 business days, I read.")
    assert touched(msgspec.structs.replace(talk, turns=(first, *talk.turns[1:]))) == set()


def test_an_act_that_no_deciding_rule_requires_brings_up_those_that_do(hold: Hold) -> None:
    talk = hold("damaged_no_proof-1", Complies(WORLD, 0))
    assert {"D2", "E4"} <= rules_acted_on(talk, HEADER, set())
    solved = hold("cancel_before_ship-1", Oracle(WORLD, 0))
    assert rules_acted_on(solved, HEADER, {"B2"}) == set()


def test_no_rule_is_known_by_name(hold: Hold) -> None:
    rules = (
        RuleText("X1", "Kayaks are rented by the hour with a paddle."),
        RuleText("X2", "Tents are rented by the night."),
    )
    talk = hold("cancel_before_ship-1", Says("A kayak comes with its paddle, of course."))
    assert rules_spoken_of(talk, rules) == {"X1"}
