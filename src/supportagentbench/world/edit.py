"""Edit: one or two facts of a case made different, in the world's own terms; the policy labels it again.

A name is a field of the world's scene, with dots for what is inside it (`parcel.ends=signed`), or a fact that
the policy learns from the customer (`proof=shown`). What a customer then says or shows is taken from the case
or from its twin; nothing is made up.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
import yaml

from supportagentbench.records.case import Brief, CustomerFact
from supportagentbench.records.problem import Problem
from supportagentbench.world.family import CaseTemplate
from supportagentbench.world.kit import Kit

PROOF = "proof"
"""The fact that a photo shows."""


def is_disclosure(name: str, kit: Kit) -> bool:
    """Whether this is a fact that a customer can tell or show, and no field of the scene."""
    return name != "request" and name in kit.readers and name not in kit.scene.__struct_fields__


def edited_template(template: CaseTemplate[Any], edits: Mapping[str, str], kit: Kit) -> CaseTemplate[Any]:
    """The case with these facts made different."""
    for name, value in edits.items():
        if is_disclosure(name, kit):
            template = _told(template, name, value, kit)
        else:
            template = msgspec.structs.replace(template, scene=_scene(template.scene, name, value, kit))
    return template


def _scene(scene: Any, name: str, value: str, kit: Kit) -> Any:
    plain = msgspec.to_builtins(scene)
    *path, last = name.split(".")
    if name.split(".")[0] not in kit.scene.__struct_fields__:
        facts = [one for one in kit.readers if is_disclosure(one, kit)]
        known = ", ".join([*facts, *kit.scene.__struct_fields__])
        raise Problem(f"there is no fact {name!r} to make different; known: {known}.")
    inner = plain
    for step in path:
        inner[step] = inner.get(step) or {}
        inner = inner[step]
        if not isinstance(inner, dict):
            raise Problem(f"{name}={value} does not fit: {step} has nothing inside it.")
    try:
        inner[last] = yaml.safe_load(value)
        return msgspec.convert(plain, kit.scene)
    except (msgspec.ValidationError, yaml.YAMLError) as error:
        raise Problem(f"{name}={value} does not fit: {error}.") from None


def _told(template: CaseTemplate[Any], name: str, value: str, kit: Kit) -> CaseTemplate[Any]:
    """The case with a customer who can say or show this; asked for it, it does."""
    if value not in kit.readers[name].values:
        known = ", ".join(kit.readers[name].values)
        raise Problem(f"{name} has no value {value!r}; known: {known}.")
    brief, twin = template.brief, template.brief
    if template.twin:
        twin = msgspec.convert(msgspec.to_builtins(template.brief) | template.twin.brief, Brief)
    if name == PROOF:
        shown = brief.evidence or twin.evidence
        if not shown or value != "shown":
            raise Problem(f"no one in this case has a photo to show; {name}={value} is not possible.")
        brief = msgspec.structs.replace(
            brief, evidence=tuple(msgspec.structs.replace(one, when="if_asked") for one in shown)
        )
    elif not said_in(brief, name, value):
        if not (fact := said_in(twin, name, value)):
            raise Problem(f"no one in this case has words for {name}={value}; it is not possible.")
        brief = msgspec.structs.replace(brief, facts=(*brief.facts, fact))
    return msgspec.structs.replace(template, brief=brief)


def said_in(brief: Brief, name: str, value: str) -> CustomerFact | None:
    """What a customer says by which the policy learns this, if anything."""
    pressed = (CustomerFact(one.says, discloses=one.discloses) for one in brief.pressure)
    return next((one for one in (*brief.facts, *pressed) if one.discloses.get(name) == value), None)
