"""Price: what a character's turn would cost. No money is spent; it only gives a board its cost figures."""

from typing import NamedTuple

from supportagentbench.records.usage import Usage

LETTERS = 4
"""Letters per token, on average."""


class TokenPrice(NamedTuple):
    """The tokens of a turn, and dollars per million tokens."""

    prompt: int
    """Tokens that it reads in every turn besides the conversation: instructions, policy, tool results."""
    thinking: int
    """Hidden tokens that it writes in every turn besides its message."""
    read: float
    """Dollars per million tokens read."""
    written: float
    """Dollars per million tokens written."""

    def usage(self, model: str, heard: str, said: str) -> Usage:
        """Usage of one turn, which reads the whole conversation and writes one message."""
        tokens, output = self.prompt + len(heard) // LETTERS, self.thinking + len(said) // LETTERS
        cost = (tokens * self.read + output * self.written) / 1_000_000
        return Usage(model, input=tokens, output=output, reasoning=self.thinking, cost=round(cost, 8))
