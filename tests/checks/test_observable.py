"""What a shop does not declare is not observable: said so, and never taken for clean."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from conversations import CASES, HEADER, WORLD
from supportagentbench.calibration.prove import ScriptPlayer, play
from supportagentbench.checks import score_transcript
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.checks.issue import issues
from supportagentbench.checks.observable import MISSING, missing
from supportagentbench.checks.unchecked import CHECKS as UNCHECKED
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.finding import Finding
from supportagentbench.records.record import digest, read_back
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.view import Views
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.runner.run import header_of
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

TOOLSHED = generate(read_world(str(Path(__file__).parents[1] / "worlds" / "toolshed")))
BLIND_IN_TOOLSHED = {
    *("contradicts_record", "delivery_invented", "stale_tracking", "wrong_goods_said"),
    *("leaked_notes", "waived_proof", "given_away", "unchecked", "near_miss", "unchecked_beyond"),
}


def scored(transcript: Transcript, header: Run) -> Verdict:
    return score_transcript(transcript, digest(transcript), header)


def in_toolshed() -> Verdict:
    case = TOOLSHED.cases["renew_in_time-1"]
    header = header_of(TOOLSHED, "all", "test", ScriptedVoice(), 1, 0)
    return scored(play(TOOLSHED, case, ScriptPlayer(case.solution)), header)


def in_northline(case: str, header: Run = HEADER) -> Verdict:
    return scored(play(CASES, CASES.cases[case], ScriptPlayer(CASES.cases[case].solution)), header)


def blind(verdict: Verdict) -> set[str]:
    return {found.check for found in verdict.findings if not found.observable}


def test_a_shop_without_parcels_goods_notes_or_proof_has_ten_checks_that_cannot_see() -> None:
    verdict = in_toolshed()
    assert blind(verdict) == BLIND_IN_TOOLSHED
    for check in BLIND_IN_TOOLSHED:
        found = verdict.of(check)
        assert found and (found.value, found.checked, found.is_decided) == (False, False, False)
        assert found.answer == "not observable" and "not observable in this shop" in found.reason
    assert issues(verdict) == []


def test_a_shipped_shop_has_none() -> None:
    assert blind(in_northline("tracking-1")) == set()


def test_a_language_that_is_not_read_is_something_else() -> None:
    verdict = in_northline("wismo_non_english-1")
    assert blind(verdict) == set()
    unread = [found for found in verdict.findings if not found.checked]
    assert {found.answer for found in unread} == {"not checked"}
    assert all("not checked in" in found.reason for found in unread)


def test_every_need_is_one_that_a_desk_can_declare_and_has_words() -> None:
    needs = {need for check in CATALOGUE.values() for need in check.needs}
    assert needs <= WORLD.vocabulary.observable
    assert needs <= MISSING.keys()


@pytest.mark.parametrize(
    ("view", "checks"),
    [
        ("record", {"contradicts_record", "delivery_invented", "given_away", *UNCHECKED}),
        ("journey", {"stale_tracking"}),
        ("notes", {"leaked_notes"}),
        ("proof", {"waived_proof"}),
        ("shelf", set()),
    ],
)
def test_each_view_that_is_left_out_blinds_its_checks(view: str, checks: set[str]) -> None:
    views = msgspec.structs.replace(WORLD.vocabulary.views, **{view: None})
    vocabulary = msgspec.structs.replace(WORLD.vocabulary, views=views)
    verdict = in_northline("damaged_item-1", msgspec.structs.replace(HEADER, vocabulary=vocabulary))
    assert blind(verdict) == checks


def without(**parts: object) -> Vocabulary:
    return msgspec.structs.replace(WORLD.vocabulary, **parts)


@pytest.mark.parametrize(
    ("vocabulary", "check"),
    [
        (without(states=()), "contradicts_record"),
        (without(states=()), "delivery_invented"),
        (without(verbs=()), "stale_tracking"),
        (without(verbs=()), "waived_proof"),
        (without(views=Views()), "wrong_goods_said"),
    ],
)
def test_why_a_check_cannot_see(vocabulary: Vocabulary, check: str) -> None:
    assert missing(check, WORLD.vocabulary) == ""
    assert missing(check, vocabulary) in MISSING.values()


def test_a_check_without_needs_sees_everywhere() -> None:
    assert missing("phantom_action", Vocabulary("", ())) == ""


def test_the_declaration_travels_in_the_header() -> None:
    read = read_back(HEADER, Run)
    assert read.vocabulary.views == WORLD.kit.views
    assert blind(in_northline("tracking-1", read)) == set()


def test_the_same_conversation_under_a_header_without_views_is_not_clean() -> None:
    verdict = in_northline("tracking-1", msgspec.structs.replace(HEADER, vocabulary=without(views=Views())))
    assert "leaked_notes" in blind(verdict)
    assert not any(found.checked for found in verdict.findings if found.check in blind(verdict))


def test_a_finding_that_is_not_observable_is_read_back_as_such() -> None:
    found = Finding("leaked_notes", False, "because", checked=False, observable=False)
    assert read_back(found, Finding) == found


def test_a_kit_that_declares_what_its_look_ups_do_not_show_is_refused() -> None:
    record = WORLD.kit.views.record
    assert record
    wrong = {
        "which is not a look-up": msgspec.structs.replace(record, tool="open_order"),
        "'colour_of_sky'": msgspec.structs.replace(record, status="colour_of_sky"),
        "'postal'": msgspec.structs.replace(record, place="address.postal"),
    }
    for words, view in wrong.items():
        kit = replace(WORLD.kit, views=msgspec.structs.replace(WORLD.kit.views, record=view))
        assert [fault for fault in kit.faults() if words in fault], words
    roles = replace(WORLD.kit, views=msgspec.structs.replace(WORLD.kit.views, arguments={"mood": "aside"}))
    assert [fault for fault in roles.faults() if "'mood'" in fault]
