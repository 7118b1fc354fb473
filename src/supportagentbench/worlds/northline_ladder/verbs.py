"""Verbs: Northline's; a changed address is recognized by its date."""

import msgspec

from supportagentbench.worlds.northline.verbs import VERBS as NORTHLINE

VERBS = tuple(
    msgspec.structs.replace(verb, shows="address_changed") if verb.act == "edit_address" else verb
    for verb in NORTHLINE
)
