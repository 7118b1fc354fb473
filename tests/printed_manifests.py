"""Kubernetes in tests: its schemas, and how it replaces variables in the words of a command."""

from typing import Any

import yaml
from kubernetes_validate import utils as schemas

from commands import Done, sab

VERSIONS = [one for one in dict.fromkeys(schemas.all_versions()) if int(one.split(".")[1]) >= 31]
"""Those with everything that our manifests use, as far as there are schemas."""


def manifest(kind: str, *words: str, **environment: str) -> list[dict[str, Any]]:
    """The objects that `sab manifest` prints."""
    done = printed(kind, *words, **environment)
    assert done.returncode == 0, done.stderr
    return [*yaml.safe_load_all(done.stdout)]


def printed(kind: str, *words: str, **environment: str) -> Done:
    """What `sab manifest` prints with these words, and an image."""
    return sab("manifest", kind, "--image", "registry.example/team/sab:1.2", *words, cwd=None, **environment)


def validate(document: dict[str, Any], version: str = VERSIONS[-1]) -> None:
    """Refuse what this version of Kubernetes would not take, unknown fields included."""
    schemas.validate(document, version, strict=True)


def container(document: dict[str, Any]) -> dict[str, Any]:
    """The only container of a job's pods."""
    [found] = document["spec"]["template"]["spec"]["containers"]
    return dict(found)


def expanded(word: str, variables: dict[str, str]) -> str:
    """A word of `args` as the program gets it: `$(NAME)` is replaced, `$$` is `$`, all else stays."""
    found, at = "", 0
    while at < len(word):
        closed = word.find(")", at)
        if word.startswith("$$", at):
            found, at = found + "$", at + 2
        elif word.startswith("$(", at) and closed > 0:
            name = word[at + 2 : closed]
            found, at = found + variables.get(name, f"$({name})"), closed + 1
        else:
            found, at = found + word[at], at + 1
    return found
