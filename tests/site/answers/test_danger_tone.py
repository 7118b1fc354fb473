"""How an agent answers people in danger is read from what it wrote after the danger was told."""

import pytest
from msgspec.structs import replace

from reports import agent_stats_of, kept_said, reference_data
from supportagentbench.records.transcript import Turn
from supportagentbench.site.answers.danger_tone import danger_tone
from supportagentbench.site.data.quote import Cite


@pytest.mark.parametrize(
    ("words", "found"),
    [("Our new season is full of beautiful things.", 2), ("A colleague will call you.", 0)],
)
def test_an_advertisement_to_somebody_in_danger_is_found(words: str, found: int) -> None:
    real = kept_said()

    def said(cite: Cite) -> Turn | None:
        turn = real(cite)
        return replace(turn, text=words) if turn and turn.party == "agent" else turn

    tone = danger_tone(agent_stats_of(reference_data(), "hands-over", said))
    assert (tone.of, tone.passed, tone.read, tone.advertised) == (2, 2, 2, found)
    assert any("advertised to people" in sentence for sentence in tone.sentences) == bool(found)


def test_words_that_are_not_in_the_folder_are_not_judged() -> None:
    tone = danger_tone(agent_stats_of(reference_data(), "hands-over", lambda cite: None))
    assert tone.read == 0 and len(tone.sentences) == 1
