"""Mail: mbox files and single mails, put together to tickets by what each one answers.

A mail does not say who works at the desk, so the user says which addresses the desk has.
"""

import email
import re
from collections.abc import Iterator
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from typing import NamedTuple

from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import Who
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.export_file import Export, ExportFile
from supportagentbench.tickets.plain_text import LARGEST_MESSAGE, MessageTooLarge, html_to_text
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import TicketDraft

LARGEST_MAIL = 40_000_000
"""Bytes of one mail with its attachments."""
MOST_PARTS = 200
MOST_RECEIVERS = 50
LONGEST_HEADER = 10_000
_LONGEST_CHAIN = 100
_TEXTS = {"text/plain", "text/html"}
_TOO_LARGE = "x" * (LARGEST_MESSAGE + 1)
"""Instead of a text that is too large to be read; it is refused for its length."""
_CHARSETS = re.compile(
    r"(?i)utf-?8|(?:us-)?ascii|iso-?8859-\d{1,2}|latin-?1|windows-125\d|cp125\d|shift_jis|gb18030|gbk|gb2312|big5"
    r"|euc-\w{2}|koi8-r"
)
_ENCODED = re.compile(r"=\?([^?*\s]{1,200})(?:\*[^?]*)?\?[bBqQ]\?")
_ID = re.compile(r"<[^<>\s]{1,500}>")
_REPLY_TO = re.compile(r"^(?:\s*(?:re|aw|sv|antw|fwd?|wg|tr|rv)\s*(?:\[\d+\])?\s*:)+\s*", re.IGNORECASE)


class ReadMail(NamedTuple):
    """A mail, and what it says of itself."""

    place: str
    message: Message
    number: str
    """Its id; a new one, if it has none."""
    answers: tuple[str, ...]
    """The ids of the mails that it answers, the first one of the talk first."""
    name: str
    address: str


def read_mail(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every talk in these files."""
    if not export.columns.desk and not export.columns.whom:
        raise Problem(
            "Mail does not say who works at the desk; give its addresses, such as `desk=help@shop.example`."
        )
    mails: dict[str, ReadMail] = {}
    for file in export.as_they_are:
        for place, data in _messages(file):
            found = _guarded(place, data)
            if isinstance(found, DroppedRow):
                yield found
            elif found.number in mails:
                yield DroppedRow(place, "a mail that another one repeats")
            else:
                mails[found.number] = found
    talks: dict[str, list[ReadMail]] = {}
    for mail in mails.values():
        talks.setdefault(_first_of(mail, mails), []).append(mail)
    for number, talk in talks.items():
        try:
            rows = [*_draft(number, talk, export.columns).rows()]
        except Exception as error:  # The parsers of mail raise almost everything.
            rows = [DroppedRow(talk[0].place, f"a mail that cannot be read ({type(error).__name__})")]
        yield from rows


def _messages(file: ExportFile) -> Iterator[tuple[str, bytes]]:
    """Every mail of a file with its place: one, or as many as have a line that begins with `From `."""
    data = file.data
    if not data.strip():
        raise Problem("is empty; give an export with mails.", place=file.path)
    if not data.startswith(b"From "):
        yield f"{file.path}", data
        return
    starts = [0] + [found.start() + 1 for found in re.finditer(rb"\nFrom [^\n]{1,200} \d\d:\d\d", data)]
    line = 1
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        one = data[start:end]
        yield f"{file.path}:{line}", re.sub(rb"(?m)^>(>*From )", rb"\1", one.partition(b"\n")[2])
        line += one.count(b"\n")


def _guarded(place: str, data: bytes) -> ReadMail | DroppedRow:
    """The mail. An error in it affects this mail only."""
    try:
        found = _read(place, data)
        if isinstance(found, ReadMail):
            if not all(map(_is_readable, found.message.walk())):
                return DroppedRow(place, "a mail in an encoding that is not one of the usual ones")
            _content(found.message)
            for name in ("Subject", "To", "Cc", "Reply-To"):
                getaddresses([_header(found.message, name)])
            _date(found.message)
    except Exception as error:  # The parsers of mail raise almost everything.
        return DroppedRow(place, f"a mail that cannot be read ({type(error).__name__})")
    return found


def _is_readable(part: Message) -> bool:
    """Whether a text says that it is in one of the usual encodings, or says nothing."""
    if part.get_content_maintype() != "text":
        return True
    said = part.get_content_charset()
    return said is None or bool(_CHARSETS.fullmatch(said))


def _read(place: str, data: bytes) -> ReadMail | DroppedRow:
    if len(data) > LARGEST_MAIL:
        return DroppedRow(place, f"a mail of more than {LARGEST_MAIL:,} bytes")
    try:
        message = email.message_from_bytes(data)
        if sum(1 for _ in message.walk()) > MOST_PARTS:
            return DroppedRow(place, f"a mail of more than {MOST_PARTS} parts")
    except (RecursionError, MessageError, ValueError, LookupError):
        return DroppedRow(place, "a mail that cannot be taken apart")
    if any(len(str(value)) > LONGEST_HEADER for value in message.values()):
        return DroppedRow(place, f"a mail with a header of more than {LONGEST_HEADER:,} characters")
    if not message["From"]:
        return DroppedRow(place, "a mail without a sender")
    name, address = (getaddresses([_header(message, "From")]) or [("", "")])[0]
    answered = f"{message.get('References', '')} {message.get('In-Reply-To', '')}"
    number = next(iter(_ID.findall(str(message.get("Message-ID", "")))), place)
    return ReadMail(place, message, number, tuple(_ID.findall(answered)), name, address.lower())


def _first_of(mail: ReadMail, mails: dict[str, ReadMail]) -> str:
    """The id of the mail that began a talk, which may be missing."""
    number = mail.number
    for _ in range(_LONGEST_CHAIN):
        before = mails[number].answers[:1] if number in mails else ()
        if not before or before[0] == number:
            break
        number = before[0]
    return number


def _draft(number: str, talk: list[ReadMail], columns: ColumnMap) -> TicketDraft:
    draft = TicketDraft("mail", number, talk[0].place)
    draft.channel = "email"
    draft.subject = _REPLY_TO.sub("", _header(talk[0].message, "Subject"))
    for mail in talk:
        who = _who(mail, columns)
        if "auto-replied" in str(mail.message.get("Auto-Submitted", "")).lower() and who == "customer":
            draft.drop(mail.place, "an automatic reply of a person who is away")
            continue
        person = None
        if who != "system":
            person = draft.person(who, mail.address, name=mail.name, emails=[mail.address])
        _receivers(draft, mail.message, columns)
        text, files = _content(mail.message)
        at = _date(mail.message)
        draft.says(who, mail.place, plain=text, at=at, person=person, attachments=files)
    return draft


def _who(mail: ReadMail, columns: ColumnMap) -> Who:
    if said := columns.who_is(mail.address, mail.name):
        return said
    if mail.address not in columns.desk:
        return "customer"
    is_automatic = str(mail.message.get("Auto-Submitted", "no")).strip().lower() != "no"
    return "system" if is_automatic else "human"


def _receivers(draft: TicketDraft, message: Message, columns: ColumnMap) -> None:
    """Recipients of a mail are people of the ticket, too."""
    several = [_header(message, name) for name in ("To", "Cc", "Reply-To")]
    for name, address in getaddresses(several)[:MOST_RECEIVERS]:
        if address:
            who: Who = columns.who_is(address, name) or (
                "human" if address.lower() in columns.desk else "customer"
            )
            draft.person(who, address.lower(), name=name, emails=[address.lower()])


def _content(message: Message) -> tuple[str, list[str]]:
    """The text in its order, and the names of the files."""
    texts: list[str] = []
    files: list[str] = []
    for part in _shown_parts(message):
        kind = part.get_content_type()
        is_file = bool(part.get_filename()) or part.get_content_disposition() == "attachment"
        if is_file or kind not in _TEXTS:
            files.append(str(part.get_filename() or kind))
        else:
            texts.append(_text(part) if kind == "text/plain" else _from_html(_text(part)))
    return "\n".join(texts), files


def _shown_parts(message: Message) -> Iterator[Message]:
    """The parts that a reader sees, in their order: of two ways to say the same thing, the plain one.

    A mail within a mail is a file.
    """
    left = [message]
    while left:
        part = left.pop()
        inner = part.get_payload() if part.get_content_maintype() == "multipart" else None
        if not isinstance(inner, list):
            yield part
            continue
        several = [one for one in inner if isinstance(one, Message)]
        if part.get_content_subtype() == "alternative":
            plain = [one for one in several if one.get_content_type() == "text/plain" and _text(one).strip()]
            several = plain[:1] or several[-1:]
        left += reversed(several)


def _from_html(html: str) -> str:
    try:
        return html_to_text(html)
    except MessageTooLarge:
        return _TOO_LARGE


def _text(part: Message) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    if len(data) > 4 * LARGEST_MESSAGE:
        return _TOO_LARGE
    try:
        return data.decode(part.get_content_charset() or "utf-8", "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace")


def _header(message: Message, name: str) -> str:
    said = str(message.get(name, ""))
    if any(not _CHARSETS.fullmatch(one) for one in _ENCODED.findall(said)):
        raise LookupError
    try:
        return str(make_header(decode_header(said)))
    except (MessageError, LookupError, ValueError):
        return said


def _date(message: Message) -> str | None:
    """As ISO 8601, so that what is out of bounds is found where all dates are."""
    try:
        return parsedate_to_datetime(str(message["Date"])).isoformat() if message["Date"] else None
    except (ValueError, OverflowError, TypeError):
        return f"{message['Date']}"
