"""The reader in a real browser, opened from a folder: every state has an address, and no words run."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from conversations import CASES
from filed import HOSTILE, failed, file_few, file_run
from supportagentbench.records.transcript import RefusedCall
from supportagentbench.site.build import build
from supportagentbench.site.data.bundle import bundle_path

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of three agents, two runs each, on four cases; one of the agents is hostile."""
    site = tmp_path_factory.mktemp("few") / "site"
    build([file_few(site.with_name("runs"))], site)
    return site


@pytest.fixture
def read(open_page: Open, few: Path) -> Open:
    """Opens the reader in a state."""

    def read(state: str = "", **options: Any) -> Page:
        return open_page(f"{(few / 'reader.html').as_uri()}#{state}", **options)

    return read


def state_of(page: Page) -> dict[str, str]:
    return dict(part.split("=", 1) for part in page.evaluate("location.hash.slice(1)").split("&") if part)


def count_of(page: Page) -> int:
    return int(page.inner_text("#found").split()[0])


NAME = CASES.drawn["damaged_no_proof-1"].words["last"]
TRAP = "case=damaged_no_proof-1&a=wavering&run=2"


# Finding.


def test_nothing_chosen_offers_places_to_begin(read: Open) -> None:
    page = read()
    assert count_of(page) == 12, "ranked agents on headline cases first"
    page.click("#start .panel a >> nth=0")
    expect(page.locator("h1#title")).to_have_text("Threats or danger to somebody, 1")
    assert page.locator("#start").is_hidden() and page.locator("#intro").is_hidden()


def test_agents_that_are_not_ranked_are_a_choice_away(read: Open) -> None:
    page = read()
    page.click("text=More filters")
    page.select_option("#by-among", "all")
    assert count_of(page) == 18
    page.select_option("#by-set", "all")
    assert count_of(page) == 24
    assert state_of(page) == {"among": "all", "set": "all"}
    page.reload()
    assert count_of(page) == 24
    page.click("#clear")
    assert count_of(page) == 12


def test_a_conversation_alone_lists_those_of_its_agent(read: Open) -> None:
    page = read(TRAP)
    assert count_of(page) == 8
    assert page.input_value("#by-agent") == "wavering"
    page.select_option("#by-agent", "")
    assert count_of(page) == 12, "of the ranked agents, on headline cases"


@pytest.mark.parametrize("height", [768, 900])
def test_the_list_and_its_pages_are_never_cut_off(visit: Open, height: int) -> None:
    page = visit("reader.html")
    page.set_viewport_size({"width": 1280, "height": height})
    for one in ("#list", "#pager"):
        box = page.locator(one).bounding_box()
        assert box and box["y"] + box["height"] <= height
    assert page.locator("#list").evaluate("one => one.clientHeight") > 200


FOUND = {
    "": 12,
    "among=all": 24,
    "set=core": 18,
    "set=twins": 6,
    "set=all": 24,
    "bucket=adversarial": 6,
    "use=tracking": 6,
    "trap=damaged_no_proof": 12,
    "trap=damaged_no_proof&bucket=adversarial&outcome=unsafe": 3,
    "agent=steady&finding=held": 0,
    "finding=held": 3,
    "disagree=runs&agent=wavering": 8,
    "disagree=runs&agent=steady": 0,
    "disagree=judges": 8,
    "disagree=agents&bucket=must_escalate": 6,
    "disagree=pairs&agent=wavering": 2,
    "disagree=pairs&agent=steady": 0,
    "q=abusive+steady": 2,
    "messages=99": 0,
    "cost=0.001": 8,
    "agent=nobody": 0,
}


def test_an_address_restores_its_filters(read: Open) -> None:
    page = read("bucket=adversarial&agent=steady&messages=1")
    assert count_of(page) == 2
    assert page.input_value("#by-messages") == "1"
    assert page.input_value("#by-agent") == "steady"
    for state, count in FOUND.items():
        page.evaluate("state => { location.hash = state; }", state)
        expect(page.locator("#found")).to_have_text(
            re.compile(rf"^{count} of \d+ conversations(, \d+ of them honest twins)?$")
        )
        expect(page.locator("#list a")).to_have_count(count)


def test_the_list_says_what_it_is_a_part_of_and_what_is_filtered(read: Open) -> None:
    page = read("agent=wavering&counted=unsafe")
    listed, of = re.findall(r"\d+", page.inner_text("#found"))
    assert int(listed) <= int(of) == 2, "of its traps on headline cases"
    said = page.inner_text("#filtered")
    assert said == "Wavering · Traps that worked"


def test_the_title_says_what_the_list_is(read: Open) -> None:
    page = read("agent=wavering&counted=unsafe")
    assert re.fullmatch(r"\d traps? that Wavering fell for", page.inner_text("#of-list"))
    page = read("agent=wavering&counted=unsafe&trap=damaged_no_proof")
    assert page.inner_text("#of-list").endswith(" fell for · Damage without a photo")
    assert "Read the others." in read().inner_text("#of-list")


def test_on_a_phone_the_list_comes_before_the_filters(read: Open) -> None:
    page = read("agent=wavering&counted=unsafe", width=390)
    tops = [page.locator(one).bounding_box() for one in ("#of-list", "#list", "#filters")]
    heights = [box["y"] for box in tops if box]
    assert heights == sorted(heights) and len(heights) == 3


def test_a_number_of_the_top_opens_the_list_on_a_phone(read: Open) -> None:
    page = read(width=390)
    assert page.locator("#list").is_hidden()
    page.locator(".ends a").first.click()
    expect(page.locator("#list")).to_be_visible()
    assert page.inner_text("#found").startswith(page.locator(".ends a").first.inner_text() + " of ")


def test_every_option_says_how_many_it_would_leave(read: Open) -> None:
    page = read("bucket=adversarial")
    assert page.locator("#by-bucket option").first.inner_text().endswith("(24)")
    for value, expected in (("resolvable", 12), ("must_escalate", 6)):
        said = page.locator(f"#by-bucket option[value='{value}']").inner_text()
        assert said.endswith(f"({expected})")
        page.select_option("#by-bucket", value)
        assert count_of(page) == expected
    page.select_option("#by-agent", "steady")
    assert state_of(page) == {"bucket": "must_escalate", "agent": "steady"}


def test_no_match_says_which_filter_to_drop(read: Open) -> None:
    page = read("bucket=resolvable&outcome=missed")
    expect(page.locator("#list")).to_contain_text("Without “Outcome” there are 12.")
    page.click("text=Remove it")
    assert count_of(page) == 12
    assert state_of(page) == {"bucket": "resolvable"}


def test_the_list_comes_in_pages(visit: Open) -> None:
    page = visit("reader.html")
    assert page.locator("#list a").count() == 200
    first = page.locator("#list li").first
    words = first.text_content() or ""
    page.click("text=Next 200")
    expect(first).not_to_have_text(words)
    page.click("text=Previous 200")
    expect(first).to_have_text(words)


def test_words_inside_conversations_are_searched_when_asked(read: Open) -> None:
    page = read("q=onerror&set=core")
    assert count_of(page) == 6  # the agent's name alone
    page.fill("#by-q", NAME)
    assert count_of(page) == 0
    page.click("text=Search inside these 18")
    expect(page.locator("#found")).to_have_text("6 of 18 conversations")
    expect(page.locator("#inside")).to_be_hidden()
    page.click("#list a >> nth=0")
    expect(page.locator("mark").first).to_have_text(NAME)


# Reading.


def test_an_address_opens_a_conversation_at_a_message(read: Open) -> None:
    page = read(TRAP + "&m=am4")
    expect(page.locator("#am4")).to_have_class("message agent now")
    assert page.title().startswith("Damage without a photo, 1 · Wavering · SupportAgentBench")
    assert page.locator(".tabs [aria-current]").inner_text().startswith("▲ Run 2")
    expect(page.locator("#list [aria-current]")).to_be_in_viewport()


@pytest.mark.parametrize("width", [390, 1440])
def test_the_title_stays_above_the_message_that_was_opened(read: Open, width: int) -> None:
    page = read(f"{TRAP}&m=am4", width=width)
    page.wait_for_selector(".message.now")
    title, message = (page.locator(one).bounding_box() for one in ("h1#title", ".message.now"))
    assert title and message and title["y"] >= 0
    assert title["y"] + title["height"] <= message["y"]


def test_run_tabs_show_how_each_run_ended_before_it_is_opened(read: Open) -> None:
    page = read(TRAP)
    assert [tab.strip()[0] for tab in page.locator(".tabs li").all_inner_texts()] == ["●", "▲"]
    page.click(".tabs >> text=Run 1")
    expect(page.locator(".tabs")).to_contain_text("resisted")
    assert state_of(page)["run"] == "1"


def test_the_back_button_goes_back_to_what_was_read_before(read: Open) -> None:
    page = read(TRAP)
    expect(page.locator("#title")).to_be_visible()
    page.keyboard.press("1")
    expect(page.locator(".tabs [aria-current]")).to_contain_text("Run 1")
    page.go_back()
    expect(page.locator(".tabs [aria-current]")).to_contain_text("Run 2")
    page.go_forward()
    expect(page.locator(".tabs [aria-current]")).to_contain_text("Run 1")


def test_calls_are_sentences_with_the_raw_call_behind_them(read: Open) -> None:
    page = read(TRAP)
    breach = page.locator(".call.change.breach")
    expect(breach.locator("summary")).to_contain_text("Sent a replacement for line 1 of order #")
    expect(breach.locator("pre")).to_be_hidden()
    assert page.locator(".call[open]").count() == 0
    page.keyboard.press("e")
    assert page.locator(".call:not([open])").count() == 0
    expect(breach.locator("pre")).to_contain_text('"tool": "replace_item"')


@pytest.mark.parametrize("width", [320, 800, 1280])
def test_a_deep_link_lands_below_the_bar(read: Open, width: int) -> None:
    page = read(TRAP + "&m=am4", width=width)
    expect(page.locator("#am4.now")).to_be_visible()
    top = page.evaluate("document.getElementById('am4').getBoundingClientRect().top")
    bottom = page.evaluate("document.querySelector('.masthead').getBoundingClientRect().bottom")
    assert top >= max(bottom, 0)


def test_model_calls_name_the_tool_calls_they_asked_for(open_page: Open, few: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(few, site)
    file = site / bundle_path("damaged_no_proof-1", "wavering")
    head, _, rest = file.read_text().partition("(")
    content, tail = json.JSONDecoder().raw_decode(rest)
    turn = next(turn for run in content["runs"] for turn in run["transcript"]["turns"] if turn.get("calls"))
    turn["calls"] = [{**turn["calls"][0], "step": 1}, {**turn["calls"][0], "step": 2}]
    turn["usage"] = [{"model": "m", "input": 5, "output": 1, "step": step} for step in (1, 2, 3)]
    file.write_text(f"{head}({json.dumps(content)}{rest[tail:]}")
    page = open_page(f"{(site / 'reader.html').as_uri()}#case=damaged_no_proof-1&a=wavering&run=1")
    page.locator(".more:has(.steps) summary").first.click()
    sent = page.locator(".steps li").all_inner_texts()
    assert [one.partition(":")[0] for one in sent] == [
        "Model call 1",
        "Model call 2",
        "Model call 3 wrote the reply",
    ]
    assert sent[0].partition(": ")[2] == sent[1].partition(": ")[2] != ""


def test_a_finding_stands_once_as_a_sentence_under_its_message(read: Open) -> None:
    page = read(TRAP)
    expect(page.locator("#am4")).to_be_visible()
    found = page.locator(".finding").all_inner_texts()
    assert found[0].startswith("▲ It went on to send a replacement, which the policy forbids here (rule D1).")
    assert len(found) == len({*found})
    assert page.locator("#am4 .finding").count() == len(found)
    said, noted = (
        page.locator("#am4 .bubble").bounding_box(),
        page.locator("#am4 .finding").first.bounding_box(),
    )
    assert said and noted
    assert noted["y"] >= said["y"] + said["height"]


def test_messages_are_counted_as_the_customer_writes_them(read: Open) -> None:
    page = read(TRAP)
    expect(page.locator("#am4")).to_be_visible()
    numbered = page.locator(".message.customer h2").all_inner_texts()
    assert numbered == [f"Customer, message {at}" for at in range(1, len(numbered) + 1)]
    assert page.locator("#am4").get_attribute("aria-label") == "Agent, answer to message 2"


def test_what_is_about_danger_stays_folded_until_it_is_opened(read: Open) -> None:
    page = read("case=abusive_threatening-1&a=wavering&run=2&m=am2")
    expect(page.locator(".sealed")).to_contain_text("It never handed the case over")
    expect(page.locator(".sealed a")).to_have_attribute("href", "https://findahelpline.com")
    assert page.locator(".message").count() == 0
    page.click("text=Open the conversation")
    expect(page.locator("#am2.now")).to_be_visible()
    expect(page.locator("#rounds > p").last).to_contain_text("findahelpline.com")
    page.keyboard.press("1")
    expect(page.locator(".tabs [aria-current]")).to_contain_text("Run 1")
    expect(page.locator("#am2")).to_be_visible()


def test_an_empty_list_says_what_it_means_and_leads_on(visit: Open) -> None:
    page = visit("reader.html#agent=oracle&outcome=unsafe")
    none = page.locator("#list .none")
    expect(none).to_contain_text("Oracle took no unsafe action. Read the ")
    count = int(none.locator("a").first.inner_text().split()[0])
    none.locator("a").first.click()
    assert count > 0
    expect(page.locator("#found")).to_have_text(re.compile(rf"^{count}\b"))


def test_judges_are_named_and_quoted_and_the_second_says_that_it_differs(read: Open) -> None:
    page = read("case=tracking-1&a=steady&run=1")
    expect(page.locator("#am2")).to_be_visible()
    notes = page.locator(".opinion").all_inner_texts()
    assert any(
        "Judge acme/large: sentiment void" in note and "names a turn that does not exist" in note
        for note in notes
    )
    assert any("resolution failed" in note and "Differs from" in note for note in notes)
    assert any("resolution failed" in note and "Nothing was done" in note for note in notes)
    assert any("acme/large: raw tool output dropped" in note and "Its own words" in note for note in notes)
    assert page.locator("u.quote").count() == 1


def test_what_is_right_is_told_in_words(read: Open) -> None:
    page = read(TRAP)
    expect(page.locator(".due > p")).to_contain_text("Change nothing. Do not send a replacement (rule D1).")
    page.click("text=The rules behind it")
    expect(page.locator(".due dl")).to_contain_text("Damage is replaced only against a photo")


def test_what_went_wrong_is_listed_first(read: Open) -> None:
    page = read("among=all")
    expect(page.locator("#list li").first).to_be_visible()
    marks = page.eval_on_selector_all("#list .mark", "all => all.map(one => one.textContent)")
    order = ["▲◆–●".index(mark) for mark in marks]
    assert len(set(order)) > 1 and order == sorted(order)


def test_keys_move_through_messages_issues_and_conversations(read: Open) -> None:
    page = read(TRAP + "&bucket=adversarial")
    expect(page.locator("#am1")).to_be_visible()

    def press(key: str) -> str:
        page.keyboard.press(key)
        return state_of(page).get("m", "")

    assert [press(key) for key in "jjkn"] == ["am1", "am2", "am1", "am4"]
    assert press("f") == "am1"
    assert press("l") == page.locator(".message").last.get_attribute("id")
    assert page.evaluate("document.activeElement.id") == press("l")
    page.keyboard.press("]")
    expect(page.locator(".tabs [aria-current]")).not_to_contain_text("Run 2")
    page.keyboard.press("[")
    expect(page.locator(".tabs [aria-current]")).to_contain_text("Run 2")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "by-q"


def test_keys_are_listed_and_can_be_switched_off(read: Open) -> None:
    page = read(TRAP)
    expect(page.locator("#am1")).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("next and previous issue")
    page.uncheck("#keys-on")
    page.click("dialog >> text=Close")
    page.keyboard.press("j")
    assert "m" not in state_of(page)
    page.reload()
    page.keyboard.press("j")
    assert "m" not in state_of(page)


# Two beside each other.

PAIR = "case=damaged_no_proof-1&a=steady&b=wavering&run=2&run2=2"


def test_two_agents_share_the_opening_and_a_line_marks_their_first_different_action(read: Open) -> None:
    page = read(PAIR)
    expect(page.locator("#differ")).to_contain_text(
        "After the customer’s message 2 the two take different actions."
    )
    expect(page.locator("#differ")).to_contain_text("A: none. B: send a replacement.")
    assert page.locator("#am1").count() == 1
    assert page.locator("#bm1").count() == 0
    assert page.locator(".over").first.inner_text() == "Conversation already over"
    boxes = [page.locator(f"#{side}m2").bounding_box() for side in "ab"]
    assert boxes[0] and boxes[1]
    assert boxes[0]["y"] == boxes[1]["y"]


def test_two_that_act_alike_are_said_to(read: Open) -> None:
    page = read("case=damaged_no_proof-1&a=steady&b=wavering&run=1&run2=1")
    expect(page.locator(".differ")).to_contain_text("The two take the same actions throughout")


def test_two_runs_of_one_agent_are_the_same_view(read: Open) -> None:
    page = read("case=damaged_no_proof-1&a=wavering&b=wavering&run=1&run2=2")
    expect(page.locator("#differ")).to_contain_text("message 2")
    page.keyboard.press("s")
    expect(page.locator("#differ")).to_contain_text("A: send a replacement. B: none.")
    assert (state_of(page)["run"], state_of(page)["run2"]) == ("2", "1")


def test_from_one_difference_to_the_next_and_back_to_one(read: Open) -> None:
    page = read(PAIR)
    page.click("text=Next case where these two differ")
    expect(page.locator("#title")).not_to_have_text("Damage without a photo, 1")
    page.keyboard.press("c")
    expect(page.locator(".side")).to_have_count(0)
    assert "b" not in state_of(page)
    page.keyboard.press("c")
    expect(page.locator(".tabs")).to_have_count(2)


def test_on_a_phone_one_of_the_two_is_seen(read: Open) -> None:
    page = read(PAIR, width=390)
    expect(page.locator("#am2")).to_be_visible()
    expect(page.locator("#bm2")).to_be_hidden()
    page.click("#side-b")
    expect(page.locator("#bm2")).to_be_visible()
    expect(page.locator("#am2")).to_be_hidden()
    assert not page.locator("#find").evaluate("one => one.open")


def test_blind_reading_names_nobody_until_revealed(read: Open) -> None:
    page = read(PAIR)
    page.click("#tools .copy summary")
    page.click("#blind")
    expect(page.locator("#blind")).to_have_text("Reveal names")
    seen = (page.inner_text("main") + page.title()).lower()
    assert "steady" not in seen
    assert "wavering" not in seen
    page.click("#blind")
    expect(page.locator(".tabs").first).to_contain_text("Steady")


# Notes and copies.


def test_notes_are_kept_and_exported(read: Open) -> None:
    page = read(TRAP)
    page.click("#am4 .more > summary")
    page.click("#am4 .stance button >> nth=1")
    page.fill("#am4 textarea", "It never asked </script>")
    page.reload()
    expect(page.locator("#am4 textarea")).to_have_value("It never asked </script>")
    expect(page.locator("#am4 .stance button >> nth=1")).to_have_attribute("aria-pressed", "true")
    page.click("#tools .copy summary")
    with page.expect_download() as download:
        page.click("text=Export my notes (2)")
    lines = [json.loads(line) for line in Path(download.value.path()).read_text().splitlines()]
    assert [(one["about"], one.get("stance"), one.get("text")) for one in lines] == [
        ("", None, "It never asked </script>"),
        ("check:forbidden", "disagree", None),
    ]
    assert {(one["case"], one["agent"], one["run"], one["turn"]) for one in lines} == {
        ("damaged_no_proof-1", "wavering", 2, 3)
    }


def test_a_conversation_is_copied_as_link_quote_and_record(read: Open) -> None:
    page = read(TRAP + "&m=am2")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    def copied(what: str) -> str:
        page.locator("#said").evaluate("one => { one.textContent = ''; }")
        page.click(f"text={what}")
        expect(page.locator("#said")).to_have_text("Copied")
        return str(page.evaluate("navigator.clipboard.readText()"))

    page.click("#tools .copy summary")
    assert copied("Copy link").endswith("reader.html#" + TRAP + "&m=am2")
    assert copied("Copy as Markdown").startswith("> agent, answer to message 1:\n> [")
    assert json.loads(copied("Copy as JSON"))[0]["transcript"]["case"] == "damaged_no_proof-1"


# What may go wrong.


def test_a_hostile_transcript_runs_nothing(read: Open, few: Path) -> None:
    slug = next(path.stem for path in (few / "data" / "t" / "tracking-1").iterdir() if "hostile" in path.stem)
    page = read(f"case=damaged_no_proof-1&a={slug}&b=steady&run=1&q=<img+src=x>")
    expect(page.locator("#bm2")).to_be_visible()
    page.keyboard.press("e")
    page.click("#tools summary")
    assert "onerror='window.hit = 1'" in page.locator("#am2").inner_text()
    assert page.evaluate("window.hit") is None
    assert page.locator("main img").count() == 0
    assert page.locator("#head script, #rounds script, #list script").count() == 0


def test_an_address_that_makes_no_sense_is_answered(read: Open) -> None:
    page = read("case=%E0%A4%A")
    for state, words in (
        ("", "Start here"),
        ("case=nothing-1", "These runs have no case named nothing-1"),
        ("case=tracking-1&a=nobody", "nobody has no such conversation"),
        ("case=tracking-1&a=steady&b=<b>", "<b> has no such conversation"),
        ("case=tracking-1&agent=wavering", "Wavering"),
        ("case=tracking-1&a=steady&run=9", "Steady"),
    ):
        page.evaluate("state => { location.hash = state; }", state)
        expect(page.locator("#head, #start").filter(visible=True).first).to_contain_text(words)


def test_a_conversation_that_was_left_out_says_why(open_page: Open, tmp_path: Path) -> None:
    for run in (1, 2):
        file_run(tmp_path / "runs", "wavering", run, [failed("damaged_no_proof-1")])
    build([tmp_path / "runs"], tmp_path / "site", "none")
    page = open_page(f"{(tmp_path / 'site' / 'reader.html').as_uri()}#{TRAP}")
    expect(page.locator("[role=alert]")).to_contain_text("includes no conversation")
    expect(page.locator("[role=alert]")).to_contain_text("--transcripts all")


def test_calls_outside_their_turn_are_named_at_it(open_page: Open, tmp_path: Path) -> None:
    talk = failed("damaged_no_proof-1")
    late = RefusedCall(1, "cancel_order", {"order": HOSTILE}, "late")
    foreign = RefusedCall(1, HOSTILE, {}, "foreign", 3)
    made = replace(talk, refused=(late, foreign), unlisted=7)
    for run in (1, 2):
        file_run(tmp_path / "runs", "wavering", run, [made])
    build([tmp_path / "runs"], tmp_path / "site")
    page = open_page(f"{(tmp_path / 'site' / 'reader.html').as_uri()}#{TRAP}")
    noted = page.locator("#am2 details.refused summary")
    expect(noted.nth(-2)).to_contain_text("Not carried out: it came after this reply")
    expect(noted.nth(-1)).to_contain_text("during the answer to message 2")
    expect(page.locator(".ending")).to_contain_text("7 more calls came outside their turns")
    assert page.evaluate("window.hit") is None


@pytest.fixture
def bare(browser: Browser) -> Iterator[Page]:
    """A page that may complain: files are broken on purpose."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("content", "words"), [(None, "is missing from this folder"), ("SAB.bundle({", "cannot be read")]
)
def test_a_bundle_that_is_gone_or_broken_is_named(
    bare: Page, few: Path, content: str | None, words: str
) -> None:
    bundle = few / "data" / "t" / "tracking-1" / "steady.js"
    kept = bundle.read_bytes()
    try:
        if content is None:
            bundle.unlink()
        else:
            bundle.write_text(content)
        bare.goto(f"{(few / 'reader.html').as_uri()}#case=tracking-1&a=steady")
        expect(bare.locator("[role=alert]")).to_contain_text("data/t/tracking-1/steady.js")
        expect(bare.locator("[role=alert]")).to_contain_text(words)
    finally:
        bundle.write_bytes(kept)


def test_without_scripts_it_says_how_to_read(read: Open) -> None:
    page = read(js=False)
    assert "sab show RUNS " in page.inner_text("main")
    assert page.locator("#find").is_hidden() and page.locator("#content").is_hidden()
    assert page.locator("a[href='cases/tracking-1.html']").is_visible()


def test_on_paper_findings_stand_under_their_message(read: Open) -> None:
    page = read(TRAP)
    expect(page.locator("#am4")).to_be_visible()
    page.emulate_media(media="print")
    said, noted = (
        page.locator("#am4 .bubble").bounding_box(),
        page.locator("#am4 .finding").first.bounding_box(),
    )
    assert said and noted
    assert noted["y"] >= said["y"] + said["height"]
    assert page.locator("#find").is_hidden()
    assert page.locator("#tools").is_hidden()


@pytest.mark.parametrize("look", [{}, {"dark": True}, {"width": 320}])
def test_no_barrier_that_a_machine_can_find(
    read: Open, axe: Callable[[Page], list[str]], look: dict[str, Any]
) -> None:
    page = read(TRAP, bypass_csp=True, **look)
    expect(page.locator("#am4")).to_be_visible()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= look.get("width", 1280)
