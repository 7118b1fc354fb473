"""TokenPrice: what a turn of a character costs. Nobody is billed; it gives a board its costs."""

from typing import NamedTuple

from supportagentbench.records.usage import Usage

LETTERS = 4
"""Of a token, on average."""


class TokenPrice(NamedTuple):
    """The tokens of a turn and the dollars per million of them."""

    prompt: int
    """Tokens that it reads in every turn besides the conversation: instructions, policy, results of tools."""
    thinking: int
    """Hidden tokens that it writes in every turn besides its message."""
    read: float
    """Dollars per million tokens read."""
    written: float
    """Dollars per million tokens written."""

    def usage(self, model: str, heard: str, said: str) -> Usage:
        """One turn: all of the conversation is read, and one message is written."""
        tokens, output = self.prompt + len(heard) // LETTERS, self.thinking + len(said) // LETTERS
        cost = (tokens * self.read + output * self.written) / 1_000_000
        return Usage(model, input=tokens, output=output, reasoning=self.thinking, cost=round(cost, 8))
