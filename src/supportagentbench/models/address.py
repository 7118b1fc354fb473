"""Address: where a model's requests go. Credentials in it are taken out and never shown or stored."""

import re
from base64 import b64encode
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.secrets import keep_secret

_TOKEN = re.compile(r"(?=[a-z]*\d)[a-z0-9]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
"""A part of a path that may be a token: many letters and digits in a row, or a UUID."""


class ApiAddress(NamedTuple):
    """The address of an API."""

    url: str
    """Without credentials."""
    host: str
    """The server, with its port if one is given: only this is printed and recorded."""
    credentials: str = ""
    """User and password, if the address had any."""

    @property
    def headers(self) -> dict[str, str]:
        """What proves these credentials."""
        if not self.credentials:
            return {}
        return {"Authorization": f"Basic {b64encode(self.credentials.encode()).decode()}"}


def read_address(text: str, source: str) -> ApiAddress:
    """The address in a text; `source` says where the text is from."""
    keep_credentials(text)
    try:
        parts = urlsplit(text.strip())
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_whole = False
    if not is_whole:
        raise Problem(f"{source} is not the address of an API; write it as https://host/v1.")
    if parts.query or parts.fragment:
        raise Problem(
            f"{source} has a ? or # in it, which would be lost; write it as https://host/v1 and put the key "
            "into the environment."
        )
    host = parts.netloc.rpartition("@")[2]
    credentials = ":".join(unquote(one) for one in (parts.username, parts.password) if one is not None)
    return ApiAddress(f"{parts.scheme}://{host}{parts.path.rstrip('/')}", host, credentials)


def recorded_address(url: str) -> str:
    """An address as records have it: the server, and a mark that differs if the path does.

    A path may have a token in it. Four digits of a digest show a change, but do not prove a guess.
    """
    parts = urlsplit(url.strip())
    host, path = parts.netloc.rpartition("@")[2], parts.path.rstrip("/")
    return f"{parts.scheme}://{host}{f' (path {digest(path)[:4]})' if path else ''}"


def keep_credentials(url: str) -> None:
    """Keep a URL's user and password secret, and tokens in its path; a user alone may be a token."""
    whole, _, path = url.partition("://")[2].partition("/")
    for part in filter(_TOKEN.search, re.split(r"[/,?#]", path)):
        keep_secret(part)
        keep_secret(unquote(part))
    found, at, _ = whole.rpartition("@")
    if at:
        user, _, password = found.partition(":")
        for secret in (found, password or user):
            keep_secret(secret)
            keep_secret(unquote(secret))
