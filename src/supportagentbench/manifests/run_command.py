"""Run command: what is typed after `sab run`, checked where a manifest is written and not first in a pod."""

import os
import shlex
from typing import NamedTuple

from supportagentbench.models.address import keep_credentials
from supportagentbench.models.provider import PROVIDERS, is_model, keep_known_keys
from supportagentbench.models.spec import parse_model
from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import holds_secret, keep_secret

MOST_LETTERS = 50_000
"""Of all words; a manifest of more than a megabyte is refused by every cluster."""


SECRET_ENDS = ("_KEY", "_PASSWORD", "_SECRET", "_SEED", "_TOKEN")
"""How names of variables end whose values are secrets, whatever they are for."""


class RunCommand(NamedTuple):
    """Agents and options of `sab run`, as its own parser read them."""

    words: tuple[str, ...]
    """As they are typed."""
    names: tuple[str, ...]
    """The agents and the customer."""
    concurrency: int
    """Conversations in flight, in all parts together."""
    budget: float | None
    """Dollars, for all parts together."""
    agrees: bool
    """Whether the words say that money may be spent."""

    def checked(self) -> "RunCommand":
        """The same; a Problem if these words cannot be in a manifest."""
        if len("".join(self.words)) > MOST_LETTERS:
            raise Problem(f"the command has more than {MOST_LETTERS:,} characters; name fewer agents.")
        try:
            text = "\n".join(self.words).encode()
        except UnicodeEncodeError:
            raise Problem("the command is not text in UTF-8; rename the file or folder it names.") from None
        keep_known_keys()
        for name, value in os.environ.items():
            if name.endswith(SECRET_ENDS):
                keep_secret(value)
        for word in self.words:
            keep_credentials(word)
        if holds_secret(text):
            raise Problem(
                "the command has a key or a password in it, and everyone who may read a manifest could read "
                "it; put it into the Secret that --secret names."
            )
        if self.budget is None and not self.agrees:
            raise Problem("nobody can be asked in a pod; add --budget DOLLARS, or --yes if it costs nothing.")
        return self

    def keys(self) -> tuple[str, ...]:
        """The variables with keys that its models need; of several for one model, the preferred."""
        parsed = [
            parse_model(name) for name in self.names if is_model(name) and not name.startswith("local:")
        ]
        needed = [PROVIDERS[one.provider].keys for one in parsed if not one.settings.base_url]
        return tuple(dict.fromkeys(variables[0] for variables in needed if variables))

    def ours(self, out: str, *options: str) -> list[str]:
        """What comes before the words, so that no `--` in them can end our options."""
        return ["run", *options, "--out", out, *([] if self.agrees else ["--yes"])]

    def for_shell(self, out: str, *options: str) -> str:
        """The whole command in one line, in which a shell finds nothing to expand."""
        words = ["sab", *self.ours(out, *options), *self.words]
        for word in words:
            if shlex.quote(word) != word:
                raise Problem(
                    f"{word!r} has characters that mean something to a shell, and Ray starts a job in one; "
                    "rename it, or write it into a file such as agent.yaml."
                )
        return " ".join(words)

    def refuse_too_many(self, count: int, option: str) -> None:
        """Refuse more parts or workers than there are conversations in flight."""
        if count > self.concurrency:
            raise Problem(
                f"-j {self.concurrency} is shared out and not enough for {option} {count}; add -j {count} or "
                "more after --, or take fewer."
            )

    @property
    def limit(self) -> str:
        """What may be spent, for people."""
        return "no spending limit" if self.budget is None else f"at most ${self.budget:,.2f} in all"
