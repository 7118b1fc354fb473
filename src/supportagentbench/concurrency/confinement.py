"""Confinement: what the Linux kernel keeps processes from doing to each other. Elsewhere nothing happens."""

import ctypes
import os
import sys
from functools import cache

_SET_DUMPABLE, _DROP_FROM_BOUNDS, _SET_SUBREAPER, _NO_NEW_PRIVILEGES = 4, 24, 36, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_ONLY = 1
_PATH_BENEATH = 1
_REFER = 1 << 13
"""Moving files to other folders, which every set of rules has to allow by name."""
_SIGNALS = 1 << 1
_SCOPES_SINCE = 6
"""The version of Landlock that can keep signals inside."""
_CAPABILITIES_FORM = 0x20080522
_POWERS = {
    "SYS_MODULE": 16,
    "SYS_RAWIO": 17,
    "SYS_PTRACE": 19,
    "SYS_ADMIN": 21,
    "SYS_RESOURCE": 24,
    "PERFMON": 38,
    "BPF": 39,
    "CHECKPOINT_RESTORE": 40,
}
"""Capabilities of root that lead into other processes, by name."""


class _Capabilities(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("kept", ctypes.c_uint32))


class _CapabilitiesOf(ctypes.Structure):
    _fields_ = (("form", ctypes.c_uint32), ("process", ctypes.c_int32))


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def hide_memory(hidden: bool = True) -> None:
    """Let no other process of this user read this one's memory and environment, or trace it."""
    _prctl(_SET_DUMPABLE, 0 if hidden else 1)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    _prctl(_SET_SUBREAPER, 1)


def confine() -> bool:
    """Keep this process and all it starts from reading or tracing others, and from sending them signals.

    Whether the kernel can: it needs Landlock, and version 6 of it for the signals.
    """
    _drop_powers()
    version = landlock()
    if version < 2:
        return False
    scopes = version >= _SCOPES_SINCE
    rules = _Ruleset(0 if scopes else _REFER, 0, _SIGNALS if scopes else 0)
    opened = _syscall(_CREATE_RULESET, ctypes.byref(rules), 24 if scopes else 8, 0)
    if opened < 0:
        return False
    try:
        if not scopes:
            _allow_moving(opened)
        _prctl(_NO_NEW_PRIVILEGES, 1)
        return _syscall(_RESTRICT_SELF, opened, 0) == 0
    finally:
        os.close(opened)


@cache
def landlock() -> int:
    """The version of Landlock that this kernel has; 0 or less: none."""
    return _syscall(_CREATE_RULESET, None, 0, _VERSION_ONLY)


def _drop_powers() -> None:
    """As root, keep the right to use files, and no way into other processes."""
    if sys.platform != "linux":
        return
    whose, have = _CapabilitiesOf(_CAPABILITIES_FORM, 0), (_Capabilities * 2)()
    if _libc().capget(ctypes.byref(whose), have) or not have[0].permitted:
        return
    for number in _POWERS.values():
        _prctl(_DROP_FROM_BOUNDS, number)
        for field, _ in _Capabilities._fields_:
            half = have[number // 32]
            setattr(half, field, getattr(half, field) & ~(1 << number % 32))
    _libc().capset(ctypes.byref(whose), have)


def _allow_moving(rules: int) -> None:
    root = os.open("/", os.O_PATH | os.O_CLOEXEC)
    try:
        _syscall(_ADD_RULE, rules, _PATH_BENEATH, ctypes.byref(_PathRule(_REFER, root)), 0)
    finally:
        os.close(root)


def _syscall(number: int, *words: object) -> int:
    return int(_libc().syscall(number, *words)) if sys.platform == "linux" else -1


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        _libc().prctl(option, value, 0, 0, 0)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
