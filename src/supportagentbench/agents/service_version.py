"""Service version: what says which version of a service runs, found out before a run."""

import subprocess
import urllib.error
import urllib.request
from email.message import Message
from http.client import HTTPException
from pathlib import Path
from typing import IO, NoReturn
from urllib.parse import urljoin

import msgspec

from supportagentbench.desk.doors.service_plan import ServicePlan, found_at
from supportagentbench.models.dialect import scrubbed
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import readable

SECONDS = 10.0
"""Time to find it out."""

LONGEST_ANSWER = 100_000
"""Bytes of an answer that are read."""

LONGEST_VERSION = 200


def version_of(plan: ServicePlan, folder: Path) -> str:
    """The version; empty if it is unknown and may be."""
    source = plan.version
    try:
        if source.text:
            return _tidy(source.text)
        if source.command:
            return _tidy(_printed(source.command, folder))
        return _tidy(_answered(plan)) if source.is_asked else ""
    except NotReached:
        raise
    except Problem:
        if source.optional:
            return ""
        raise


def _tidy(found: str) -> str:
    text = " ".join(scrubbed(readable(found)).split())
    if not text:
        raise Problem("the version of the service is empty.")
    return text if len(text) <= LONGEST_VERSION else f"{text[:LONGEST_VERSION]}…"


def _printed(command: tuple[str, ...], folder: Path) -> str:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise Problem(f"the version of the service cannot be found: {scrubbed(str(error))}") from None
    return done.stdout.decode(errors="replace")


class NotReached(Problem):
    """The service does not answer at all, so nothing can be known or run."""


class _StaysHere(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: keys in headers belong to one server."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> NoReturn:
        raise urllib.error.HTTPError(req.full_url, code, f"redirect to {newurl}", headers, fp)


def _answered(plan: ServicePlan) -> str:
    source, place = plan.version, urljoin(plan.url, plan.version.url)
    headers = plan.headers if _host(place) == _host(plan.url) else {}
    try:
        request = urllib.request.Request(place, headers=headers)
        with urllib.request.build_opener(_StaysHere).open(request, timeout=SECONDS) as answer:
            if source.header:
                return str(answer.headers.get(source.header, ""))
            body = answer.read(LONGEST_ANSWER)
    except urllib.error.HTTPError as error:
        raise Problem(f"the version of the service cannot be found: {scrubbed(str(error))}") from None
    except OSError as error:
        raise NotReached(
            f"{_host(place)} cannot be reached ({scrubbed(str(error))}); start the service, then repeat this."
        ) from None
    except (ValueError, HTTPException) as error:
        raise Problem(f"the version of the service cannot be found: {scrubbed(str(error))}") from None
    if not source.path:
        return str(body.decode(errors="replace"))
    try:
        found = found_at(source.path, msgspec.json.decode(body))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        found = None
    if not isinstance(found, str | int):
        raise Problem(f"the version of the service is not at {source.path!r} of its answer.")
    return str(found)


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]
