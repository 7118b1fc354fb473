"""Next turn: what a customer has heard, and what it is going to do about it."""

from supportagentbench.customer.voice import Move, MoveKind
from supportagentbench.records.case import CustomerFile
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.records.vocabulary import WISH


class NextTurn:
    """One turn in the making."""

    def __init__(self, words: str, heard: SpeechActs) -> None:
        self.words = words
        """The agent's."""
        self.heard = heard
        self.waits = False
        """Whether the agent said that an agreed change is pending, which the desk's record confirms."""
        self.done: set[str] = set()
        """The acts it takes to be done, by these words and the record."""
        self.doubts: set[str] = set()
        """The acts that are said to be done and that it asks about first."""
        self.moves: list[Move] = []
        self.confirms: list[str] = []
        self.discloses: dict[str, str] = {}
        self.shows: list[CustomerFile] = []
        self.progress = False
        """Whether the agent's last message was progress for the customer."""
        self.leaves = False

    @property
    def needs_an_answer(self) -> bool:
        """Whether the agent is waiting for the customer: a yes, or something it knows."""
        return self.heard.consent or bool(set(self.heard.asks) - {WISH})

    def does(self, *kinds: MoveKind) -> bool:
        return any(move.kind in kinds for move in self.moves)

    def add(self, kind: MoveKind, says: str = "", *, weighty: bool = False) -> None:
        move = Move(kind, says, weighty)
        if move not in self.moves and not (says and says in [made.says for made in self.moves]):
            self.moves.append(move)
