"""Name: what ids, agents and runs may be called. Records check it whenever they are read.

Ids become names of files and parts of links, so they are made of plain letters and never begin with a dot. An
agent is called whatever its provider calls it: that is text, and `storage/place.py` makes file names of it.
"""

import re
from typing import Annotated

from msgspec import Meta

LONGEST_ID, LONGEST_AGENT = 100, 1000

_ID = r"[A-Za-z0-9_][A-Za-z0-9._-]*"
_PRINTED = r"[^\x00-\x1f\x7f-\x9f]+"

Id = Annotated[str, Meta(pattern=rf"\A{_ID}\Z", max_length=LONGEST_ID)]
"""A case or a case type, such as `damaged_no_proof-1`."""

OptionalId = Annotated[str, Meta(pattern=rf"\A(?:{_ID})?\Z", max_length=LONGEST_ID)]
"""An id, or nothing."""

AgentName = Annotated[str, Meta(pattern=rf"\A{_PRINTED}\Z", max_length=LONGEST_AGENT)]
"""An agent, such as `openai:gpt-5.4,effort=high` or `my_shop:Agent`: no control characters."""

RunNumber = Annotated[int, Meta(ge=0, le=1_000_000)]
"""1 for the first repetition, 2 for the second …"""


def is_id(words: str) -> bool:
    """Whether this can be an id."""
    return len(words) <= LONGEST_ID and re.fullmatch(_ID, words) is not None


def is_agent_name(words: str) -> bool:
    """Whether an agent can be called this."""
    return len(words) <= LONGEST_AGENT and re.fullmatch(_PRINTED, words) is not None
