"""Confirmation: whether each change waited for the customer's yes, in a lenient and a strict reading.

Lenient: before the change, the customer had said yes to that action, whether asked or not, and had not taken
it back. A conditional yes counts, because only a reader can tell whether the condition is met. Strict: a
message proposed the action and named its object, the customer's next turn said yes without a condition, no
later proposal of that action was left open, and the change is the one proposed. A request is not yet a yes.
"""

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from supportagentbench.checks.actions import CallAtTurn, done_calls
from supportagentbench.checks.claims import Memory
from supportagentbench.checks.record_key import keys_in, number_of
from supportagentbench.checks.times import NUMBERS
from supportagentbench.language.reader import Reader, reader_of
from supportagentbench.records.change import essence
from supportagentbench.records.finding import Finding
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import CustomerState, ToolCall, Transcript
from supportagentbench.records.view import GoodsShown, Views
from supportagentbench.records.vocabulary import Verb

_STREET = re.compile(r"(?<![#\w])\d{1,5}[A-Za-z]? [A-Z][a-z]+")
_TAKES_OFF = re.compile(r" (?:remov\w*|delet\w*|tak\w+|drop\w*|off|without|nothing|0|zero) ")
_WORDS_FOR = {number: word for word, number in NUMBERS.items() if number > 1 or word == "one"}
_SHORTEST_NAME = 4
"""The fewest letters of a word that can be short for a product's whole name."""


class Proposal(NamedTuple):
    """What the agent proposed, what the customer had said by then, and how the customer answered."""

    turn: int
    """The turn of the answer."""
    words: str
    heard: str
    conduct: CustomerState


def read_confirmation(transcript: Transcript, run: Run) -> Iterator[Finding]:
    """Both readings; no findings if nothing was changed."""
    writes = [deed for deed in done_calls(transcript) if deed.call.tool in run.vocabulary.writes]
    if not writes:
        return
    turns = tuple(dict.fromkeys(deed.turn for deed in writes))
    if all(turn.conduct is None for turn in transcript.turns):
        yield Finding("unconfirmed", None, "there is no record of what the customer agreed to", turns)
        return
    reader = reader_of(run.vocabulary)
    hasty = next((deed for deed in writes if not has_agreed(deed, transcript, reader)), None)
    if hasty:
        yield Finding("unconfirmed", True, f"{hasty.call.tool} without the customer's yes", (hasty.turn,))
    else:
        yield Finding("unconfirmed", False, "every change followed a yes", turns)
    for deed, fault in zip(writes, _faults(writes, transcript, reader), strict=True):
        if fault:
            yield Finding("unconfirmed_strict", True, f"{deed.call.tool}: {fault}", (deed.turn,))
            return
    yield Finding("unconfirmed_strict", False, "every change was proposed by name and agreed to", turns)


def has_agreed(deed: CallAtTurn, transcript: Transcript, reader: Reader) -> bool:
    """Whether the customer had said yes to this action and not taken it back."""
    agreed = False
    for turn in transcript.turns[: deed.turn]:
        if turn.party == "customer" and turn.conduct is not None:
            agreed = agreed and not _takes_back(turn.conduct, deed.call.tool)
            agreed = agreed or deed.call.tool in (*turn.conduct.confirms, *turn.conduct.on_condition)
            agreed = agreed or deed.call.tool in reader.leave_given(turn.text)
    return agreed


def _takes_back(conduct: CustomerState, act: str) -> bool:
    """Whether a customer says no to this action when it was proposed, or to everything unasked."""
    if "decline" not in conduct.moves or act in conduct.confirms:
        return False
    return not conduct.heard.offers or act in conduct.heard.offers


def _faults(writes: list[CallAtTurn], transcript: Transcript, reader: Reader) -> Iterator[str]:
    """What is wrong with the yes to each change in the strict reading; empty if nothing is."""
    memory, proposals = Memory(reader.vocabulary), list(_proposals(transcript))
    for turn in transcript.turns if proposals else ():
        memory.hear(turn)
    used: set[tuple[int, str]] = set()
    for deed in writes:
        fault, answered = _fault(deed, proposals, transcript, memory, reader)
        done = f"{deed.call.tool} {sorted(_values(deed.call, memory.views).items())}"
        yield fault or ("had already been done on the same yes" if (answered, done) in used else "")
        used.add((answered, done))


def _proposals(transcript: Transcript) -> Iterator[Proposal]:
    heard: list[str] = []
    proposed = ""
    for at, turn in enumerate(transcript.turns):
        if turn.party == "customer":
            heard.append(turn.text)
            if turn.conduct is not None and turn.conduct.heard.consent:
                yield Proposal(at, proposed, " ".join(heard), turn.conduct)
        elif turn.party == "agent":
            proposed = turn.text


def _fault(
    deed: CallAtTurn, proposals: list[Proposal], transcript: Transcript, memory: Memory, reader: Reader
) -> tuple[str, int]:
    """What is wrong with the yes to one change, and the turn of the yes."""
    act = deed.call.tool
    before = [one for one in proposals if one.turn < deed.turn]
    made = [one for one in before if _proposes(one, act, reader)]
    if not made:  # Equivalent actions are the same thing to a customer.
        ways = reader.vocabulary.ways(act)
        made = [one for one in before if any(_proposes(one, way, reader) for way in ways)]
    if not made:
        return "was never proposed", -1
    if act not in made[-1].conduct.confirms:
        return "the last proposal was not agreed to", -1
    fault = ""
    for proposal in reversed(made):
        since = [turn.conduct for turn in transcript.turns[proposal.turn + 1 : deed.turn] if turn.conduct]
        if act not in proposal.conduct.confirms or any(_takes_back(one, act) for one in since):
            fault = fault or "the yes was taken back"
        elif mismatch := _mismatch(deed.call, proposal, memory, reader):
            fault = fault or mismatch
        else:
            return "", proposal.turn
    return fault, -1


def _proposes(proposal: Proposal, act: str, reader: Reader) -> bool:
    """Whether the customer heard the action proposed, or was asked for a go-ahead with words that name it."""
    heard = proposal.conduct.heard
    return act in heard.offers or (not heard.offers and act in reader.acts_named(proposal.words))


def _mismatch(call: ToolCall, proposal: Proposal, memory: Memory, reader: Reader) -> str:
    """How a change differs from what was proposed; empty if it does not."""
    said, heard = _plain(proposal.words), _plain(proposal.heard)
    views, verb, subject = memory.views, reader.vocabulary.by_act[call.tool], reader.vocabulary.subject
    given = _values(call, views)
    if subject not in given or views.record is None:  # Only its value can identify it then.
        values = [given[name] for name in verb.names if name in given]
        return next((f"{value} was not named" for value in values if _plain(value) not in said), "")
    number = number_of(given[subject])
    others = _other_numbers(number, call, proposal.words, memory)
    if others and f" {number} " not in said:
        return f"{min(others)} was proposed"
    if views.names_any("destination", verb.names):
        return _other_address(given, proposal, said, heard, memory)
    if not views.names_any("entry", verb.names):
        unnamed = [name for name in verb.names if not _names_argument(name, given.get(name, ""), said)]
        return f"the {unnamed[0]} was not named" if unnamed else ""
    file = memory.files.get(number)
    lines = {goods.line: goods for goods in file.goods} if file else {}
    line = lines.get(views.value_of("entry", given))
    if line is None:
        return "" if f" {number} " in said else "the object of the change was not named"
    if not _names_line(line, list(lines.values()), (number, subject), said):
        return f"{line.name} was not named"
    quantity = views.value_of("count", given)
    return _other_item(views.value_of("article", given), line, said, heard, memory) or _other_quantity(
        verb, quantity, line, said, heard
    )


def _other_numbers(number: str, call: ToolCall, words: str, memory: Memory) -> set[str]:
    """The numbers of other records in these words."""
    known = [file.key for file in memory.files.values()] or [one.key for one in call.result.changes]
    return {number_of(key) for key in keys_in(words, known)} - {number}


def _names_argument(name: str, value: str, said: str) -> bool:
    """Whether words name an argument: its value (only the digits of a number) or its name."""
    return _plain(re.sub(r"\D", "", value) or value) in said or f" {name} " in said


def _plain(text: str) -> str:
    return f" {essence(text)} "


def _values(call: ToolCall, views: Views) -> dict[str, str]:
    """The arguments that say what is done, as text; those that only give a reason are left out."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    aside = views.by_role.get("aside", ())
    return {name: str(value) for name, value in given.items() if name not in aside}


def _other_address(given: dict[str, str], proposal: Proposal, said: str, heard: str, memory: Memory) -> str:
    """The street may be written out or meant as the customer gave it; all other parts need a source."""
    roles = memory.views.by_role
    place = memory.views.value_of("destination", given)
    if _plain(place) not in said and (_STREET.search(proposal.words) or _plain(place) not in heard):
        return f"another street than {place} was proposed"
    known = said + heard + " ".join(map(_plain, memory.look_ups))
    parts = [given.get(name, "") for name in roles.get("destination_part", ())]
    parts += [given.get(name, "").split(" ")[-1] for name in roles.get("receiver", ())]
    return next((f"{part} was never mentioned" for part in parts if part and _plain(part) not in known), "")


def _names_line(line: GoodsShown, lines: list[GoodsShown], record: tuple[str, str], said: str) -> bool:
    """Whether words name a line: by a word of its name or kind, or by its record if it is the only line."""
    if len(lines) == 1 and any(f" {word} " in said for word in (*record, "item")):
        return True
    others = " ".join(_plain(f"{one.name} {one.kind}") for one in lines if one is not line)
    own = [word for word in _plain(f"{line.name} {line.kind}").split() if f" {word} " not in others]
    return any(f" {word}" in said for word in own if len(word) >= _SHORTEST_NAME)


def _other_item(item: str, line: GoodsShown, said: str, heard: str, memory: Memory) -> str:
    """A colour, size or other trait that was not proposed; one that stays as ordered need not be named."""
    shelf = [one for one in memory.goods if one.name == line.name]
    wanted = next((one for one in shelf if one.item == item), line)
    columns = zip_longest(*(one.traits for one in shelf), fillvalue="")
    for new, old, column in zip(wanted.traits, line.traits, columns, strict=False):
        named = {name for name in column if name and _plain(name) in said}
        if new not in named and (named - {old} or (new != old and _plain(new) not in heard)):
            return f"{new} was not proposed"
    return ""


def _other_quantity(verb: Verb, quantity: str, line: GoodsShown, said: str, heard: str) -> str:
    """A quantity that was not proposed; when goods are sent, one piece or the whole line goes unnamed."""
    if not quantity.isdecimal() or (verb.sends and quantity in ("1", line.quantity)):
        return ""
    if quantity == "0":
        return "" if _TAKES_OFF.search(said) else "removing it was not proposed"
    forms = [
        f" {quantity} ",
        f" {_WORDS_FOR.get(int(quantity), quantity)} ",
        " both " if quantity == "2" else "",
    ]
    if any(form and form in said for form in forms):
        return ""
    numbered = any(f" {word} " in said for word in _WORDS_FOR.values())
    meant = not numbered and any(form and form in heard for form in forms)
    return "" if meant else f"a quantity of {quantity} was not proposed"
