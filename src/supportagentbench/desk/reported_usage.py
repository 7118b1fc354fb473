"""Reported usage: what an agent says that a model call used, in the words of the library it uses."""

from collections.abc import Mapping

import msgspec

from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.usage import Usage, unusable_usage
from supportagentbench.records.usage_counts import KNOWN, NoCount, cost_in, counts_in, part_of

FIELDS = frozenset(Usage.__struct_fields__)

COUNTS = frozenset[str]().union(*(names.fields | {names.total} for names in KNOWN)) - {""}
"""What counts of tokens are called anywhere."""


def reported_usage(given: object, told: Mapping[str, object]) -> Usage:
    """The usage in an object or mapping, with values given by name; a Problem if a count is impossible."""
    _refuse_unknown(told, FIELDS if isinstance(given, Usage) else FIELDS | COUNTS)
    if isinstance(given, Usage):
        return msgspec.structs.replace(given, **told)
    about = {name: value for name, value in told.items() if name not in COUNTS}
    if isinstance(model := part_of(given, "model"), str):
        about = {"model": model} | about
    if not about.get("model"):
        raise unusable_usage("it has no model; add model=…")
    return msgspec.structs.replace(_counted(given, told), **{"cost": cost_in(given)} | about)


def _counted(given: object, told: Mapping[str, object]) -> Usage:
    """The tokens by the names of that API most of whose fields are there; a count that is missing is zero."""
    every = {name: told.get(name, part_of(given, name)) for name in COUNTS}
    found = {name: value for name, value in every.items() if value is not None}
    names = max(KNOWN, key=lambda one: len(one.fields & found.keys()))
    if not names.fields & found.keys():
        raise unusable_usage("it has no count by a name that is known, such as input_tokens")
    try:
        return counts_in({names.input: 0, names.output: 0} | found, names)
    except NoCount as error:
        raise unusable_usage(f"{error}") from None


def _refuse_unknown(told: Mapping[str, object], known: frozenset[str]) -> None:
    """A name that was typed is a mistake if it is unknown; a field of a provider's object is not."""
    if strange := next((name for name in told if name not in known), ""):
        raise unusable_usage(f"there is no `{strange}`.{did_you_mean(strange, sorted(known))}")
