"""Fixed transcript: a conversation stored with invalid values, made readable again."""

from typing import Any

import msgspec

from supportagentbench.records.record import from_json
from supportagentbench.records.transcript import CAUSES, Transcript
from supportagentbench.records.usage import Usage

Parts = dict[str, msgspec.Raw]
"""An object whose fields stay as raw JSON."""

COUNTS = ("input", "cache_read", "cache_write", "output", "reasoning", "attempts", "lost")


def fixed(body: bytes) -> tuple[Transcript, str]:
    """The conversation and what was fixed in it; raises msgspec.MsgspecError if more is wrong than that.

    Usage values of a model call that are not numbers become unknown, and so does its cost. An unknown cause
    becomes the agent's error, with its name in the detail.
    """
    parts, notes = from_json(body, Parts), list[str]()
    turns = from_json(bytes(parts.get("turns", b"[]")), list[Parts])
    calls = 0
    for turn in turns:
        if "usage" in turn:
            given = from_json(bytes(turn["usage"]), list[dict[str, Any]])
            made = [_usage(one) for one in given]
            calls += sum(len(one) < len(before) for one, before in zip(made, given, strict=True))
            turn["usage"] = _raw(made)
    parts["turns"] = _raw(turns)
    if calls:
        notes.append(f"what {calls} of its model calls used is unknown now")
    ending = from_json(bytes(parts.get("ending", b"{}")), dict[str, Any])
    if ending.get("cause") not in (None, *CAUSES):
        detail = f"{ending['cause']}: {ending.get('detail', '')}"
        parts["ending"] = _raw({**ending, "cause": "agent_error", "detail": detail})
        notes.append(f"its cause {ending['cause']!r} is agent_error now")
    return from_json(msgspec.json.encode(parts), Transcript), " and ".join(
        notes
    ) or "numbers were written otherwise"


def _usage(given: dict[str, Any]) -> dict[str, Any]:
    """The same usage without values that are not numbers; its cost is then unknown too."""
    whole = {key: _whole(value) if key in COUNTS else value for key, value in given.items()}
    good = {key: value for key, value in whole.items() if key not in COUNTS or _is_count(value)}
    if len(good) == len(given) and _is_cost(given.get("cost")):
        return good
    return {key: value for key, value in good.items() if key in ("model", "role", *COUNTS)}


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is_count(value: object) -> bool:
    try:
        msgspec.convert({"model": "", "input": value}, Usage)
    except msgspec.ValidationError:
        return False
    return True


def _is_cost(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _raw(content: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(content))
