"""Agent version: what an agent was made of when it ran. Runs of two versions are never counted together."""

from collections.abc import Iterator, Mapping

from supportagentbench.records.record import Record

MOST_CHANGES = 3
"""Changes that a sentence names; further ones are only counted."""


class AgentVersion(Record):
    """What may change under an agent's name, besides its settings."""

    source: dict[str, str] = {}
    """The digests of the agent's source files; empty if it has none (a model, an address)."""
    prompt: str = ""
    """Version of a model's prompt; empty for other agents."""
    given: str = ""
    """The agent as the command named it, if it runs under a different name."""

    service: str = ""
    """The version that an agent's service names; empty if it names none, or there is no service."""
    unseen: str = ""
    """Why a change of the agent cannot be seen, in a clause; empty if it can."""

    def changes_from(self, before: "AgentVersion") -> Iterator[str]:
        """Everything that is not as before, in a few words each."""
        for file in sorted(before.source.keys() | self.source.keys()):
            old, new = before.source.get(file), self.source.get(file)
            if old != new:
                yield f"{file} {'was added' if old is None else 'was removed' if new is None else 'changed'}"
        yield from value_changes(
            {"the prompt": before.prompt, "the agent": before.given, "the service": before.service},
            {"the prompt": self.prompt, "the agent": self.given, "the service": self.service},
        )


def is_same_code(first: AgentVersion, second: AgentVersion) -> bool:
    """Whether both are known to be made of the same source, and of nothing that cannot be seen."""
    return bool(first.source) and first.source == second.source and not (first.unseen or second.unseen)


def value_changes(before: Mapping[str, object], now: Mapping[str, object]) -> Iterator[str]:
    """Every value that is not as before, by its name."""
    for name in sorted(before.keys() | now.keys()):
        old, new = before.get(name), now.get(name)
        if old != new:
            yield f"{name} is {_shown(new)}, was {_shown(old)}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if value not in (None, "") else "not set"


def in_short(changes: list[str]) -> str:
    """The first changes as text."""
    more = f" and {len(changes) - MOST_CHANGES} more" if len(changes) > MOST_CHANGES else ""
    return ", ".join(changes[:MOST_CHANGES]) + more
