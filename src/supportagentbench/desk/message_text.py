"""Message text: a customer's message as every agent reads it: who sent it, the words, what the files show."""

from supportagentbench.records.transcript import Attachment, Turn


def message_text(turn: Turn) -> str:
    """All of a customer's turn in one text."""
    head = [f"From: {turn.sender}"] if turn.sender else []
    return "\n\n".join([*head, turn.text, *map(_file_line, turn.attachments)])


def _file_line(file: Attachment) -> str:
    return f"[Attached {file.kind} {file.name}: {file.shows}]"
