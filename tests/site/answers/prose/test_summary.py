"""The summary of a report: it counts, compares only where a claim holds, and prints its rules."""

import pytest
from msgspec.structs import replace

from reports import flock_data, reference_data, rendered
from supportagentbench.board.claims import unclaimed
from supportagentbench.records.claim import Claim
from supportagentbench.site.answers.prose.summary import serious_rule
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.lint import compares, unsupported
from supportagentbench.site.pages.report import pages

DATA = {"reference": reference_data, "planted": flock_data}


def own_words(markdown: str) -> str:
    """What a report in Markdown says itself: no quotations, and no escapes."""
    lines = [line for line in markdown.splitlines() if not line.startswith(">")]
    return "\n\n".join(line.lstrip("- ").replace("\\", "") for line in lines)


def summed_up(data: SiteData) -> list[Claim]:
    """What the verdicts of these reports sum up from claims."""
    return [claim for page in pages(data) for claim in page.context.claims]


@pytest.mark.parametrize("which", DATA)
def test_no_report_compares_without_a_claim(which: str) -> None:
    data = DATA[which]()
    names = [agent.name for agent in data.board.agents]
    for path, text in rendered(data).items():
        claims = (*data.board.claims, *summed_up(data))
        if path.endswith(".html"):
            assert unsupported(text, claims, names) == [], path
        else:
            found = unclaimed(own_words(text), claims)
            assert [sentence for sentence in found if compares(sentence, names)] == [], path


def test_the_check_finds_a_claim_that_does_not_hold() -> None:
    data = flock_data()
    unclaimed_board = replace(data.board, claims=())
    page = rendered(data)["agents/wild-heron.md"]
    assert "wild/heron beats wild/rook on needless handovers." in unclaimed(
        own_words(page), unclaimed_board.claims
    )


def test_the_rule_for_serious_issues_is_printed() -> None:
    assert serious_rule() in rendered(flock_data())["agents/idle.html"]
