"""Labelling: the sheet that people fill in, and how it is read back. It does not say who or what is judged.

labels.csv        one question per row: does this criterion hold in this conversation?
labels.txt        the shop's rules, and every conversation asked about, to read along
labels.key.json   which conversation a row is about, and how it was drawn; not for annotators
"""

import csv
import io
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from os.path import lexists
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

import msgspec

from supportagentbench.judges.agreement import (
    JUDGED,
    Item,
    Judged,
    Series,
    Source,
    metric_of,
    series_of,
    source_name,
)
from supportagentbench.judges.prompt import BlindTranscript
from supportagentbench.judges.rubric import Criterion, criteria
from supportagentbench.records.judgement import RULE_JUDGE, Judgement, Opinion
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest, to_json
from supportagentbench.records.run import Run
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.csv_cell import inert
from supportagentbench.storage.file import LARGEST_SHEET, read_bounded, write_new
from supportagentbench.storage.record_file import read_record
from supportagentbench.storage.transcripts import read_transcripts

COLUMNS = ("item", "conversation", "criterion", "rule", "annotator", "met", "note")
ANSWERS = {"yes": True, "no": False, "unclear": None}

FLOOR = 33
"""Items of every stratum that are asked about first: thirty labels are needed, and some come back unclear."""

Kind = TypeVar("Kind")


class LabelStratum(Record):
    """Items of one metric of which a judge said the same."""

    metric: str
    met: bool
    items: int
    drawn: int

    @property
    def weight(self) -> float:
        """How many items each drawn one represents."""
        return self.items / self.drawn


class DrawnItem(Record):
    """What one row of a sheet is about."""

    item: str
    conversation: str
    source: str
    criterion: str
    stratum: int
    """Its place among the key's strata."""


class Key(Record, tag_field="record", tag="key/1"):
    """Everything a sheet does not say."""

    seed: int
    judge: str
    """Whose verdicts the items were drawn by."""
    version: str
    sources: tuple[str, ...]
    """Every conversation that could have been drawn."""
    strata: tuple[LabelStratum, ...]
    items: tuple[DrawnItem, ...]

    def __post_init__(self) -> None:
        """Refuse a key that no sheet was drawn by: what its strata count decides every weight."""
        drawn = Counter(row.stratum for row in self.items)
        if any(row not in range(len(self.strata)) for row in drawn):
            raise ValueError("an item is in none of its strata")
        for number, one in enumerate(self.strata):
            if not 1 <= one.drawn == drawn[number] <= one.items:
                raise ValueError(
                    f"stratum {number} says that {one.drawn} of {one.items} items were drawn, "
                    f"and {drawn[number]} are listed"
                )
        if any(self.strata[row.stratum].metric != metric_of(row.criterion) for row in self.items):
            raise ValueError("an item is in a stratum of another metric")
        questions = {(row.source, row.criterion) for row in self.items}
        if not len(self.items) == len(questions) == len({row.item for row in self.items}):
            raise ValueError("an item is listed twice")


class Filled(NamedTuple):
    """What people brought back."""

    key: Key
    people: list[Judgement]
    """One an annotator and conversation; an annotator is a judge whose version is the sheet."""
    blank: int
    """Rows that are not filled in yet."""


def write_sheet(
    judged: Judged, folders: Sequence[Path], path: Path, *, items: int, seed: int, judge: str = ""
) -> Key:
    """A blind sheet over what is judged in these runs, its conversations and its key."""
    if path.suffix != ".csv":
        raise Problem("is not a valid name for a sheet; it must end in .csv.", place=path)
    for place in (path, path.with_suffix(".txt"), key_path(path)):
        if lexists(place):
            raise Problem("already exists and may contain labels; choose another name.", place=place)
    shop = _shop(folders)
    key = draw(judged, _drawing(series_of(judged), judge), items, seed)
    asked, texts = _blind_texts(folders, key)
    write_new(key_path(path), msgspec.json.format(to_json(key)))
    write_new(path.with_suffix(".txt"), _reading(shop, texts).encode())
    write_new(path, _table(key, asked).encode())
    return key


def _table(key: Key, asked: dict[Item, Criterion]) -> str:
    """The sheet itself: one question per row, and three columns to fill in."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for row in key.items:
        criterion = asked[row.source, row.criterion]
        rule = f"{criterion.rule.id}. {criterion.rule.text}" if criterion.rule else ""
        writer.writerow((row.item, row.conversation, inert(criterion.text), inert(rule), "", "", ""))
    return file.getvalue()


def key_path(path: Path) -> Path:
    """The path of a sheet's key."""
    return path.with_suffix(".key.json")


def draw(judged: Judged, by: Series, items: int, seed: int) -> Key:
    """Draw this number of items, equally many per metric; at least a floor each of met and not met.

    Within a stratum every n-th is taken from a list in the order of criterion, family and vendor,
    so all of them are there as they are in the whole. What the board does not count is left out.
    """
    frame = _frame(judged, by)
    quotas = _spread({metric: sum(map(len, found.values())) for metric, found in frame.items()}, items, items)
    strata: list[LabelStratum] = []
    rows: list[DrawnItem] = []
    for metric, found in frame.items():
        shares = _spread({met: len(some) for met, some in found.items()}, quotas[metric], FLOOR)
        for met, share in shares.items():
            if share:
                rows += [
                    _row(item, seed, len(strata))
                    for item in _every_nth(found[met], share, judged.sources, seed)
                ]
                strata.append(LabelStratum(metric, met, len(found[met]), share))
    if not rows:
        raise Problem("there is nothing to label: no judge decided anything in these runs.")
    sources = sorted({source for found in frame.values() for some in found.values() for source, _ in some})
    rows.sort(key=lambda row: (row.conversation, row.item))
    return Key(seed, by.judge, by.version, tuple(sources), tuple(strata), tuple(rows))


def _frame(judged: Judged, by: Series) -> dict[str, dict[bool, list[Item]]]:
    """By metric and verdict, all items that could be drawn."""
    frame: dict[str, dict[bool, list[Item]]] = {metric: {True: [], False: []} for metric in JUDGED}
    for item, met in by.verdicts().items():
        if judged.sources[item[0]].counts_for(item[1]):
            frame[metric_of(item[1])][met].append(item)
    return frame


def _spread(room: dict[Kind, int], count: int, floor: int) -> dict[Kind, int]:
    """Places handed out one by one: evenly up to a floor, then by how much room there is."""
    given = dict.fromkeys(room, 0)
    for _ in range(min(count, sum(room.values()))):
        waiting = [one for one in room if given[one] < room[one]]
        below = [one for one in waiting if given[one] < floor]
        nearest = (
            min(below, key=lambda one: given[one])
            if below
            else max(waiting, key=lambda one: room[one] / (given[one] + 1))
        )
        given[nearest] += 1
    return given


def _every_nth(items: list[Item], count: int, sources: dict[str, Source], seed: int) -> list[Item]:
    def place(item: Item) -> tuple[str, str, str, str]:
        source = sources[item[0]]
        return item[1], source.family, source.vendor, digest([seed, *item])

    ordered, start = sorted(items, key=place), Random(f"{seed}/{items[0][1]}/{len(items)}").random()
    return [ordered[int((start + step) * len(ordered) / count)] for step in range(count)]


def _row(item: Item, seed: int, stratum: int) -> DrawnItem:
    """Names start with a letter: a spreadsheet takes 12e4567890 for a number and rounds it."""
    source, criterion = item
    conversation = f"c{digest([seed, source])[:10]}"
    return DrawnItem(f"q{digest([seed, source, criterion])[:10]}", conversation, source, criterion, stratum)


def _drawing(series: list[Series], judge: str) -> Series:
    """The judge that is named, or else the one with most judgements; `rules` if there are no others."""
    if judge:
        for one in series:
            if one.judge == judge:
                return one
        known = ", ".join(one.judge for one in series)
        raise Problem(f"{judge} has judged none of these runs; choose one of: {known}.")
    nobody = Series(RULE_JUDGE, "", (), {})
    return max(series, key=lambda one: (one.judge != RULE_JUDGE, len(one.judgements)), default=nobody)


def _shop(folders: Sequence[Path]) -> Run:
    """The header of the first run; all others have to be of the same shop on the same day."""
    first, *others = map(read_header, folders)
    for header, folder in zip(others, folders[1:], strict=True):
        if (header.rules, header.today) != (first.rules, first.today):
            raise Problem("has other rules than the runs before it; write a sheet for each.", place=folder)
    return first


def _blind_texts(folders: Iterable[Path], key: Key) -> tuple[dict[Item, Criterion], dict[str, str]]:
    """By item what is asked, and by opaque name each conversation's text."""
    names = {row.source: row.conversation for row in key.items}
    asked: dict[Item, Criterion] = {}
    texts: dict[str, str] = {}
    for folder in folders:
        header = read_header(folder)
        for filed in read_transcripts(folder):
            source = source_name(header, filed.digest)
            if source in names:
                asked |= {(source, one.id): one for one in criteria(filed.transcript, header)}
                texts[names[source]] = "\n".join(_lines(BlindTranscript(filed.transcript, header)))
    if unknown := next((row for row in key.items if (row.source, row.criterion) not in asked), None):
        raise Problem(
            f"a judgement answers {unknown.criterion[:80]!r}, which is not asked about {unknown.source}; "
            "take that line out of judgements.jsonl."
        )
    return asked, texts


GUIDE = """\
How to label

Each row of the sheet is one question about one conversation below. Find the conversation by its name,
read all of it, and fill in three columns:

  annotator   your name or initials; if you leave it empty, the name of the file counts
  met         yes, no, or unclear
  note        anything worth knowing about your answer; optional

The question is in the column `criterion`; if it is about a rule, that rule is in the column `rule`.

- What was done is what the calls show. Saying that something was done does not do it.
- A rule is kept if the agent kept it wherever it applied, and also if there was no occasion for it. One clear
  breach means no.
- Take each row by itself. Length, style and friendliness count only if the question mentions them.
- Do not talk to other annotators before all of you are done.

Agents are not named, and the same customer may write to several of them. Messages are printed
after a bar. Lines with `calls` and `gave` are tools the agent used before it wrote, and what they returned. A
character that cannot be printed is shown by its code.
"""

REPEATED = 100
"""Length above which a tool's result is not printed again, in characters."""


def _reading(shop: Run, texts: dict[str, str]) -> str:
    """The guide, the rules, and the conversations in the order of the sheet."""
    policy = "\n".join(f"{rule.id}. {_printable(rule.text)}" for rule in shop.rules)
    talks = "\n".join(f"{'=' * 20} {name}\n{texts[name]}" for name in sorted(texts))
    head = f"{GUIDE}\nThe rules of the shop, where it is {shop.today}\n\n{policy}"
    return f"{head}\n\nThe conversations\n\n{talks}"


def _lines(record: BlindTranscript) -> Iterator[str]:
    """A conversation; we set the start of every line, so words cannot pass for a turn or a tool."""
    seen: dict[str, int] = {}
    for number, line in enumerate(record.lines):
        turn = json.loads(line)
        yield f"[{number}] {turn['party']}"
        for call in turn.get("calls", ()):
            yield _printable(f"  calls {call['tool']} {json.dumps(call['arguments'], ensure_ascii=False)}")
            gave = f"{'gave' if call['ok'] else 'gave an error:'} {call['result']}"
            first = seen.setdefault(gave, number)
            repeated = first < number and len(gave) > REPEATED
            yield f"  gave the same as in [{first}]" if repeated else _printable(f"  {gave}")
        yield from (f"  | {_printable(said)}" for said in turn["text"].splitlines() or [""])
        for file in turn.get("attachments", ()):
            yield _printable(f"  attached {file['kind']} {file['name']}: {file['shows']}")
        yield ""


def _printable(text: str) -> str:
    """One line that shows what it hides, and that no program takes for markup."""
    return "".join(char if char.isprintable() and char != "<" else _code(char) for char in text)


def _code(char: str) -> str:
    return "\\u003c" if char == "<" else char.encode("unicode_escape").decode()


def read_sheets(paths: Sequence[Path], key: Path | None = None) -> Filled:
    """Completed sheets, one or more; the key is the one next to the first, unless another is named."""
    where = key or _key_beside(paths[0])
    remedy = "it must be the key that `sab labels write` made with the sheet"
    known = read_record(where, Key, remedy, follow=True)
    by_item, blank = {row.item: row for row in known.items}, 0
    opinions: dict[tuple[str, str], dict[str, Opinion]] = defaultdict(dict)
    for path in paths:
        for line, cells in _rows(path):
            row = by_item.get(cells["item"])
            if row is None:
                raise Problem(
                    f"has an item {cells['item']!r} that {where} does not know.", place=path, line=line
                )
            if not cells["met"]:
                blank += 1
                continue
            opinion = Opinion(row.criterion, _answer(path, line, cells["met"]))
            said = opinions[cells["annotator"] or path.stem, row.source]
            if row.criterion in said:
                raise Problem(
                    f"answers {row.item} a second time; keep one of the rows.", place=path, line=line
                )
            said[row.criterion] = opinion
    version = digest(known)
    people = [
        Judgement(source, annotator, version, tuple(said.values()))
        for (annotator, source), said in opinions.items()
    ]
    return Filled(known, people, blank)


def _key_beside(path: Path) -> Path:
    found = [key_path(path)] if key_path(path).exists() else sorted(path.parent.glob("*.key.json"))
    if len(found) != 1:
        many = "there are several keys" if found else "there is no key"
        raise Problem(f"{many} next to it; give the sheet's key with --key.", place=path)
    return found[0]


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Line and cells of every row, whichever of the two usual separators a spreadsheet wrote."""
    try:
        text = read_bounded(path, LARGEST_SHEET, follow=True).decode("utf-8-sig")
        head = text.partition("\n")[0]
        delimiter = ";" if head.count(";") > head.count(",") else ","
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
        missing = [name for name in ("item", "annotator", "met") if name not in (reader.fieldnames or ())]
        if missing:
            raise Problem(f"has no column {' and no '.join(missing)}; put it back.", place=path, line=1)
        for cells in reader:
            yield (
                reader.line_num,
                {name: (cells[name] or "").strip() for name in ("item", "annotator", "met")},
            )
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise Problem("is not UTF-8; save it as CSV in UTF-8.", place=path, line=line) from None
    except csv.Error as error:
        raise Problem(f"is not valid CSV: {error}.", place=path, line=reader.line_num) from None


def _answer(path: Path, line: int, word: str) -> bool | None:
    if word.casefold() not in ANSWERS:
        raise Problem(f"`met` is {word!r}; write yes, no or unclear.", place=path, line=line)
    return ANSWERS[word.casefold()]


def drawn_from(key: Key, judged: Judged) -> Judged:
    """The conversations that a sheet was drawn from, and nothing that came later."""
    sources = {name: judged.sources[name] for name in key.sources if name in judged.sources}
    whole = Judged(sources, judged.judgements)
    found = next((one for one in series_of(whole, {key.judge: key.version}) if one.judge == key.judge), None)
    frame = _frame(whole, found) if found else {}
    said = found.verdicts() if found else {}
    if any(len(frame.get(one.metric, {}).get(one.met, ())) != one.items for one in key.strata) or any(
        said.get((row.source, row.criterion)) is not key.strata[row.stratum].met for row in key.items
    ):
        raise Problem(
            f"the sheet was drawn from other conversations, or by another version of {key.judge}; "
            "give the runs that it was drawn from."
        )
    return whole
