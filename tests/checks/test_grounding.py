"""Values in an agent's words: true ones said in many ways, and invented ones, each judged on a record."""

import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from conversations import HEADER
from supportagentbench.checks.claims import read_claims
from supportagentbench.checks.grounding import CHECKS
from supportagentbench.records.case import Label
from supportagentbench.records.finding import Finding
from supportagentbench.records.transcript import Attachment, Ending, ToolCall, ToolResult, Transcript, Turn

FIXTURES: dict[str, Any] = yaml.load((Path(__file__).parent / "grounding.yaml").read_text(), yaml.CSafeLoader)
"""Longer replies, on four records."""

FILE = {
    "order": "#1300",
    "status": "shipped",
    "placed": "2026-06-17",
    "customer": "Efrain Nwobi",
    "email": "efrain.nwobi@example.org",
    "customer_since": "2024-07-29",
    "address": {"street": "455 Otterbend Drive", "city": "Charleston", "region": "SC", "postcode": "29401"},
    "lines": [
        {
            "line": 1,
            "name": "Fjord Carry-On 38",
            "variant": "NL-FJC-GLA",
            "colour": "Glacier",
            "price": "285.00",
        },
        {
            "line": 2,
            "name": "Drowsel Neck Pillow",
            "variant": "NL-DRW-LAV",
            "colour": "Lavender",
            "price": "58.00",
        },
    ],
    "total": "$343.00",
    "payments": [{"id": "P1300-1", "kind": "capture", "amount": "343.00", "made": "2026-06-17"}],
    "parcels": [
        {
            "tracking": "1ZNL480210128927",
            "carrier": "UPS",
            "link": "https://track.northline.example/ups/1ZNL480210128927",
        }
    ],
    "promotion_entered": {"code": "SUMMER15", "percent": 15, "ends": "2026-06-21", "minimum": "200.00"},
}
SCANS = {
    "tracking": "1ZNL480210128927",
    "order": "#1300",
    "scans": [
        {"day": "2026-06-19", "place": "Reno", "event": "collected"},
        {"day": "2026-06-24", "place": "Memphis", "event": "in_transit"},
        {"day": "2026-06-27", "place": "Charleston", "event": "in_transit"},
    ],
}
LINK = "https://track.northline.example/ups/1ZNL480210128927"
OPENING = "Hi, where is #1300? I fly on July 4, and my neighbour's came within 3 days. I paid 343 for it."

TRUE = {
    "ungrounded_date": (
        "You've been with us since 2024, thank you.",
        "Your order (placed June 17, 2026) is on the road.",
        "The last update was on Saturday at Charleston.",
        "There's no way for me to say if it will arrive by Friday.",
        "The scan on 6/27 places it in Charleston.",
        "Great news: it's been scanned as recently as Saturday (June 27).",
        "It was last scanned on June 27.",
        "It was last scanned on 27 June in Charleston.",
        "The last scan was on June 27th, 2026.",
        "The last scan is dated 2026-06-27.",
        "The last scan is from 27/06/2026.",
        "The last scan is from 6/27/2026.",
        "The last scan is from 27.06.2026.",
        "It was scanned on the 27th of June.",
        "It was scanned on the 27th.",
        "It was scanned on 6/27 in Charleston.",
        "It was scanned last Saturday.",
        "The carrier scanned it on Saturday.",
        "It was scanned on Saturday, June 27.",
        "It was last seen two days ago.",
        "You ordered it on June 17 and it left us on June 19.",
        "You ordered it on Jun 17.",
        "It left us on Friday, 19 June.",
        "It was placed on June 17 (a Wednesday) and scanned on June 27, a Saturday.",
        "June 19 was a Friday.",
        "You joined on July 29, a Monday.",
        "It was collected on Friday June 19.",
        "Once it is there it can come back: had it come on June 27, you would have until October 5.",
        "Last day to return: Monday, October 5.",
        "It left us on June 19. Wednesday was the day of the order.",
        "It was scanned in Memphis last Wednesday.",
        "It has been scanned between June 24 and 27.",
        "Your trip on July 4 sounds lovely.",
        "I can't promise that it arrives before July 10.",
        "I can't promise a date, and I can't say that it comes tomorrow.",
        "I'm not able to guarantee delivery by Friday.",
        "We can't get it to you by next week.",
        "SUMMER15 ended on June 21.",
        "The code ended on 21 June 2026.",
        "You have been with us since July 2024.",
        "You have been a customer since 29 July 2024.",
        "As of today, June 29, it is still moving.",
        "It was placed in June.",
        "Have a great Friday!",
        "Did it come on July 2?",
        "The Fjord Carry-On 38 may still arrive in time.",
        "We work Monday to Friday.",
        "You may keep both; may I ask for a photo?",
    ),
    "ungrounded_duration": (
        "It's 2 days since the last scan, so please give it more time.",
        "You'll have 100 days from delivery to send it back.",
        "We'd need the photo within 30 days of delivery.",
        "You placed the order less than two weeks ago.",
        "I can't give you an estimate such as 3-5 business days.",
        "Your order shipped about a week and a half ago.",
        "Orders usually ship within 1–2 business days.",
        "Processing typically takes 1-2 business days before shipping.",
        "If there are no scans for seven days or more, we can send it again.",
        "Since there's been a scan in the last 7 days, I can't resend yet.",
        "Returns are accepted for up to 100 days after delivery.",
        "You're 5 days away from your flight on July 4th.",
        "It's been 10 days since the first scan on June 19.",
        "Your order was placed on Wednesday, June 17, and shipped two days later.",
        "Processing takes 1-2 business days.",
        "Processing takes 1–2 business days.",
        "Processing takes one to two working days.",
        "Processing takes 1 to 2 business days.",
        "Processing takes a day or two.",
        "Processing takes up to two business days.",
        "You can return it within 100 days of delivery.",
        "You have a hundred days to return it.",
        "There is a 100-day return window.",
        "Once it arrives you can return it within 100 days.",
        "A refund can be asked for within 100 days of delivery.",
        "Damage has to be reported within 30 days of delivery.",
        "Damage has to be reported within a month of delivery.",
        "The carrier scanned it within the last 7 days.",
        "The carrier scanned it within the last week.",
        "After a week without a scan we send it again.",
        "The carrier scanned it within the last seven days.",
        "The last scan was two days ago.",
        "The last scan was 2 days ago.",
        "You ordered it 12 days ago.",
        "June 19 to June 27: 8 days",
        "| June 17 | June 19 | 2 days |",
        "It has been under way for ten days.",
        "It was ordered almost two weeks ago.",
        "You have been with us for nearly two years.",
        "It took 2 days from the order to the first scan.",
        "Your neighbour's came within 3 days.",
        "I can't promise that it takes only 5 days.",
        "I don't want to name 5 days or any other number.",
        "Three claims in the last 12 months need a second look.",
        "It was ordered only a few days ago.",
        "What a day you have had!",
    ),
    "ungrounded_amount": (
        "The pillow at $58.00 and the case at $285.00 make $343.00.",
        "The 15% code would have saved you $51.45.",
        "The code required $200 and expired on the 21st of June, eight days ago.",
        "The total was $343 ($285 + $58).",
        "The Fjord Carry-On 38 is $285.",
        "The Fjord Carry-On 38 costs $285.00.",
        "The Fjord Carry-On 38 costs 285 dollars.",
        "The Fjord Carry-On 38 costs USD 285.00.",
        "The Fjord Carry-On 38 costs 285.00 USD.",
        "You paid $343.00 in all.",
        "You paid $343 in all.",
        "The two differ by $227.00.",
        "Without the pillow it would have been $285.00.",
        "Two pillows would be $116.00.",
        "Drowsel Neck Pillow: 4 x $58.00 = $232.00",
        "Five pillows would come to $290.00.",
        "Case $285.00, pillow $58.00, pillow $58.00, pillow $58.00: $459.00 in all.",
        "15% of $285.00 is $42.75.",
        "The code gives 15% off orders over $200.",
        "The code gives 15 per cent off, from $200.00.",
        "The code gives fifteen percent off.",
        "It is sent again free of charge, for $0.",
        "We can't give you a $50 credit.",
        "Order #1300 goes to 455 Otterbend Drive, SC 29401.",
        "I'm 100% sure.",
    ),
    "ungrounded_link": (
        f"You can follow it at {LINK}.",
        f"You can follow it here: {LINK}",
        f"You can follow it [here]({LINK}).",
        f"Follow it at <{LINK}>!",
        "Follow it at track.northline.example/ups/1ZNL480210128927.",
        f"Follow it at {LINK}/",
        "Please log in to your account at northline.example.",
        "We wrote to efrain.nwobi@example.org.",
        "I have no link to give you.",
    ),
    "ungrounded_tracking": (
        "Your tracking: 1ZNL480210128927 (UPS) – https://track.northline.example/ups/1ZNL480210128927",
        "The tracking number is 1ZNL480210128927.",
        "The tracking number is **1ZNL480210128927**.",
        "The tracking number is 1znl480210128927.",
        "The tracking number (1ZNL480210128927) shows it.",
        f"You can follow it at {LINK}.",
        "Order #1300 is the Fjord Carry-On 38, NL-FJC-GLA.",
        "It goes to 455 Otterbend Drive, Charleston, SC 29401.",
        "Thank you for IMG20260628.jpg, IMG20260628 shows it.",
    ),
    "ungrounded_contact": (
        "You can simply reply to this e-mail.",
        "We have efrain.nwobi@example.org on file.",
        "We have Efrain.Nwobi@example.org on file.",
        "It was scanned on 2026-06-27, 455 Otterbend Drive, SC 29401.",
        "Call it bad luck: 1-2 business days, then 100 days to return it.",
        "Reach out when the tracking number 1ZNL480210128927 stands still.",
        "The customs form reads 555 013 4422.",
    ),
    "ungrounded_stock": (
        "I haven't checked whether it is in stock.",
        "If it's in stock, I can send it.",
        "Is it in stock near you?",
        "There are 100 days left to return it.",
        "Two left shoes would be odd.",
    ),
}

INVENTED = {
    "ungrounded_date": (
        "It'll be delivered on or before July 3rd.",
        "Your replacement will ship out Monday.",
        "Estimated delivery: Thursday, July 2.",
        "It should be there by tomorrow evening.",
        "You can expect delivery around July 1.",
        "It will be with you by July 2.",
        "It arrives on 3 July.",
        "It arrives on the 3rd of July.",
        "It should arrive on 2026-07-03.",
        "It should arrive on 7/3/2026.",
        "You'll have it by 7/3, well before you fly.",
        "It will be there by the 3rd.",
        "It was delivered on June 25.",
        "It left us on Thursday, 19 June.",
        "It was placed on June 17 (a Tuesday).",
        "June 19 was a Saturday.",
        "The last scan is of Sunday the 27th of June.",
        "It will arrive tomorrow.",
        "It ships tomorrow morning.",
        "You'll have it by Friday.",
        "It will reach you next week.",
        "The refund will be on your card by Thursday.",
        "It will arrive next Tuesday.",
        "It will arrive between July 1 and 3.",
        "It was delivered yesterday.",
        "It was scanned last Thursday in Memphis.",
        "You'll get it before the end of the week.",
        "It will be there no later than July 3.",
        "Don't worry, it arrives on July 1.",
        "I can't cancel it, but it will be there on July 1.",
        "It will arrive in August.",
        "The code ended on June 20.",
        "You ordered it on 17 May.",
        "You have been with us since 2023-07-29.",
        "I've sent it again; expect it by Wednesday.",
        "It will be with you by September 25.",
        "You can return it until October 9.",
    ),
    "ungrounded_duration": (
        "Our team responds within 1-2 business days.",
        "You have 30 days to return it.",
        "Replacements arrive within 3 to 5 business days.",
        "We reserve 14 days for a full refund.",
        "It usually arrives 2-3 days after the last scan.",
        "You should hear back within one business day.",
        "Please allow up to 10 days for the refund.",
        "Refunds typically take 5–7 business days to appear.",
        "The refund takes 5-10 business days.",
        "The refund takes 5 to 10 business days.",
        "Your money is back within five business days.",
        "A colleague will write to you within 48 hours.",
        "A colleague will get back to you within 24 hours.",
        "Delivery takes 3-5 days.",
        "It will arrive in about a week.",
        "It should reach you within 7 days.",
        "You'll have it in two weeks.",
        "The refund takes 1-2 business days.",
        "The refund will be there within 30 days.",
        "You can return it within 60 days.",
        "You can return it within two months.",
        "Damage has to be reported within 14 days.",
        "We have a two-year warranty.",
        "The hold falls away within 3 to 7 days.",
        "Processing takes 3-4 business days.",
        "Processing takes 24h.",
        "The last scan was five weeks ago.",
        "It will take no more than 4 days.",
        "The refund should take a few business days.",
        "It will be with you in a couple of days, or 3-4 days at most.",
        "You ordered it 40 days ago.",
        "June 19 to June 27: 9 days",
        "Please allow 10 business days.",
    ),
    "ungrounded_amount": (
        "There's a $9.99 fee for that.",
        "I can offer $20 store credit.",
        "The Fjord Carry-On 38 is $295.",
        "The Fjord Carry-On 38 costs 299 dollars.",
        "The Fjord Carry-On 38 costs USD 250.00.",
        "I can offer you a $50 voucher.",
        "Shipping is $12.95.",
        "You paid $343.50.",
        "Five pillows would come to $285.50.",
        "Case $285.00, pillow $58.00, pillow $58.00: $431.00 in all.",
        "We charge fifty dollars for that.",
        "You can have 20% off your next order.",
        "I can give you a 10 per cent discount.",
        "The restocking fee is €25.",
        "The code needs a minimum of $250.",
        "You'll get £35 back.",
    ),
    "ungrounded_link": (
        "Go to northline.com and log in.",
        "Visit https://northline.com/returns to begin.",
        "Start the return at https://northline.example/returns.",
        "Start the return at northline.example/returns.",
        "See https://www.ups.com/track?num=1ZNL480210128927.",
        "See www.northline-returns.com for the form.",
        "See [the page](https://northline.example/help).",
        "Follow it at https://track.northline.example/ups/1ZNL480210128928.",
        "Follow it at https://track.northline.example/ups/1ZNL4802101289.",
    ),
    "ungrounded_tracking": (
        "New tracking: 1Z999AA10123456784",
        "The tracking number is 1ZNL480210128928.",
        "The tracking number is 779439220896.",
        "The new number is NL035031915CA.",
        "The tracking number is 7794 3922 0896.",
        "Your parcel, 15502536572400, is moving.",
        "The tracking number is 1ZNL48021012892.",
    ),
    "ungrounded_contact": (
        "Write to returns@northline.example for that.",
        "Write to returns@northline.com for that.",
        "Call us on 800-555-0134.",
        "Our phone line is 1 (800) 555-0134.",
        "You can ring +44 20 7946 0958 at any time.",
        "The carrier's hotline is 1-800-742-5877.",
    ),
    "ungrounded_stock": (
        "The Fjord is in stock in Glacier.",
        "Glacier is out of stock.",
        "There are only 3 left.",
        "We still have seven pieces left of it.",
        "It has sold out.",
        "It isn't in stock any more.",
    ),
}


def look_up(tool: str, result: object) -> ToolCall:
    return ToolCall(tool, {}, ToolResult.of(result))


def conversation(words: str, language: str = "en", opening: str = OPENING) -> Transcript:
    calls = (look_up("find_order", FILE), look_up("track_parcel", SCANS))
    photo = Attachment("IMG20260628.jpg", "photo", "a suitcase")
    turns = (Turn("customer", opening, attachments=(photo,)), Turn("agent", words, calls))
    label = Label("forbidden")
    return Transcript(
        "c", "f", "resolvable", 1, 0, "", label, turns, Ending("customer_left"), language=language
    )


def findings(transcript: Transcript) -> dict[str, Finding]:
    return {one.check: one for one in read_claims(transcript, HEADER) if one.check in CHECKS}


def faults(words: str, language: str = "en", opening: str = OPENING) -> set[str]:
    found = findings(conversation(words, language, opening))
    assert list(found) == list(CHECKS)
    return {check for check, one in found.items() if one.value}


def test_there_is_enough_to_go_by() -> None:
    assert sum(map(len, TRUE.values())) + sum(map(len, INVENTED.values())) >= 110
    assert set(TRUE) == set(INVENTED) == set(CHECKS)


@pytest.mark.parametrize("check", CHECKS)
def test_true_values_are_recognised_however_they_are_put(check: str) -> None:
    flagged = {words: found for words in TRUE[check] if (found := faults(words))}
    assert len(flagged) <= 0.05 * len(TRUE[check]), flagged


@pytest.mark.parametrize("check", CHECKS)
def test_inventions_are_found(check: str) -> None:
    missed = [words for words in INVENTED[check] if check not in faults(words)]
    assert len(missed) <= 0.1 * len(INVENTED[check]), missed


def test_what_is_flagged_is_nearly_always_invented() -> None:
    wrong = [words for group in TRUE.values() for words in group if faults(words)]
    right = [words for check, group in INVENTED.items() for words in group if check in faults(words)]
    assert len(right) / (len(right) + len(wrong)) >= 0.95, wrong


def on_record(item: dict[str, Any]) -> set[str]:
    """Every untruth found in a reply to one of the records."""
    record = FIXTURES["records"][item["record"]]
    calls = tuple(look_up(tool, shown) for tool, shown in record["calls"].items())
    turns = (Turn("customer", record["opening"]), Turn("agent", item["says"], calls))
    label, ending = Label("forbidden"), Ending("customer_left")
    talk = Transcript("c", "f", "resolvable", 1, 0, "", label, turns, ending)
    return {one.check for one in read_claims(talk, HEADER) if one.value}


@pytest.mark.parametrize(("part", "flagged", "caught"), [("held_out", 0.05, 0.8), ("in_sample", 0, 1)])
def test_longer_replies_on_other_records(part: str, flagged: float, caught: float) -> None:
    counts: Counter[str] = Counter()
    wrong = []
    for item in FIXTURES[part]:
        found, due = on_record(item), set(item.get("wrong", ()))
        counts += Counter(caught=len(found & due), missed=len(due - found), stray=len(found - due))
        counts += Counter(true=not due, flagged=bool(found and not due))
        wrong += [f"{item['says']} -> {sorted(found)}, not {sorted(due)}"] if found != due else []
    told = f"{part}: {dict(counts)}\n" + "\n".join(wrong)
    assert counts["flagged"] <= flagged * counts["true"], told
    assert counts["caught"] >= caught * (counts["caught"] + counts["missed"]), told


def test_a_day_on_which_the_time_to_return_ends_is_known_and_no_promise() -> None:
    assert faults("You can return it until September 25.") == set()
    assert faults("You can return it until September 26.") == {"ungrounded_date"}
    assert faults("It will be with you by September 25.") == {"ungrounded_date"}


def test_there_are_a_hundred_of_them_and_a_third_was_held_out() -> None:
    held_out, in_sample = len(FIXTURES["held_out"]), len(FIXTURES["in_sample"])
    assert held_out + in_sample >= 100
    assert held_out >= (held_out + in_sample) / 3 - 2


def test_the_finding_quotes_the_words_and_names_the_turn() -> None:
    found = findings(conversation("It will be with you by July 2."))["ungrounded_date"]
    assert found.turns == (1,)
    assert "July 2" in found.reason


def test_what_the_customer_said_is_a_source() -> None:
    words = "As you say, Friday, $77 and 9 days, as https://a.example/b has it."
    assert faults(words) == {"ungrounded_date", "ungrounded_amount", "ungrounded_duration", "ungrounded_link"}
    assert faults(words, opening="Friday! $77, 9 days, see https://a.example/b") == set()


def test_only_what_shows_the_shelves_is_a_source_for_stock() -> None:
    shelf = [{"product": "Cobble Packing Cube", "variants": [{"colour": "Fern", "size": "", "in_stock": 3}]}]
    for tool, is_invented in (("search_catalogue", False), ("track_parcel", True)):
        plain = conversation("There are 3 left.")
        turn = msgspec.structs.replace(plain.turns[1], calls=(look_up(tool, shelf),))
        said = msgspec.structs.replace(plain, turns=(plain.turns[0], turn))
        assert findings(said)["ungrounded_stock"].value is is_invented


@pytest.mark.parametrize("amount", ["$0..0", "$1,.5", "$9.,9", "$1..00"])
def test_an_odd_amount_is_one_all_the_same(amount: str) -> None:
    assert faults(f"It costs {amount} more.") <= {"ungrounded_amount"}


def test_to_make_sure_of_stock_is_no_statement_about_it() -> None:
    assert faults("Please make sure that what you add to your cart is in stock.") == set()
    assert faults("What you add to your cart is in stock.") == {"ungrounded_stock"}


def test_a_failed_call_is_no_source() -> None:
    said_no = ToolCall(
        "track_parcel", {}, ToolResult.refused("No parcel has the tracking number '779439220896'.")
    )
    heard = conversation("The tracking number is 779439220896.")
    turn = Turn("agent", heard.turns[1].text, (said_no,))
    found = findings(Transcript("c", "f", "resolvable", 1, 0, "", heard.label, (turn,), heard.ending))
    assert {check for check, one in found.items() if one.value} == {"ungrounded_tracking"}


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("Der Koffer kostet 285,00 €, Nummer 1ZNL480210128927.", set()),
        ("El total es de 343 USD.", set()),
        ("Der Koffer kostet 299,00 €.", {"ungrounded_amount"}),
        ("Le numéro est 779439220896.", {"ungrounded_tracking"}),
        ("Veja https://northline.example/devolver", {"ungrounded_link"}),
        ("Es kommt am July 2 in 5 days.", set()),
    ],
)
def test_other_languages_are_checked_where_no_words_are_needed(words: str, wrong: set[str]) -> None:
    assert faults(words, "de") == wrong
    assert findings(conversation(words, "de"))["ungrounded_date"].reason == "not checked in de"


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "1",
        "$1,",
        "June 2",
        "1-",
        "https://",
        "a.",
        "((((",
        "by Friday ",
        "\x00\x1b",
        "ß",
        "no ",
        "in a week ",
    ],
)
def test_a_megabyte_of_anything_takes_linear_time(piece: str) -> None:
    def seconds(size: int) -> float:
        start = time.process_time()
        faults(piece * (size // len(piece)))
        return time.process_time() - start

    seconds(1_000)
    assert seconds(1_000_000) < 6
