"""Wire: requests to providers over HTTP. Keeps to their pace, tries again, and gives up with a reason."""

import asyncio
import random
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import NamedTuple

import aiohttp
from multidict import CIMultiDictProxy
from yarl import URL

from supportagentbench.models import Completion
from supportagentbench.models.dialect import ProviderError, Unreadable, complaint, scrubbed
from supportagentbench.models.rate_limiter import RateLimiter
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Cause


class Patience(Record):
    """How long to go on asking."""

    tries: int = 8
    """Attempts at one request, the first included."""
    first_wait: float = 0.5
    """Seconds before the second attempt, at most."""
    longest_wait: float = 60.0
    """Seconds before any later one, whatever a provider asks for."""
    connect: float = 15.0
    """Seconds until a connection must stand."""
    silence: float = 300.0
    """Seconds until the next byte must come."""

    def wait(self, attempt: int) -> float:
        """Twice as long every time; half of it by chance, so that those who failed together come apart."""
        longest: float = min(self.longest_wait, self.first_wait * 2 ** (attempt - 1))
        return longest / 2 + random.uniform(0, longest / 2)


class Retry(NamedTuple):
    """A provider did not answer as it should; it is asked again after so many seconds."""

    words: str
    attempt: int
    tries: int
    wait: float


class GaveUp(Exception):
    """No attempt succeeded."""

    def __init__(self, last: ProviderError, attempts: int, lost: int) -> None:
        super().__init__(last.words)
        self.last = last
        self.attempts = attempts
        self.lost = lost


class Missed(NamedTuple):
    """An attempt that brought no completion."""

    complaint: ProviderError
    wait: float = 0.0
    """Seconds the provider asks to wait."""
    lost: bool = False
    """Whether it went out and may be billed all the same."""


class Answered(NamedTuple):
    """A completion, and what it took."""

    completion: Completion
    attempts: int
    lost: int


class Exchange:
    """All wires of one process: one pool of connections, one pace a provider."""

    def __init__(
        self,
        at_once: int,
        patience: Patience = Patience(),  # noqa: B008
        notice: Callable[[Retry], None] = lambda hitch: None,
    ) -> None:
        self.at_once = at_once
        self.patience = patience
        self.notice = notice
        """Told of every wait before another attempt."""
        self._paces: dict[str, RateLimiter] = {}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "Exchange":
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session:
            await self._session.close()

    @property
    def session(self) -> aiohttp.ClientSession:
        if self._session is None:
            raise RuntimeError("the exchange is not open")
        return self._session

    def pace_of(self, place: str) -> RateLimiter:
        """The pace that all requests to one place share."""
        return self._paces.setdefault(place, RateLimiter(self.at_once))


class HttpClient:
    """The way to one API at one place."""

    def __init__(self, exchange: Exchange, url: str, headers: dict[str, str], timeout: float) -> None:
        self.url = URL(url)
        self.headers = {"Content-Type": "application/json", **headers}
        self.exchange = exchange
        self.pace = exchange.pace_of(self.url.host or url)
        self.proxy = _proxy_for(self.url)
        self.patience = exchange.patience
        self.timeout = aiohttp.ClientTimeout(
            total=timeout,
            sock_read=min(timeout, self.patience.silence),
            sock_connect=min(timeout, self.patience.connect),
        )

    async def ask(self, body: bytes, read: Callable[[bytes], Completion]) -> Answered:
        """Send a request until it is answered, or until there is no point in going on."""
        attempt = lost = 0
        while True:
            attempt += 1
            answer = await self._attempt(body, read)
            if isinstance(answer, Completion):
                self.pace.faster()
                return Answered(answer, attempt, lost)
            lost += answer.lost
            if not answer.complaint.again or attempt == self.patience.tries:
                raise GaveUp(answer.complaint, attempt, lost)
            wait = min(self.patience.longest_wait, max(answer.wait, self.patience.wait(attempt)))
            if answer.complaint.slower:
                self.pace.slower(wait)
            self.exchange.notice(Retry(answer.complaint.words, attempt, self.patience.tries, wait))
            await asyncio.sleep(wait)

    async def _attempt(self, body: bytes, read: Callable[[bytes], Completion]) -> "Completion | Missed":
        try:
            async with self.pace:
                status, headers, data = await self._post(body)
            if status == 200:
                return read(data)
            return Missed(complaint(status, data), wait=_retry_after(headers))
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            return Missed(_trouble("provider_error", "no connection", error))
        except TimeoutError as error:
            return Missed(_trouble("time_out", "no answer in time", error), lost=True)
        except (Unreadable, aiohttp.ClientError, OSError) as error:
            return Missed(_trouble("provider_error", "unreadable answer", error), lost=True)

    async def _post(self, body: bytes) -> tuple[int, CIMultiDictProxy[str], bytes]:
        async with self.exchange.session.post(
            self.url,
            data=body,
            headers=self.headers,
            timeout=self.timeout,
            proxy=self.proxy,
            allow_redirects=False,
        ) as answer:
            return answer.status, answer.headers, await answer.read()


def _proxy_for(url: URL) -> str | None:
    """The proxy that the environment names for this place; asked once, since asking is slow."""
    if urllib.request.proxy_bypass(url.host or ""):
        return None
    return urllib.request.getproxies().get(url.scheme)


def _retry_after(headers: CIMultiDictProxy[str]) -> float:
    """Seconds the provider asks to wait, in whichever of three ways it says so."""
    with suppress(ValueError):
        return max(0.0, float(headers.get("retry-after-ms", "")) / 1000)
    word = headers.get("Retry-After", "")
    with suppress(ValueError):
        return max(0.0, float(word))
    with suppress(ValueError, TypeError):
        return max(0.0, (parsedate_to_datetime(word) - datetime.now(UTC)).total_seconds())
    return 0.0


def _trouble(cause: Cause, what: str, error: Exception) -> ProviderError:
    return ProviderError(cause, f"{what}: {scrubbed(str(error) or type(error).__name__)}", again=True)
