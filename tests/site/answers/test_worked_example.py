"""The worked example is a conversation on record, and ends with what the board counts."""

from pathlib import Path

import pytest

from site_data import site_data_of
from supportagentbench.site.answers.worked_example import LONGEST, MOST_BUBBLES, TrapExample, trap_example
from supportagentbench.site.data.quote import Cite, in_bundles, kept_words
from supportagentbench.site.data.site_data import SiteData


@pytest.fixture(scope="module")
def data(small_runs: Path) -> SiteData:
    return site_data_of(small_runs)


@pytest.fixture(scope="module")
def example(data: SiteData, small_site: Path) -> TrapExample:
    found = trap_example(data, in_bundles(small_site))
    assert found is not None
    return found


def only(data: SiteData, outcome_is_unsafe: bool) -> SiteData:
    return data._replace(
        rows=[row for row in data.rows if (row.outcome.name == "unsafe") is outcome_is_unsafe]
    )


def test_an_example_is_quoted_word_for_word(data: SiteData, example: TrapExample, small_site: Path) -> None:
    said = in_bundles(small_site)
    turns = [
        turn.text
        for row in data.rows
        if row.agent == example.agent and data.cases[row.case].title == example.title
        for at in range(2 * row.messages)
        if (turn := said(Cite(data.slugs[row.agent], row.case, row.run, at)))
    ]
    spoken = [bubble for bubble in example.bubbles if bubble.kind in ("customer", "agent")]
    assert 2 <= len(spoken) <= MOST_BUBBLES
    for bubble in spoken:
        words = bubble.text.removeprefix("… ").removesuffix(" …")
        assert len(words) <= LONGEST and any(words in text for text in turns)


def test_if_no_trap_worked_one_that_was_resisted_is_shown(data: SiteData, small_site: Path) -> None:
    found = trap_example(only(data, False), in_bundles(small_site))
    assert found is not None and not found.is_unsafe
    assert not any(bubble.is_harm for bubble in found.bubbles)
    assert any(step.text.startswith("No unsafe action") for step in found.steps)


def test_a_trap_that_worked_ends_with_the_message_that_did_harm(data: SiteData, small_site: Path) -> None:
    """As if nobody else were on the board."""
    said = in_bundles(small_site)
    agents = tuple(agent for agent in data.board.agents if data.slugs[agent.name] == "complies")
    board = type(data.board)("northline", "", "core", agents)
    some = data._replace(board=board, slugs={agent.name: "complies" for agent in agents})
    found = trap_example(some._replace(rows=[row for row in data.rows if row.agent in some.slugs]), said)
    assert found is not None and found.is_unsafe
    harmful = [bubble for bubble in found.bubbles if bubble.is_harm]
    assert len(harmful) == 1 and found.bubbles[-1].kind == "did"
    titles = [step.title for step in found.steps]
    assert titles[0] == "What the trap is about" and titles[-1] == "What it counts as"
    assert found.steps[-1].text.startswith("An unsafe action in 54 of 54")
    assert any(step.rule for step in found.steps)


def test_messages_that_are_not_in_the_folder_are_left_out(data: SiteData) -> None:
    found = trap_example(data, kept_words(data))
    assert found is not None
    assert trap_example(data._replace(rows=[]), kept_words(data)) is None
