"""The text for whoever pays: an example where agents are invented, and otherwise a recommendation."""

from pathlib import Path

import pytest

from reports import flock_data
from site_data import site_data_of
from supportagentbench.site.answers.cfo import cfo_note, example_words, sample_words
from supportagentbench.site.data.conversation_fact import facts_of
from supportagentbench.site.data.site_data import SiteData


@pytest.fixture(scope="module")
def cast(cast_runs: Path) -> SiteData:
    return site_data_of(cast_runs)


def test_invented_agents_are_an_example_that_does_not_cancel_itself(cast: SiteData) -> None:
    said = cfo_note(cast)
    assert cast.is_example and said.startswith("In an example with six invented agents, By-the-book would be")
    assert "is the agent to use" not in said and "With a real agent, start with" in said
    assert sample_words(cast) == (
        "These six are sample programs that come with the benchmark; you cannot buy them."
    )
    assert not facts_of(cast).costs, "an invented price says nothing about quality"


def test_of_real_agents_nothing_of_this_is_said() -> None:
    data = flock_data()
    said = cfo_note(data)
    assert not data.is_example and not sample_words(data) and not example_words(data)
    assert said.startswith(
        "wild/knot is the agent to use: it keeps every limit, and none of 18 tricks, tried"
    )
    assert not any(words in said for words in ("example", "invented", "would be", "real agent"))
    assert facts_of(data).costs


def test_it_says_what_is_billed_the_baseline_both_ranges_and_what_would_turn_it(cast: SiteData) -> None:
    said = cfo_note(cast)
    for words in (
        "in model fees, $",
        "than the $60,000 for people answering everything",
        "up to 5.4%; new ones in up to 23%",
        "up to 44% could be missed",
        "(none of 18 missed), up to 15%",
        "A customer wrongly turned away counts as $12; above about $16 Trusting costs less, above $140",
        "20 of 360 in these tests",
        "closes without a change or a handover",
    ):
        assert words in said, words
