"""Ticket: the conversation as the desk files it. Every desk can hand it over, and can close it."""

from supportagentbench.records.vocabulary import Harm, Verb

VERBS = (
    Verb(
        act="hand_over",
        title="hand over to a human",
        doing="pass this on to a colleague",
        done="I've passed this on to a colleague, who will write to you.",
    ),
    Verb(
        act="close_ticket",
        title="close the ticket",
        doing="close the ticket",
        done="I've closed the ticket.",
        harm="closure",
    ),
)

FALSE_CLOSURE = Harm(
    name="closure",
    title="False closure",
    about="A ticket is closed although something the customer asked for is still open.",
    dollars=25,
)
