"""Pattern: which regular expressions may be used, although strangers wrote them.

Wordings travel in the header of a run and in its labels, and meet texts that strangers wrote, too. Python's
matcher tries every way in which a pattern can fit, so with too many ways it never ends. How much work one
place of a text can be at most follows from the pattern alone. Where that is too much, or grows too fast with
the length of the text, the pattern is refused.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, reduce
from itertools import count, groupby
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from supportagentbench.records.problem import Problem

LONGEST = 4_000
"""Letters of one pattern."""
MOST_WORK = (1_000_000, 100_000, 10_000)
"""Steps at one place of a text: at most so many, so many times its length, and times the square of it."""

LONGEST_HEAD, MOST_HEADS = 6, 32
"""Letters, and numbers of ways, that are looked at to tell how a part begins."""

LONGEST_SHOWN = 80
REMEDY = "write it so that a text fits it in few ways, with limits such as {0,8} in place of * and +"

Items = list[tuple[Any, Any]]
"""Parts of a pattern, as Python's parser gives them: what each is, and what it is made of."""

Letters = int
"""A set of letters: a bit for each of ASCII, and 128 bits that all others share."""

OTHERS: Letters = ((1 << 128) - 1) << 128
ANY: Letters = (1 << 256) - 1

_FIXED = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN)
"""Parts that are exactly one letter."""

_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_DIGIT: str.isdigit,
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_WORD: lambda letter: letter.isalnum() or letter == "_",
}
_OPPOSITES: dict[Any, Any] = {
    sre.CATEGORY_NOT_DIGIT: sre.CATEGORY_DIGIT,
    sre.CATEGORY_NOT_SPACE: sre.CATEGORY_SPACE,
    sre.CATEGORY_NOT_WORD: sre.CATEGORY_WORD,
}


class _Refused(Exception):
    """Why a pattern may not be used."""


class Work(NamedTuple):
    """A number of steps or of ways at one place of a text: at most `most` times its length to this power."""

    most: int = 1
    power: int = 0

    def plus(self, other: "Work") -> "Work":
        return Work(self.most + other.most, max(self.power, other.power))._checked()

    def times(self, other: "Work") -> "Work":
        return Work(self.most * other.most, self.power + other.power)._checked()

    def _checked(self) -> "Work":
        if self.power >= len(MOST_WORK):
            raise _Refused("too many parts of it can end anywhere in a long text")
        if self.most > MOST_WORK[self.power]:
            raise _Refused("it can fit a text in too many ways")
        return self


ONE = Work()


Head = tuple[Letters, ...]
"""How a text can begin, letter by letter, as far as that is known."""

UNKNOWN: tuple[Head, ...] = ((ANY,),)


class Part(NamedTuple):
    """What can be said of a part of a pattern, given what follows it."""

    heads: tuple[Head, ...]
    """How it can begin, what follows included."""
    may_be_empty: bool
    ways: Work
    """In how many ways it can fit at one place and go on from there."""
    work: Work
    """To try them all."""


@lru_cache(maxsize=8192)
def why_refused(pattern: str) -> str:
    """Why a pattern may not be used; empty if it may."""
    if len(pattern) > LONGEST:
        return f"it has more than {LONGEST:,} letters"
    try:
        found = parser.parse(pattern)
        if found.state.flags != re.UNICODE:
            return "it changes how patterns are read; write it without flags"
        _sequence(list(found), UNKNOWN)
    except (re.error, OverflowError, RecursionError) as error:
        return f"it is not a valid regular expression ({error})"
    except _Refused as error:
        return str(error)
    return ""


def refuse_unsafe(patterns: Iterable[str]) -> None:
    """Raise a Problem about the first of these wordings that may not be used."""
    for pattern in patterns:
        if why := why_refused(pattern):
            raise Problem(f"the wording `{pattern[:LONGEST_SHOWN]}` cannot be used: {why}; {REMEDY}.")


def _sequence(items: Items, follow: tuple[Head, ...]) -> Part:
    """Parts one after another; `follow`: how what comes after them can begin."""
    whole = Part(follow, True, ONE, ONE)
    for is_fixed, group in groupby(reversed(items), key=lambda item: item[0] in _FIXED):
        if is_fixed:
            whole = _letters_before(tuple(_letters(*item) for item in reversed([*group])), whole)
            continue
        for operation, value in group:
            part = _part(operation, value, whole.heads)
            whole = Part(
                part.heads,
                part.may_be_empty and whole.may_be_empty,
                part.ways.times(whole.ways),
                part.work.plus(part.ways.times(whole.work)),
            )
    return whole


def _letters_before(letters: Head, rest: Part) -> Part:
    """Single letters, and what comes after them."""
    known = letters[:LONGEST_HEAD]
    more = LONGEST_HEAD - len(known)
    heads = _few((*known, *head[:more]) for head in rest.heads) if more else (known,)
    return Part(heads, False, rest.ways, rest.work.plus(Work(len(letters))))


def _part(operation: Any, value: Any, follow: tuple[Head, ...]) -> Part:
    if operation is sre.AT:
        return Part(follow, True, ONE, ONE)
    if operation in (sre.ASSERT, sre.ASSERT_NOT):
        return Part(follow, True, ONE, _sequence(list(value[1]), UNKNOWN).work)
    if operation is sre.SUBPATTERN and not (value[1] or value[2]):
        return _sequence(list(value[3]), follow)
    if operation is sre.BRANCH:
        return _branch([_sequence(list(one), follow) for one in value[1]])
    if operation in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        least, most, items = value
        if most is sre.MAXREPEAT:
            return _endless(least, list(items), follow)
        return _repeated(least, most, list(items), follow)
    raise _Refused("it has a part that is not allowed, such as a reference to another part, or flags")


def _branch(parts: list[Part]) -> Part:
    """Alternatives: only those that can begin alike can fit at the same place."""
    alike = [[other for other in parts if _can_agree(part.heads, other.heads)] for part in parts]
    return Part(
        _few(head for part in parts for head in part.heads),
        any(part.may_be_empty for part in parts),
        max(reduce(Work.plus, (part.ways for part in one)) for one in alike),
        max(reduce(Work.plus, (part.work for part in one)) for one in alike).plus(Work(len(parts))),
    )


def _endless(least: int, items: Items, follow: tuple[Head, ...]) -> Part:
    """Something repeated without end: it must fit in one way, and not look further than it goes."""
    part, ends_only_here = _once(items, follow)
    if part.ways != ONE or part.work.power:
        raise _Refused("it repeats without end what can fit in several ways")
    ways = ONE if ends_only_here else Work(1, 1)
    return Part(_few((*part.heads, *(() if least else follow))), not least, ways, Work(part.work.most, 1))


def _repeated(least: int, most: int, items: Items, follow: tuple[Head, ...]) -> Part:
    """Something repeated a limited number of times."""
    if most == 1:
        part = _sequence(items, follow)
        if least:
            return part
        return _branch([part, Part(follow, True, ONE, ONE)])
    part, ends_only_here = _once(items, follow)
    heads = _few((*part.heads, *(() if least else follow)))
    if part.ways == ONE:
        places = 1 if ends_only_here else -(-(most - least + 1) // _distance(follow))
        return Part(heads, not least, Work(places)._checked(), part.work.times(Work(most)._checked()))
    ways, work, times = Work(int(not least)), ONE, ONE
    for number in range(1, most + 1):
        work, times = work.plus(times.times(part.work)), times.times(part.ways)
        ways = times if number < least or ends_only_here else ways.plus(times)
    return Part(heads, not least, ways, work)


def _once(items: Items, follow: tuple[Head, ...]) -> tuple[Part, bool]:
    """What is repeated, and whether what follows can only begin where it can not."""
    alone = _sequence(items, UNKNOWN)
    if alone.may_be_empty:
        raise _Refused("it repeats something that can be empty")
    return _sequence(items, _few((*follow, *alone.heads))), not _can_agree(alone.heads, follow)


def _few(heads: Iterable[Head]) -> tuple[Head, ...]:
    """These heads, each once; of too many, the first letter alone."""
    found = tuple(dict.fromkeys(heads))
    return found if len(found) <= MOST_HEADS else ((_first(found),),)


def _can_agree(some: tuple[Head, ...], others: tuple[Head, ...]) -> bool:
    """Whether a text can begin like one of these and like one of those."""
    shared = _first(some) & _first(others)
    if not shared:
        return False
    alike = [other for other in others if other[0] & shared]
    return any(one[0] & shared and _fit(one, other) for one in some for other in alike)


def _first(heads: tuple[Head, ...]) -> Letters:
    """The letters with which a text can begin that begins like one of these."""
    found = 0
    for head in heads:
        found |= head[0]
    return found


def _fit(one: Head, other: Head) -> bool:
    for mine, theirs in zip(one, other, strict=False):  # noqa: SIM110 - a generator takes twice as long.
        if not mine & theirs:
            return False
    return True


@lru_cache(maxsize=1024)
def _distance(heads: tuple[Head, ...]) -> int:
    """How far apart two places are at least at which a text can begin like one of these."""
    return next(
        apart for apart in count(1) if any(_fit(one[apart:], other) for one in heads for other in heads)
    )


def _letters(operation: Any, value: Any) -> Letters:
    """The letters that a part stands for of which exactly one is there."""
    if operation is sre.LITERAL:
        return _bit(value)
    if operation is sre.NOT_LITERAL:
        return ANY & ~_bit(value) | OTHERS
    return ANY if operation is sre.ANY else _class_of(tuple(value))


def _bit(code: int) -> Letters:
    return 1 << (code if code < 128 else 128 + code % 128)


@lru_cache(maxsize=1024)
def _class_of(members: tuple[Any, ...]) -> Letters:
    """A class such as `[^.?!;]`; one that can have letters beyond ASCII has all of them."""
    found, is_negated = 0, members[0][0] is sre.NEGATE
    for kind, value in members[is_negated:]:
        if kind is sre.LITERAL:
            found |= _bit(value)
        elif kind is sre.RANGE:
            first, last = value
            found |= sum(1 << code for code in range(first, min(last, 127) + 1)) | OTHERS * (last > 127)
        else:
            found |= _category(value)
    return ANY & ~found | OTHERS if is_negated else found


@cache
def _category(kind: Any) -> Letters:
    is_in = _CATEGORIES.get(kind) or (lambda letter: not _CATEGORIES[_OPPOSITES[kind]](letter))
    return sum(1 << code for code in range(128) if is_in(chr(code))) | OTHERS
