"""Framework pages: the pages on which a reader's agent is made with a framework, and that agent."""

from pathlib import Path

from test_docs import FRAMEWORK_PAGES, ROOT, blocks_in

FRAMEWORKS = tuple(Path(name).stem for name in FRAMEWORK_PAGES)


def page_of(framework: str) -> Path:
    return ROOT / "docs" / "bring" / f"{framework}.md"


def agent_of(framework: str) -> str:
    """The code of the agent on the page."""
    (code,) = (block.text for block in blocks_in(page_of(framework)) if block.kind == "python")
    return code
