"""Sender: who wrote a ticket, by the account it came from."""

from supportagentbench.records.record import Record


class Sender(Record):
    """The name and the e-mail address of an account."""

    name: str
    email: str

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>"
