"""Outages: known by the class of a provider's package and by the place that raised it, never by words."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from supportagentbench.desk.doors.outage import ProviderFailed, outage_in

SDK = """
class OpenAIError(Exception): ...
class LengthFinishReasonError(OpenAIError): ...
class APIConnectionError(OpenAIError): ...
class APITimeoutError(APIConnectionError): ...
class APIStatusError(OpenAIError):
    def __init__(self, status_code):
        super().__init__(f"status {status_code}, Bearer sk-abcdefghijklmnop1234")
        self.status_code = status_code

def fail(name, *values):
    raise globals()[name](*values)

def run(work):
    return work()
"""


@pytest.fixture
def sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A provider's package as it is installed."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "openai.py").write_text(SDK)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "openai", raising=False)
    yield importlib.import_module("openai")
    del sys.modules["openai"]


def caught(work: Callable[..., object], *given: object) -> BaseException:
    """What this raises, from the first frame that is not this test's."""
    try:
        work(*given)
    except Exception as error:
        assert error.__traceback__
        return error.with_traceback(error.__traceback__.tb_next)
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    ("name", "values", "cause"),
    [
        ("APIConnectionError", ["no"], "provider_error"),
        ("APITimeoutError", ["no"], "time_out"),
        *(("APIStatusError", [status], "provider_error") for status in (401, 403, 408, 409, 429, 500, 529)),
        ("OpenAIError", ["Missing credentials."], "provider_error"),
        ("LengthFinishReasonError", ["Missing credentials."], ""),
        *(("APIStatusError", [status], "") for status in (400, 404, 413, 422)),
    ],
)
def test_a_provider_s_failure_is_known_by_class_and_status(
    name: str, values: list[object], cause: str, sdk: ModuleType
) -> None:
    found = outage_in(caught(sdk.fail, name, *values), "my_agent")
    assert (found.cause if found else "") == cause
    assert not found or ("sk-" not in found.detail and found.detail.startswith(name))


def test_what_passes_through_the_author_s_code_is_the_author_s(sdk: ModuleType) -> None:
    def tool() -> None:
        sdk.fail("APIConnectionError", "no")

    assert outage_in(caught(sdk.run, tool), "my_agent") is None
    assert outage_in(caught(sdk.run, tool), "my_agent", in_making=True), "its client is made there"


@pytest.mark.parametrize("in_making", [False, True])
def test_what_the_author_raises_is_the_author_s(in_making: bool, sdk: ModuleType) -> None:
    def raising(error: BaseException) -> Callable[[], None]:
        def tool() -> None:
            raise error

        return tool

    class APIConnectionError(Exception):
        """Not the provider's."""

    APIConnectionError.__module__ = "openai"
    stored = caught(sdk.fail, "APIConnectionError", "no")
    own = [sdk.APIStatusError(500), ProviderFailed("no"), APIConnectionError("no")]
    for error in own if in_making else [*own, stored]:
        assert outage_in(caught(sdk.run, raising(error)), "my_agent", in_making=in_making) is None


def test_a_class_that_only_has_the_name_is_another(sdk: ModuleType) -> None:
    class APIConnectionError(Exception):
        """Not the provider's."""

    APIConnectionError.__module__ = "openai"
    sdk.Other = APIConnectionError  # type: ignore[attr-defined]
    assert outage_in(caught(sdk.fail, "Other", "no"), "my_agent") is None


def test_an_author_s_package_may_be_installed_too(sdk: ModuleType) -> None:
    assert outage_in(caught(sdk.fail, "APIConnectionError", "no"), "openai.shop") is None
