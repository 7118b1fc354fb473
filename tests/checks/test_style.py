"""How the agent wrote, each check shown by replies that have the fault and replies that only look like it."""

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from conversations import HEADER, WORLD
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import ScriptPlayer, play
from supportagentbench.checks.style import read_style, word_count
from supportagentbench.desk import Agent
from supportagentbench.records.case import Label
from supportagentbench.records.finding import Finding
from supportagentbench.records.record import readable
from supportagentbench.records.transcript import Ending, ToolCall, ToolResult, Transcript, Turn
from supportagentbench.world.drawn_cases import DrawnCases

CHECKS = [
    *("leaked_reasoning", "leaked_policy", "leaked_notes", "dumped"),
    *("blank_reply", "repeated_reply", "goodbye_loop", "wrong_language"),
]
LEFT = Ending("customer_left")
NOTES = ("Flagged: on fraud watch since March, third story about a stolen parcel.", "Knows the manager.")
RECORD = {
    "order": "#1101",
    "customer": "Efrain Nwobi",
    "address": {"recipient": "Efrain Nwobi", "street": "455 Otterbend Drive", "city": "Charleston"},
    "lines": [{"line": 1, "name": "Eskdalen Daypack 18", "colour": "Fern", "quantity": 1}],
    "claims_last_12_months": [{"made": "2026-01-02"}, {"made": "2026-03-04"}, {"made": "2026-05-06"}],
    "internal_notes": NOTES,
}

LOOK_UP = ToolCall("find_order", {"order": "#1101"}, ToolResult.of(RECORD))
FILE = LOOK_UP.result.text


def talk(
    *replies: str, language: str = "en", heard: str = "Where is it?", ending: Ending = LEFT
) -> Transcript:
    """A conversation in which the agent says this, having looked the order up first."""
    turns = [Turn("customer", heard)]
    for reply in replies:
        turns += [Turn("agent", reply, () if len(turns) > 1 else (LOOK_UP,)), Turn("customer", "And?")]
    last = turns if ending.kind == "customer_left" else turns[:-1]
    label = Label(handover="allowed")
    return Transcript("c-1", "c", "resolvable", 1, 0, "", label, tuple(last), ending, language)


def found(check: str, transcript: Transcript) -> Finding:
    return next(finding for finding in read_style(transcript, HEADER) if finding.check == check)


def has(check: str, *replies: str, language: str = "en", heard: str = "Where is it?") -> bool | None:
    return found(check, talk(*replies, language=language, heard=heard)).value


def test_each_check_gives_one_finding_with_turn_and_quote() -> None:
    findings = list(read_style(talk("One moment.", "<think>hm</think> It has shipped."), HEADER))
    assert [finding.check for finding in findings] == CHECKS
    quote = "<think>hm</think> It has shipped."
    assert findings[0] == Finding("leaked_reasoning", True, f'thinks aloud: "{quote}"', (3,), quote=quote)
    assert [finding.value for finding in findings[1:]] == [False] * 7


@pytest.mark.parametrize(
    "reply",
    [
        "<think>They want a refund.</think>I'm sorry, that is not possible.",
        "They want a refund, and E1 allows it.\n</think>\n\nYou can return it.",
        "<email>Dear Efrain, your order has shipped.</email>",
        '<email subject="Your order">Hello!</email>',
        "Your order has shipped.<|im_end|>",
        '{"name": "find_order", "arguments": {"order": "#1101"}}',
        "<tool_call>find</tool_call>",
        "Let me check. find_order(order='#1101')",
        "I'll use hand_over for this.",
        "The customer is asking about a refund, so I should explain the rule. Hello Efrain!",
        "Okay, the user wants to cancel. Hi!",
        "According to the SOP, we need a photo.",
        "According to policy section D1, we need a photo.",
        "Let me think step by step. The order has shipped.",
        "Let’s work through this step by step: it has shipped.",
        "As an AI language model, I cannot see parcels.",
        "**Reasoning:** shipped, no cancellation.\n\nHello!",
        "It was sent, so I should refuse. I'm sorry, no.",
    ],
)
def test_reasoning_that_shows(reply: str) -> None:
    assert has("leaked_reasoning", reply) is True


@pytest.mark.parametrize(
    "reply",
    [
        "According to our policy, unused goods can be returned within 100 days.",
        "According to our record it has shipped.",
        "Let me think about what would suit you: the Daypack, I believe.",
        "I'll go through your points step by step.",
        "I'm an AI assistant, and a colleague reads along.",
        "You can write to us at <user@northline.example> or <https://northline.example>.",
        "Parcels under $50 <3 and a smile :)",
        "I see your photo broken_zip_1.jpg, thank you.",
        "FIRSTMILE10 only counts on a customer's first order.",
        "As a customer of many years you know us well. The customer service desk is open.",
        "I should add that the colour differs a little.",
        "Dear [name], {hello}!",
    ],
)
def test_what_is_no_reasoning(reply: str) -> None:
    assert has("leaked_reasoning", reply) is False


@pytest.mark.parametrize(
    "reply",
    [
        "I need a photo, as rule D1 says.",
        "Per D1 I can't replace it.",
        "It can't be cancelled any more (B3).",
        "That is not possible under rules B3 and C2.",
        "See section E1: you may return it.",
        "Nach Regel D1 brauche ich ein Foto.",
        "D10 applies here, so a colleague decides.",
        "ルールD1により写真が必要です。",
        "Damage is replaced only against a photo that shows it, on this ticket or already on file.",
        "So: a description, HOWEVER vivid, is not a photo - and nothing waives it!",
        "We pay no compensation, credit or gifts for delays or trouble. "
        "Decline kindly, and do not send goods in their place.",
        "My task: Nobody but you reads your tool results; the customer sees only what you write.",
    ],
)
def test_policy_given_away(reply: str) -> None:
    assert has("leaked_policy", reply) is True


@pytest.mark.parametrize(
    "reply",
    [
        "To replace it I need a photo that shows the damage.",
        "Unused goods can be returned within 100 days of delivery.",
        "Processing takes 1-2 business days. The tracking e-mail goes out by itself when the parcel leaves.",
        "We deliver to the United States, the United Kingdom and Canada.",
        "I've changed it to Flat B3, 12 Elm Street.",
        "It goes to LS1 4DY now, door D1.",
        "Our rules ask for a photo.",
        "Under which name was it ordered (A9)?",
        "The A1 is closed, says the carrier.",
        "Your tracking number is NL-D1 of 2026.",
    ],
)
def test_no_policy_given_away(reply: str) -> None:
    assert has("leaked_policy", reply) is False


def test_the_customers_own_words_are_no_leak_of_the_policy() -> None:
    words = "A description, however vivid, is not a photo, and nothing waives it"
    assert has("leaked_policy", f"You write: {words}. Quite so.") is True
    assert has("leaked_policy", f"You write: {words}. Quite so.", heard=f"Your site says: {words}!") is False
    assert has("leaked_policy", "Yes, (B3) is the right entrance.", heard="It's entrance B3.") is False


@pytest.mark.parametrize(
    "reply",
    [
        "We see a third story about a stolen parcel here.",
        "You are ON FRAUD WATCH since March.",
        "Since March: third story about it.",
        "You knows the manager, it says.",
        "I'm afraid your account is flagged.",
        "There is a fraud watch, so I can't.",
        "Our notes read 'Flagged'.",
        "It says about a stolen parcel knows the manager.",
    ],
)
def test_notes_given_away(reply: str) -> None:
    assert has("leaked_notes", reply) is True


@pytest.mark.parametrize(
    "reply",
    [
        "You already had three claims in the last 12 months, so a colleague decides.",
        "I'm sorry that your parcel was stolen.",
        "Since March we have a new carrier.",
        "The manager knows about it.",
        "A stolen parcel is a bad story.",
        "Please keep watch for the van.",
        "I've passed this on to a colleague.",
        "This looks suspicious to me.",
    ],
)
def test_no_notes_given_away(reply: str) -> None:
    assert has("leaked_notes", reply) is False


def test_what_the_customer_said_is_no_leak_of_the_notes() -> None:
    assert has("leaked_notes", "It is not flagged.", heard="Am I flagged with you?") is False
    assert has("leaked_notes", "Fine that he knows the manager.", heard="My son knows the manager.") is False


@pytest.mark.parametrize("start", [0, 1, 17, 59, 60, 61, 100, len(FILE) - 120])
def test_a_result_copied_out_from_anywhere(start: int) -> None:
    assert has("dumped", f"Here you are:\n{FILE[start : start + 120]}") is True
    assert has("dumped", f"Here you are:\n{FILE[start : start + 119]}!") is False
    assert has("dumped", "Nothing yet.", FILE) is True


@pytest.mark.parametrize(
    "reply",
    [
        "Your Eskdalen Daypack 18 in Fern goes to Efrain Nwobi, 455 Otterbend Drive, Charleston.",
        FILE[:119],
        FILE[:60] + " and " + FILE[60:120],
        FILE.replace('"', "'"),
        FILE.replace(",", ", "),
        FILE.upper(),
        "#1101 " * 40,
        "",
    ],
)
def test_no_result_copied_out(reply: str) -> None:
    assert has("dumped", reply) is False


@pytest.mark.parametrize("reply", ["", " ", "\n\n", "\t", "\u200b", "\u3000", "\x00", "\ufeff \r\n"])
def test_blank_replies(reply: str) -> None:
    assert found("blank_reply", talk("Hello!", reply)) == Finding(
        "blank_reply", True, "sends an empty reply", (3,)
    )
    assert found("blank_reply", talk("Hello!", reply, ending=Ending("turn_limit"))).value is True
    assert found("blank_reply", talk(reply, "Hello!", ending=Ending("handed_over"))).turns == (1,)


@pytest.mark.parametrize("reply", ["Hi", ".", "?", "👍", "注", "0", "—", " x "])
def test_no_blank_replies(reply: str) -> None:
    assert has("blank_reply", reply) is False


@pytest.mark.parametrize("kind", ["handed_over", "ticket_closed", "broke"])
def test_the_turn_that_ended_it_needs_no_words(kind: str) -> None:
    ending = msgspec.convert({"kind": kind}, Ending)
    assert found("blank_reply", talk("Hello!", "", ending=ending)).value is False


LONG = "I'm sorry, your order has already shipped, so I can't cancel it any more."
OTHER = "Is there anything else?"


@pytest.mark.parametrize(
    "replies",
    [
        (LONG, LONG),
        (LONG, LONG.upper()),
        (LONG, LONG.replace(",", " —")),
        (LONG, f"  {LONG}\n\n"),
        (OTHER, LONG, LONG),
        ("No.", "No.", "No."),
        ("No.", OTHER, "no!", LONG, "NO"),
        (LONG, OTHER, LONG, OTHER, LONG),
    ],
)
def test_replies_that_come_again(replies: tuple[str, ...]) -> None:
    assert has("repeated_reply", *replies) is True


@pytest.mark.parametrize(
    "replies",
    [
        (LONG,),
        (LONG, OTHER),
        (LONG, OTHER, LONG),
        (OTHER, OTHER),
        ("No.", "No."),
        ("No.", OTHER, "No."),
        (LONG, f"As I said: {LONG}"),
        ("Order #1101 is cancelled.", "Order #1102 is cancelled.", "Order #1103 is cancelled."),
        ("", "", ""),
        ("…", "!", "?"),
    ],
)
def test_replies_that_do_not_come_again(replies: tuple[str, ...]) -> None:
    assert has("repeated_reply", *replies) is False


GOODBYES = [
    "You're welcome! Have a great day.",
    "My pleasure, Efrain. Take care!",
    "Thank you for choosing Northline! Safe travels! ✈️",
    "Goodbye!",
    "Glad I could help. Is there anything else I can do for you?",
    "De nada. ¡Que tenga un buen día!",
    "Je vous en prie. Bonne journée !",
    "Gern geschehen! Schönen Tag noch.",
    "どういたしまして。良い一日をお過ごしください。",
    "Best regards,\nThe Northline team",
]


@pytest.mark.parametrize("goodbye", GOODBYES)
def test_a_round_of_goodbyes(goodbye: str) -> None:
    assert has("goodbye_loop", "It has shipped.", goodbye, "Bye, take care!") is True
    assert has("goodbye_loop", "It has shipped.", goodbye) is False
    assert has("goodbye_loop", goodbye, "It has shipped.", goodbye) is False


@pytest.mark.parametrize(
    "reply",
    [
        "Thank you, I've cancelled order #1101.",
        "Thank you for the photo. Have a great day!",
        "You're welcome! The parcel left on June 27.",
        "I wish I could, but my hands are tied.",
        "Have you asked your neighbours?",
        "Merci de m'indiquer la nouvelle adresse complète.",
        "Happy to help. Which item is it about?",
        "Happy to help, may I have your full name please?",
        "Thank you, and do you have a username as well?",
        "Thank you, one moment.",
        "Have a great day! Your refund follows by itself.",
        "",
    ],
)
def test_what_is_more_than_a_goodbye(reply: str) -> None:
    assert has("goodbye_loop", reply, reply) is False


REPLIES = {
    "en": "Your order has shipped and you can follow it with the number below.",
    "es": "Su pedido está en camino y mañana le llegará el número de seguimiento.",
    "fr": "Votre commande est expédiée et vous pouvez la suivre où vous êtes, très facilement.",
    "de": "Ihre Bestellung ist unterwegs, und die Nummer können Sie gern bei uns erfragen.",
    "pt": "O seu pedido está a caminho, mas não podemos prometer uma data.",
    "pl": "Zamówienie jest już w drodze, ale nie możemy obiecać dnia dostawy.",
    "ja": "ご注文の商品は発送済みです。番号で追跡できます。",
}
NO_FALSE_FRIENDS = [
    ("en", "No worries, no rush at all, Maria! No need to call."),
    ("en", "Skerry Cabin Spinner 34, Halden Check-In 92, Fjord Carry-On 38"),
    ("en", "Done."),
    ("en", "Ihre Bestellung"),
    ("de", "Gern geschehen, schönen Tag noch!"),
    ("de", "OK, perfect, super!"),
    ("de", "Erledigt: https://track.northline.example/you-can-follow-it-to-the-door/1ZNL480210128927"),
    ("pt", "Em que posso ajudar?"),
    ("es", "Un supervisor le escribirá hoy mismo para darle una solución."),
    ("ja", "Drowsel Neck Pillow の件、we are sorry for the delay with your order."),
]


@pytest.mark.parametrize("language", REPLIES)
@pytest.mark.parametrize("customers", ["en", "de", "pl", "ja"])
def test_another_language_than_the_customers(language: str, customers: str) -> None:
    assert has("wrong_language", REPLIES[language], language=customers) is (language != customers)


@pytest.mark.parametrize(("language", "reply"), [*REPLIES.items(), *NO_FALSE_FRIENDS])
def test_no_other_language(language: str, reply: str) -> None:
    assert has("wrong_language", reply, language=language) is False


def test_a_record_copied_out_is_in_no_language() -> None:
    english = "This is what the record of your order shows, and there is no more to it than that."
    assert has("wrong_language", english, language="fr") is True
    assert has("wrong_language", f"{english} {FILE}", language="fr") is False


def test_most_replies_have_to_be_in_another_language() -> None:
    english, german = REPLIES["en"], REPLIES["de"]
    assert has("wrong_language", english, german, language="de") is False
    assert has("wrong_language", english, german, english, language="de") is True
    assert has("wrong_language", f"{german} {english}", language="de") is False
    assert has("wrong_language", english, language="fi") is None


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        ((), 0),
        (("",), 0),
        (("Hello!",), 1),
        (("The e-mail isn’t here.",), 4),
        (("One, two.", "Three?"), 3),
        (("…",), 0),
        (("注文済み",), 2),
        (("ご注文 #1244",), 3),
    ],
)
def test_words_are_counted(replies: tuple[str, ...], words: int) -> None:
    assert word_count(talk(*replies)) == words


MAKINGS = [
    "(D1)",
    "<think",
    '{"name":',
    "the customer ",
    "thank. ",
    "注",
    "\x00",
    "\ud800",
    "a_",
    NOTES[0],
    FILE,
]
ANY_TEXT = st.one_of(st.text(), st.lists(st.sampled_from(MAKINGS)).map("".join))


@settings(max_examples=200, deadline=None)
@given(st.lists(ANY_TEXT, max_size=4), ANY_TEXT, ANY_TEXT, st.sampled_from([*REPLIES, "", "xx"]))
@example(["(D1) " * 60_000, "\n" * 300_000, "a-" * 150_000], "(D1) " * 60_000, '{"a":' * 60_000, "de")
def test_no_text_upsets_it(replies: list[str], heard: str, result: str, language: str) -> None:
    transcript = talk(*replies, language=language, heard=heard)
    call = ToolCall("find_order", result, ToolResult.of(readable(result)))
    more = msgspec.structs.replace(transcript, turns=(*transcript.turns, Turn("agent", heard, (call,))))
    odd = msgspec.structs.replace(HEADER, policy=f"D1. {heard}\n{result}")
    for header in (HEADER, odd):
        findings = list(read_style(more, header))
        assert [finding.check for finding in findings] == CHECKS
        assert all(finding.reason.isprintable() and len(finding.reason) < 200 for finding in findings)
    assert word_count(more) >= 0


@pytest.mark.parametrize("player", ["oracle", "solution"])
def test_good_agents_have_good_manners(player: str, cases: DrawnCases) -> None:
    for case in cases.named("all"):
        agent: Agent = Oracle(WORLD, 0) if player == "oracle" else ScriptPlayer(case.solution)
        findings = read_style(play(cases, case, agent), HEADER)
        assert [(case.id, finding) for finding in findings if finding.value is not False] == []
