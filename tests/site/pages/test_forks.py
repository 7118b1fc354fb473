"""Pages on forks: the answer first, a mark per replay, and every number one click from its conversations."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from msgspec.structs import replace

from supportagentbench.records.problem import Problem
from supportagentbench.site.build import Extras, build
from supportagentbench.site.data.bundle import read_bundle
from supportagentbench.site.data.fork_data import refuse_two_rules
from supportagentbench.storage.archive import read_header


def text_of(page: Path) -> str:
    """The words of a page, as they are read."""
    plain = re.sub(r"</?(?:a|bdi|em|span|strong)\b[^>]*>", "", page.read_text())
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", plain)).split())


def fork_pages(site: Path) -> list[Path]:
    return sorted((site / "forks").iterdir())


def test_a_fork_says_first_what_each_agent_does(fork_site: Path) -> None:
    said = text_of(fork_pages(fork_site)[0])
    assert "At this decision Complies gives in: unsafe in 3 of 3 (likely 37–100%); Oracle is" in said
    assert "Oracle is clean so far: unsafe in 0 of 3 (likely 0–63%)" in said
    assert said.startswith("Complies gives in: Damage without a photo, 1")
    assert "every reply of a conversation; counts towards no rate" in said
    assert "Complies, run 1" in said and "ended with an unsafe action" in said


def test_what_would_have_happened_is_quoted_from_a_replay_with_the_other_outcome(fork_site: Path) -> None:
    said = text_of(fork_pages(fork_site)[0])
    assert (
        "Replay 1 differs from the record after the customer’s message 1, and ends without an unsafe action"
        in said
    )
    assert "Could you send me a photo" in said
    assert ": nothing. The record: send a replacement." in said
    assert "Every replay does and says the same as the record." in said


def test_the_point_of_commitment_is_marked_in_the_conversation(fork_site: Path) -> None:
    page = fork_pages(fork_site)[0].read_text()
    assert page.count("<strong>Point of commitment</strong>") == 1
    assert page.index('id="fork"') < page.index("<strong>Point of commitment</strong>")


def test_every_number_leads_to_replays_that_are_in_the_folder(fork_site: Path) -> None:
    for page in (fork_site / "forks.html", *fork_pages(fork_site)):
        states = re.findall(r'href="(?:\.\./)?replays\.html#([^"]+)"', page.read_text())
        places = [dict(parse_qsl(unescape(state))) for state in states]
        assert len(places) > 3
        for place in places:
            if "case" in place:
                bundle = read_bundle(fork_site / "data" / "t" / place["case"] / f"{place['a']}.js")
                assert int(place["run"]) in [one.run for one in bundle.runs]
    marks = re.findall(
        r'class="mark (good|bad)" href="[^"]*run=(\d)[^"]*"', fork_pages(fork_site)[0].read_text()
    )
    assert marks == [(grade, replay) for grade in ("bad", "good") for replay in "123"]


def test_every_other_link_of_these_pages_exists(fork_site: Path) -> None:
    for page in (fork_site / "forks.html", *fork_pages(fork_site)):
        for link in re.findall(r'href="([^"#]+)[#"]', page.read_text()):
            assert (page.parent / link).exists(), (page.name, link)


def test_the_reader_of_replays_names_decisions_in_words_and_has_some_to_start_with(fork_site: Path) -> None:
    index, page = (fork_site / "data" / "forks.js").read_text(), (fork_site / "replays.html").read_text()
    assert "Damage without a photo, 1, answer to message 1" in index and " (t1." not in index
    start = page.partition('class="cards"')[2].partition("</ul>")[0]
    assert "Complies unsafe in 3 of 3" in unescape(start) and 'href="forks/' in start


def test_above_and_below_one_decision_has_one_name(fork_site: Path) -> None:
    said = text_of(fork_site / "forks.html")
    above, _, below = said.partition("Picked") if "Picked" in said else said.partition("Every reply")
    [count] = re.findall(r"Oracle – clean so far at (\d+)", above)
    assert below.count("– clean so far") >= int(count) > 0 and "(up to" not in said


def test_the_table_says_who_gives_in_at_how_many_decisions(fork_site: Path) -> None:
    said = text_of(fork_site / "forks.html")
    [count] = re.findall(r"^Asked to decide again, Complies gives in at (\d+) of \d+ decisions?", said)
    assert said.count("▲ gives in : unsafe in") + said.count("▲ gives in: unsafe in") == int(count) > 0


def test_a_site_without_forks_has_neither_page_nor_link(small_site: Path) -> None:
    assert not (small_site / "forks.html").exists() and not (small_site / "replays.html").exists()
    assert "forks.html" not in (small_site / "index.html").read_text()


def test_replays_are_no_conversations_of_the_board(
    fork_site: Path, small_runs: Path, fork_runs: Path
) -> None:
    assert ".t1." not in (fork_site / "data" / "index.js").read_text()
    assert ".t1." not in (fork_site / "data" / "conversations.csv").read_text()
    with pytest.raises(Problem, match="not a run of cases; pass it with --forks"):
        build([small_runs / "oracle-1", fork_runs], small_runs.with_name("never"))


def test_what_is_no_run_of_forks_is_refused(small_runs: Path, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="not of forks; pass it without --forks"):
        build([small_runs / "oracle-1"], tmp_path / "site", extras=Extras(forks=(small_runs / "oracle-2",)))


def test_names_are_the_publishers_and_a_record_that_is_not_there_is_not_shown(
    small_runs: Path, fork_runs: Path, tmp_path: Path
) -> None:
    about = tmp_path / "site.toml"
    about.write_text('[agents.oracle]\nname = "Yes Man 2"\n')
    build([small_runs / "oracle-1"], tmp_path / "site", extras=Extras(about=about, forks=(fork_runs,)))
    said = text_of(fork_pages(tmp_path / "site")[0])
    assert "Yes Man 2 is clean so far: unsafe in 0 of 3" in said and "racle" not in said
    assert "Complies, run 1; that run is not on this site" in said
    assert (
        "Replay 1 begins after the customer’s message 1" in said
        and "The record, at the same message" not in said
    )


def test_a_decision_that_was_chosen_by_two_rules_is_refused(fork_runs: Path) -> None:
    header = read_header(fork_runs / "oracle-1")
    other = replace(header, forks=tuple(replace(fork, rule="blind") for fork in header.forks))
    refuse_two_rules([header, header])
    with pytest.raises(Problem, match="was chosen by two rules"):
        refuse_two_rules([header, other])
