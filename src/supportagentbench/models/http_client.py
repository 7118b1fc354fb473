"""HTTP client: requests to providers. Respects their rate limits, retries, and gives up with a cause."""

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
from supportagentbench.models.address import keep_credentials
from supportagentbench.models.body import ENCODINGS, read_body
from supportagentbench.models.budget import Account, BudgetSpent
from supportagentbench.models.dialect import (
    ErrorInAnswer,
    ProviderError,
    UnreadableAnswer,
    error_from,
    scrubbed,
)
from supportagentbench.models.rate_limiter import Limiter, RateLimiter
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Cause
from supportagentbench.records.usage import Usage


class RetryPolicy(Record):
    """How often and how long to retry."""

    tries: int = 8
    """Attempts at one request, including the first."""
    first_wait: float = 0.5
    """Longest wait before the second attempt, in seconds."""
    longest_wait: float = 60.0
    """Longest wait before any later attempt, in seconds, whatever a provider asks for."""
    longest_total: float = 300.0
    """Seconds that one request waits between its attempts, all together."""
    connect_timeout: float = 15.0
    """Seconds until a connection must be open."""
    read_timeout: float = 300.0
    """Seconds until the next byte must arrive."""

    def wait(self, attempt: int) -> float:
        """Exponential backoff, half of it random, so that requests that failed together spread out."""
        longest: float = min(self.longest_wait, self.first_wait * 2 ** (attempt - 1))
        return longest / 2 + random.uniform(0, longest / 2)


class Retry(NamedTuple):
    """A failed attempt that will be repeated after a wait."""

    message: str
    """What the provider said."""
    attempt: int
    tries: int
    wait: float
    """Seconds."""


class RetriesExhausted(Exception):
    """No attempt succeeded."""

    def __init__(self, last: ProviderError, attempts: int, lost: int) -> None:
        super().__init__(last.message)
        self.last = last
        self.attempts = attempts
        self.lost = lost


class FailedAttempt(NamedTuple):
    """An attempt without a completion."""

    error: ProviderError
    wait: float = 0.0
    """Seconds the provider asks to wait."""
    lost: bool = False
    """Whether the request was sent and may be billed all the same."""


class Answered(NamedTuple):
    """A completion, and what it took."""

    completion: Completion
    usage: Usage
    """What the answer used, with its cost."""
    attempts: int
    lost: int


class ConnectionPool:
    """All connections of one process, and one rate limiter per provider."""

    def __init__(
        self,
        concurrency: int,
        retries: RetryPolicy = RetryPolicy(),  # noqa: B008
        on_retry: Callable[[Retry], None] = lambda retry: None,
        limiter: Callable[[str], Limiter] | None = None,
    ) -> None:
        self.concurrency = concurrency
        self.retries = retries
        self.on_retry = on_retry
        """Called before every wait for another attempt."""
        self._limiter = limiter or (lambda host: RateLimiter(concurrency))
        """Makes the limiter of a host."""
        self._limiters: dict[str, Limiter] = {}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> "ConnectionPool":
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,  # `read_body` does it, and knows when to stop.
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
            raise RuntimeError("the pool is not open")
        return self._session

    def limiter_for(self, host: str) -> Limiter:
        """The limiter shared by all requests to one host."""
        if host not in self._limiters:
            self._limiters[host] = self._limiter(host)
        return self._limiters[host]


class HttpClient:
    """Sends requests to one API endpoint."""

    def __init__(self, pool: ConnectionPool, url: str, headers: dict[str, str], timeout: float) -> None:
        self.url = URL(url)
        self.headers = {"Content-Type": "application/json", "Accept-Encoding": ENCODINGS, **headers}
        self.pool = pool
        self.limiter = pool.limiter_for(self.url.host or url)
        self.proxy = _proxy_for(self.url)
        self.retries = pool.retries
        self.timeout = aiohttp.ClientTimeout(
            total=timeout,
            sock_read=min(timeout, self.retries.read_timeout),
            sock_connect=min(timeout, self.retries.connect_timeout),
        )

    async def ask(self, body: bytes, read: Callable[[bytes], Completion], account: Account) -> Answered:
        """Send a request until it is answered or retrying is pointless; every try asks the account first."""
        attempt, lost, waited = 0, 0, 0.0
        while True:
            try:
                async with self.limiter, account.reserve(len(body)) as reserved:
                    answer = await self._attempt(body, read)
                    if isinstance(answer, Completion):
                        usage = reserved.settle(answer.usage)
                        self.limiter.faster()
                        return Answered(answer, usage, attempt + 1, lost)
                    if not answer.lost:
                        reserved.void()
            except BudgetSpent as spent:
                raise RetriesExhausted(
                    ProviderError("budget", str(spent), again=False), attempt, lost
                ) from None
            attempt += 1
            lost += answer.lost
            asked = min(self.retries.longest_wait, answer.wait)
            if answer.error.slower:
                self.limiter.slower(asked)
            if not answer.error.again or attempt == self.retries.tries:
                raise RetriesExhausted(answer.error, attempt, lost)
            wait = max(asked, self.retries.wait(attempt))
            waited += wait
            if waited > self.retries.longest_total:
                raise RetriesExhausted(self._out_of_patience(answer), attempt, lost)
            self.pool.on_retry(Retry(answer.error.message, attempt, self.retries.tries, wait))
            await asyncio.sleep(wait)

    def _out_of_patience(self, answer: FailedAttempt) -> ProviderError:
        """The error of a provider that asks for longer waits than a request may take."""
        return answer.error._replace(
            message=f"{answer.error.message} (it asks for a wait of {answer.wait:,.0f} s; a request waits at "
            f"most {self.retries.longest_wait:,.0f} s at a time, {self.retries.longest_total:,.0f} s in all)"
        )

    async def _attempt(self, body: bytes, read: Callable[[bytes], Completion]) -> Completion | FailedAttempt:
        try:
            status, headers, data = await self._post(body)
            if status == 200:
                return read(data)
            return FailedAttempt(error_from(status, data), wait=_retry_after(headers))
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            return FailedAttempt(_retryable("provider_error", "no connection", error))
        except TimeoutError as error:
            return FailedAttempt(_retryable("time_out", "no answer in time", error), lost=True)
        except ErrorInAnswer as error:
            return FailedAttempt(error.error, lost=True)
        except (UnreadableAnswer, aiohttp.ClientError, OSError, ValueError) as error:
            return FailedAttempt(_retryable("provider_error", "unreadable answer", error), lost=True)

    async def _post(self, body: bytes) -> tuple[int, CIMultiDictProxy[str], bytes]:
        async with self.pool.session.post(
            self.url,
            data=body,
            headers=self.headers,
            timeout=self.timeout,
            proxy=self.proxy,
            allow_redirects=False,
        ) as answer:
            return answer.status, answer.headers, await read_body(answer)


def _proxy_for(url: URL) -> str | None:
    """The proxy set in the environment for this URL; looked up once, since that is slow."""
    if urllib.request.proxy_bypass(url.host or ""):
        return None
    proxy = urllib.request.getproxies().get(url.scheme)
    keep_credentials(proxy or "")
    return proxy


def _retry_after(headers: CIMultiDictProxy[str]) -> float:
    """Seconds the provider asks to wait, in any of three header formats."""
    with suppress(ValueError):
        return max(0.0, float(headers.get("retry-after-ms", "")) / 1000)
    word = headers.get("Retry-After", "")
    with suppress(ValueError):
        return max(0.0, float(word))
    with suppress(ValueError, TypeError, OverflowError):
        return max(0.0, (parsedate_to_datetime(word) - datetime.now(UTC)).total_seconds())
    return 0.0


def _retryable(cause: Cause, what: str, error: Exception) -> ProviderError:
    return ProviderError(cause, f"{what}: {scrubbed(str(error) or type(error).__name__)}", again=True)
