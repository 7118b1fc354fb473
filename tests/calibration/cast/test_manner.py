"""How a character writes."""

from random import Random

from supportagentbench.calibration.cast.manner import Manner

WARM = Manner(greetings=("Hello!",), openers=("Thanks.",), closers=("Take care.",))


def test_the_first_message_is_greeted_and_later_ones_are_opened() -> None:
    assert WARM.put("It has shipped.", Random(0), is_first=True) == "Hello! It has shipped. Take care."
    assert WARM.put("It has shipped.", Random(0), is_first=False) == "Thanks. It has shipped. Take care."


def test_a_question_stays_the_last_word() -> None:
    assert WARM.put("Shall I go ahead?", Random(0), is_first=False) == "Thanks. Shall I go ahead?"


def test_silence_stays_silence() -> None:
    assert WARM.put("", Random(0), is_first=True) == ""


def test_kind_words_can_be_left_out() -> None:
    curt = Manner(drops=((", I'm sorry.", "."),))
    assert curt.put("We can't do that, I'm sorry.", Random(0), is_first=True) == "We can't do that."
