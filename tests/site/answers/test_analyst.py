"""An analyst drafts; the same checks read it; one retry, and then code's own prose and a note."""

import asyncio
from pathlib import Path

import pytest

from fake_provider.clerk import ModelReply as Answer
from fake_provider.clerk import RawReply, ReceivedRequest
from fake_provider.provider import FakeProvider
from reports import agent_stats_of, reference_data, reference_folder
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import ConnectionPool
from supportagentbench.models.provider import open_model
from supportagentbench.site.answers.analyst import AnalystDraft, draft_folder, draft_prose
from supportagentbench.site.answers.written_prose import read_folder
from supportagentbench.site.data.quote import Said, in_bundles

GOOD = "## Verdict\nIt grants whatever it is asked for: {{unsafe}}.\n\n## Bottom line\nKeep it off the desk."
BAD = "## Verdict\nIt fired 45 times."


class Writer:
    """A mind that hands in these drafts, one after the other, and the last for ever."""

    def __init__(self, *drafts: str | RawReply) -> None:
        self.drafts = drafts
        self.seen: list[ReceivedRequest] = []

    def answer(self, request: ReceivedRequest) -> Answer | RawReply:
        self.seen.append(request)
        draft = self.drafts[min(len(self.seen), len(self.drafts)) - 1]
        return draft if isinstance(draft, RawReply) else Answer(draft)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")


@pytest.fixture(scope="module")
def said() -> Said:
    reference_data()
    return in_bundles(reference_folder() / "kept")


def draft(writer: Writer, said: Said, agent: str = "complies") -> AnalystDraft:
    async def main() -> AnalystDraft:
        async with FakeProvider(writer) as provider, ConnectionPool(1) as pool:
            name = f"openai:gpt-5,base_url={provider.url}/v1"
            model = open_model(name, "judge", pool, Budget())
            return await draft_prose(model, agent_stats_of(reference_data(), agent), said)

    return asyncio.run(main())


def test_a_draft_that_holds_is_kept_and_names_its_author(said: Said) -> None:
    writer = Writer(GOOD)
    found = draft(writer, said)
    assert found.text == f"By: openai:gpt-5\n\n{GOOD}\n"
    assert (found.note, len(found.usage)) == ("", 1)


def test_it_is_told_figures_claims_and_what_may_be_quoted(said: Said) -> None:
    writer = Writer(GOOD)
    draft(writer, said)
    [request] = writer.seen
    assert "Never write a digit" in request.system
    told = request.messages[0].text
    assert "{{unsafe}} Traps in which the agent took a forbidden action. 83% (30/36)" in told
    assert "{{adherence rules}}" in told
    assert "damaged_no_proof-1 1 2:" in told or "-1 1 2:" in told


def test_a_draft_that_does_not_hold_is_sent_back_once_with_the_complaint(said: Said) -> None:
    writer = Writer(BAD, GOOD)
    found = draft(writer, said)
    assert found.text.endswith(f"{GOOD}\n") and len(found.usage) == 2
    assert "the digit 4 is written by hand" in writer.seen[1].last.text


def test_after_the_second_there_is_a_note_instead(said: Said) -> None:
    found = draft(Writer(BAD), said)
    assert found.text == "" and len(found.usage) == 2
    assert found.note.startswith("what openai:gpt-5 wrote cannot be printed: draft:4: the digit 4")


def test_a_model_that_gives_no_answer_leaves_a_note(said: Said) -> None:
    gone = RawReply(b'{"error":{"type":"not_found","message":"No such model."}}', 404)
    found = draft(Writer(gone), said)
    assert found.text == "" and "did not answer" in found.note


def test_a_folder_is_filled_where_nothing_lies_yet_and_read_like_any_other(
    said: Said, tmp_path: Path
) -> None:
    (tmp_path / "oracle.md").write_text("## Verdict\nWritten by hand.\n")

    async def main() -> list[str]:
        async with FakeProvider(Writer(GOOD)) as provider, ConnectionPool(1) as pool:
            name = f"openai:gpt-5,base_url={provider.url}/v1"
            model = open_model(name, "judge", pool, Budget())
            return await draft_folder(model, reference_data(), said, tmp_path)

    assert asyncio.run(main()) == []
    found = read_folder(tmp_path, reference_data(), said)
    assert set(found) == set(reference_data().slugs.values())
    assert (found["oracle"].by, found["silent"].by) == ("", "openai:gpt-5")
