"""Open shop: a world ready for customers. Its books before the first customer, its tools, its desks."""

from datetime import date
from functools import cached_property

from supportagentbench.language.reader import Reader, reader_of
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.world.desk import DeskSetup, toolbox
from supportagentbench.world.folder import World
from supportagentbench.world.handbook_search import handbook_reader
from supportagentbench.world.store import Store
from supportagentbench.world.tool import Tool, ToolFault

EAR = "ear.npz"
"""The file of a world folder with the trained weights of its customers' ears, if it has any."""


class OpenShop:
    """What all cases of a world share, each part made when it is first asked for."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.tools = toolbox(world.policy)
        """Every tool of the desk that has the policy in its instructions, by name."""
        self._instructions: dict[tuple[Channel, DeskKind, date], str] = {}
        """Instructions made so far, by channel, desk and day."""

    @cached_property
    def books(self) -> Store:
        """The shop before any customer is in its books."""
        try:
            return self.world.kit.open_books(self.world.shop)
        except Problem:
            raise
        except Exception as error:  # The world's code may raise anything on the world's numbers.
            words = f"cannot be drawn ({type(error).__name__}: {error}); check its numbers and names."
            raise Problem(words, place=self.world.folder / "store.yaml") from error

    @cached_property
    def opening_state(self) -> str:
        """Digest of these books."""
        return self.books.digest()

    @cached_property
    def reader(self) -> Reader:
        """How this world's customers understand messages."""
        vocabulary, weights = self.world.vocabulary, self.world.place(EAR)
        plain = reader_of(vocabulary)
        if not weights.exists():
            return plain
        from supportagentbench.language.ear import Ear, read_weights  # Not every command needs numpy.

        return plain.with_ear(Ear(read_weights(weights), plain.english, vocabulary))

    @cached_property
    def _handbook_tools(self) -> dict[str, Tool]:
        """The same tools, of which the one that opens the policy opens the handbook."""
        reader = Tool(handbook_reader(self.world.kit, self.world.opened_handbook()), writes=False)
        return {**self.tools, reader.name: reader}

    def tools_of(self, desk: DeskKind) -> dict[str, Tool]:
        """Every tool of this desk, by name."""
        return self.tools if desk == "prompt" else self._handbook_tools

    def desk_with(
        self, books: Store, channel: Channel, desk: DeskKind, faults: tuple[ToolFault, ...] = ()
    ) -> DeskSetup:
        """What a desk with these books is set up with."""
        key = channel, desk, books.today
        if key not in self._instructions:
            self._instructions[key] = self.world.instructions(*key)
        return DeskSetup(books, self.tools_of(desk), self._instructions[key], faults)
