"""Page: the live view in the site's frame. Everything is escaped: models wrote much of it."""

from pathlib import Path
from typing import Any, NamedTuple

from supportagentbench.live.conversation import LiveConversation
from supportagentbench.live.shown import Shown
from supportagentbench.site.pages.page import asset_paths, assets, environment
from supportagentbench.site.pages.page_context import Headed

HERE = Path(__file__).parent
OWN = ("live.css", "live.js")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)


class LiveNavLink(NamedTuple):
    """An entry of the navigation."""

    title: str
    path: str


NAVIGATION = (
    LiveNavLink("Live", ""),
    LiveNavLink("Board so far", "index.html"),
    LiveNavLink("Transcripts so far", "reader.html"),
)


def static_file(path: str) -> bytes | None:
    """A style or script of the live view or of the site."""
    if path in OWN:
        return (HERE / path).read_bytes()
    return dict(assets().values()).get(path)


def live_page(title: str, shown: Shown) -> str:
    """The job's current state."""
    headed = Headed(f"{shown.strip['conversations']} {title}, live")
    return _render("live.html", path="", headed=headed, title=title, shown=shown, columns=shown.columns)


def conversation_page(conversation: LiveConversation) -> str:
    """One conversation."""
    headed = Headed(f"{conversation.case}, {conversation.agent}, run {conversation.run}")
    return _render("conversation.html", path="conversation", headed=headed, conversation=conversation)


def notice_page(title: str, words: str) -> str:
    """A page with one sentence, if there is nothing else to show."""
    return _render("notice.html", path="notice", headed=Headed(title), title=title, words=words)


def _render(template: str, **content: Any) -> str:
    made = environment(HERE).get_template(template)
    frame = {"nav": NAVIGATION, "further": (), "tag": "", "own": "", "assets": asset_paths(), "csp": POLICY}
    return made.render(frame | content, root="/", kind="live")
