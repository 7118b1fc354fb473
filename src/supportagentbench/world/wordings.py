"""Wordings: how people describe a world's acts, topics and news, from the YAML files that list them."""

from pathlib import Path
from typing import TypeVar

import msgspec

from supportagentbench.language.notation import lines, wordings
from supportagentbench.language.pattern import refuse_unsafe
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.vocabulary import Heard, Subject, Verb, Vocabulary
from supportagentbench.storage.yaml_file import read_document, read_text
from supportagentbench.world.code import SHIPPED

Kind = TypeVar("Kind", bound=Subject)

Texts = dict[str, dict[str, str]]
"""By name and language, one wording per line, in the notation of `language/notation.py`."""

EVERY_DESK = Path(__file__).parent / "ticket.yaml"
"""How people describe the acts of every desk: hand the ticket over, close it."""

LONGEST_WORDING, MOST_SETS = 100_000, 1_000
"""Letters of a text of wordings with its sets written out, and how often one is written out."""


class Wordings(Record):
    """A file of wordings; `<name>` in any of them is one of the sets."""

    sets: dict[str, str] = {}
    acts: Texts = {}
    beyond: Texts = {}
    topics: Texts = {}
    news: Texts = {}
    states: Texts = {}
    requests: Texts = {}
    disclosures: Texts = {}
    goods: Texts = {}
    unless: Texts = {}
    """Wordings in whose sentence a topic, piece of news or state is not meant."""

    def verbs(self, verbs: tuple[Verb, ...], texts: Texts) -> tuple[Verb, ...]:
        """These verbs with their wordings."""
        return tuple(
            msgspec.structs.replace(verb, heard=verb.heard | self.heard(texts, verb.act)) for verb in verbs
        )

    def subjects(self, subjects: tuple[Kind, ...], texts: Texts) -> tuple[Kind, ...]:
        """These subjects with their wordings, in the order of the file."""
        order = {name: at for at, name in enumerate(texts)}
        worded = [
            msgspec.structs.replace(
                subject,
                heard=subject.heard | self.heard(texts, subject.name),
                unless=subject.unless | self.heard(self.unless, subject.name),
            )
            for subject in subjects
        ]
        return tuple(sorted(worded, key=lambda subject: order.get(subject.name, len(order))))

    def heard(self, texts: Texts, name: str) -> Heard:
        """By language."""
        return {language: (self._expanded(text),) for language, text in texts.get(name, {}).items()}

    def refuse_unsafe_lines(self, path: Path) -> None:
        """Raise a Problem about the first wording of the file that may not be used, and the line it is on."""
        parts = (self.acts, self.beyond, self.topics, self.news, self.states, self.requests)
        every = (*parts, self.disclosures, self.goods, self.unless)
        texts = (text for part in every for by_language in part.values() for text in by_language.values())
        for line in lines(texts):
            try:
                refuse_unsafe(one.pattern for one in wordings([self._expanded(line)]))
            except Problem as problem:
                written = (one.strip().removesuffix("\\") for one in read_text(path).splitlines())
                numbered = (number for number, one in enumerate(written, 1) if one and line.startswith(one))
                raise Problem(problem.sentence, line=next(numbered, None)) from None

    def _expanded(self, text: str) -> str:
        for _ in range(MOST_SETS):
            found = next((name for name in self.sets if f"<{name}>" in text), None) if "<" in text else None
            if found is None:
                return text
            alternatives = "|".join(self.sets[found].splitlines())
            text = text.replace(f"<{found}>", f"({alternatives})")
            if len(text) > LONGEST_WORDING:
                break
        raise Problem(f"the set <{found}> contains itself, or too much; leave that out.")


def worded(vocabulary: Vocabulary, path: Path, over: Path | None = None) -> Vocabulary:
    """A vocabulary with the wordings of its world's file, if there is one, and those of every desk."""
    common = read_document(EVERY_DESK, Wordings)
    words = read_document(path, Wordings, over) if path.exists() else Wordings()
    _refuse_unknown(words, vocabulary, path)
    try:
        found = _with_wordings(vocabulary, common, words)
        if not path.is_relative_to(SHIPPED):  # Tests have tried those that are shipped.
            words.refuse_unsafe_lines(path)
            refuse_unsafe_wordings(found)
    except Problem as problem:
        raise Problem(problem.sentence, place=path, line=problem.line) from None
    return found


def _with_wordings(vocabulary: Vocabulary, common: Wordings, words: Wordings) -> Vocabulary:
    return msgspec.structs.replace(
        vocabulary,
        verbs=words.verbs(common.verbs(vocabulary.verbs, common.acts), words.acts),
        beyond=words.verbs(vocabulary.beyond, words.beyond),
        topics=words.subjects(vocabulary.topics, words.topics),
        news=words.subjects(vocabulary.news, words.news),
        states=words.subjects(vocabulary.states, words.states),
        requests=words.subjects(vocabulary.requests, words.requests),
        disclosures=words.subjects(vocabulary.disclosures, words.disclosures),
        goods=tuple(Subject(kind, kind, words.heard(words.goods, kind)) for kind in words.goods),
    )


def refuse_unsafe_wordings(vocabulary: Vocabulary) -> None:
    """Wordings are compiled when they are needed: whether all of them may be is known before that."""
    parts = ("topics", "news", "states", "requests", "disclosures", "goods")
    subjects = [one for part in parts for one in getattr(vocabulary, part)]
    spoken = [verb.heard for verb in (*vocabulary.verbs, *vocabulary.beyond)]
    spoken += [heard for one in subjects for heard in (one.heard, one.unless)]
    texts = (text for heard in spoken for texts in heard.values() for text in texts)
    refuse_unsafe(wording.pattern for wording in wordings(texts))


def _refuse_unknown(words: Wordings, vocabulary: Vocabulary, path: Path) -> None:
    """Wordings for something that the world's code does not declare are a mistake."""
    acts = {verb.act for verb in (*vocabulary.verbs, *vocabulary.beyond)}
    parts = ("topics", "news", "states", "requests", "disclosures")
    known = {part: {one.name for one in getattr(vocabulary, part)} for part in parts}
    for part, texts in (("acts", words.acts), ("beyond", words.beyond)):
        for name in texts.keys() - acts:
            raise Problem(
                f"has wordings in {part} for `{name}`, which is not a verb of this world.", place=path
            )
    for part in parts:
        for name in getattr(words, part).keys() - known[part]:
            raise Problem(f"has wordings in {part} for `{name}`, which the kit does not declare.", place=path)
