"""Pod: what all manifests have in common. One container, its keys from a Secret, and where it may write.

Everything is plain data, and every name that a person gives is checked against what Kubernetes accepts.
"""

import re
from typing import Any, NamedTuple

import yaml

from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import without_secrets
from supportagentbench.storage.bucket import checked_url

Data = dict[str, Any]

USER = 65_532
"""The user in the container, and its group: an arbitrary one, and not root."""

MOUNT = "/runs"
"""Where a volume is mounted."""

_LABEL = r"[a-z](?:[a-z0-9-]{0,45}[a-z0-9])?"
_WORD = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DNS = rf"(?=.{{1,253}}$){_WORD}(?:\.{_WORD})*"
_HOST = r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]{1,5})?/"
_PART = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"

FORMS = {
    "name": (_LABEL, "a name of at most 47 small letters, digits and hyphens that begins with a letter"),
    "secret": (_DNS, "the name of a Secret: small letters, digits, hyphens and dots"),
    "volume": (_DNS, "the name of a PersistentVolumeClaim: small letters, digits, hyphens and dots"),
    "image": (
        rf"(?=.{{1,400}}$)(?:{_HOST})?{_PART}(?:/{_PART})*(?::\w[\w.-]{{0,127}})?(?:@sha256:[0-9a-f]{{64}})?",
        "an image such as registry.example/team/sab:1.2",
    ),
    "cpu": (r"[1-9][0-9]{0,2}|[1-9][0-9]{1,5}m", "a number of processors such as 2 or 500m"),
    "memory": (r"[1-9][0-9]{0,5}Mi|[1-9][0-9]{0,3}Gi", "an amount of memory such as 2Gi or 512Mi"),
}
"""By option, the form of its value and what to call it. A name is at most as long as Ray allows."""


class PodPlan(NamedTuple):
    """What a person chose about the pods."""

    name: str
    image: str
    cpu: str
    memory: str
    secret: str = ""
    """Whose entries are the environment of whatever talks to models."""
    volume: str = ""
    """A claim that many nodes can write to; empty: there is a bucket."""
    bucket: str = ""

    def checked(self) -> "PodPlan":
        """The same; a Problem if Kubernetes would not take it."""
        for option, (form, what) in FORMS.items():
            value = getattr(self, option)
            if value and not re.fullmatch(form, value, re.ASCII):
                raise Problem(f"--{option} {value!r} is not {what}.")
        if self.bucket:
            checked_url(self.bucket)
        if bool(self.volume) == bool(self.bucket):
            raise Problem("say where the runs go: either --volume CLAIM or --bucket s3://bucket/folder.")
        return self

    def folder(self, *names: str) -> str:
        """Where runs are kept; apart for every job, so that two can share a volume or a bucket."""
        return "/".join((self.bucket.rstrip("/") or MOUNT, self.name, *names))

    def template(self, args: list[str] | None = None, env: Data | None = None, **more: Any) -> Data:
        """A template of pods; without `args`, another program decides what they run.

        `more`: what else is said about the container.
        """
        variables = {"HOME": "/tmp", **(env or {})}
        size = {"cpu": self.cpu, "memory": self.memory}
        volumes, mounts = self._volumes()
        container: Data = {"name": "sab", "image": self.image}
        if args is not None:
            container |= {"command": ["sab"], "args": args}
        if self.secret:
            container["envFrom"] = [{"secretRef": {"name": self.secret}}]
        container |= {
            "env": [{"name": name, "value": value} for name, value in variables.items()],
            "resources": {"requests": size, "limits": size},
            "securityContext": {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            },
            "volumeMounts": mounts,
            **more,
        }
        return {
            "metadata": {"labels": self.labels},
            "spec": {
                "restartPolicy": "Never",
                "automountServiceAccountToken": False,
                "enableServiceLinks": False,
                "securityContext": {
                    "runAsNonRoot": True,
                    "runAsUser": USER,
                    "runAsGroup": USER,
                    "fsGroup": USER,
                    "fsGroupChangePolicy": "OnRootMismatch",
                    "seccompProfile": {"type": "RuntimeDefault"},
                },
                "containers": [container],
                "volumes": volumes,
            },
        }

    def first_lines(self, keys: tuple[str, ...]) -> list[str]:
        """What to type to start it, for people; `keys`: the variables that the Secret has to hold."""
        secret = f"kubectl create secret generic {self.secret} --from-env-file=FILE"
        named = ", ".join(keys) or "what your agents need"
        return [*([f"  {secret}    # with {named}"] if self.secret else []), "  kubectl apply -f THIS_FILE"]

    @property
    def labels(self) -> Data:
        """What all objects of a job have in common."""
        return {"app.kubernetes.io/name": "supportagentbench", "app.kubernetes.io/instance": self.name}

    def _volumes(self) -> tuple[list[Data], list[Data]]:
        """The volumes of a pod, and where they are mounted: all that it may write to."""
        volumes: list[Data] = [{"name": "tmp", "emptyDir": {"sizeLimit": "2Gi"}}]
        mounts = [{"name": "tmp", "mountPath": "/tmp"}]
        if self.volume:
            volumes.append({"name": "runs", "persistentVolumeClaim": {"claimName": self.volume}})
            mounts.append({"name": "runs", "mountPath": MOUNT})
        return volumes, mounts


def unexpanded(word: str) -> str:
    """A word as it has to be in `args`, where Kubernetes puts a variable, such as a key, for `$(NAME)`."""
    return word.replace("$", "$$")


class _Dumper(yaml.SafeDumper):
    """YAML in which only plain words are without quotation marks: parsers differ in what `y` or `1e3` is."""

    def ignore_aliases(self, data: object) -> bool:
        return True


_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9./_-]{2,}", re.ASCII)


def _text_node(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None if _PLAIN.fullmatch(text) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text_node)


def written(documents: list[Data], comment: list[str]) -> str:
    """These objects as YAML, after a comment; a Problem if a secret would be in it."""
    head = "".join(f"# {line}".rstrip() + "\n" for text in comment for line in text.splitlines() or [""])
    body = yaml.dump_all(documents, Dumper=_Dumper, sort_keys=False, width=10**6, explicit_start=True)
    if without_secrets(head + body) != head + body:
        raise Problem("the manifest would have a key in it; put it into the Secret that --secret names.")
    return head + body
