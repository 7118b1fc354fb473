"""An address: its host is shown, its credentials never are."""

import pytest

from supportagentbench.models.address import read_address
from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import without_secrets


def test_credentials_are_taken_out_and_kept_secret() -> None:
    address = read_address("https://ann:horse%2Fbattery@desk.example:8443/v1/", "OLLAMA_BASE_URL")
    assert address.url == "https://desk.example:8443/v1"
    assert address.host == "desk.example:8443"
    assert address.headers == {"Authorization": "Basic YW5uOmhvcnNlL2JhdHRlcnk="}
    for words in ("horse/battery", "horse%2Fbattery", "ann:horse/battery", "YW5uOmhvcnNlL2JhdHRlcnk="):
        assert "horse" not in without_secrets(words) and "YW5u" not in without_secrets(words)


def test_a_token_in_place_of_a_user_is_a_secret() -> None:
    read_address("https://tok-3f9a77c1@desk.example/v1", "OLLAMA_BASE_URL")
    assert without_secrets("is tok-3f9a77c1") == "is [key]"


@pytest.mark.parametrize(
    "text",
    ["", "desk.example/v1", "ftp://desk.example/v1", "http://", "http://[::1", "http://h:99999/v1",
     "http://h/v1?key=abcdefgh", "http://h/v1#abcdefgh"],
)  # fmt: skip
def test_what_is_no_address_is_told_without_repeating_it(text: str) -> None:
    with pytest.raises(Problem) as caught:
        read_address(text, "OPENAI_BASE_URL")
    assert "OPENAI_BASE_URL" in str(caught.value) and "https://host/v1" in str(caught.value)
    assert "abcdefgh" not in str(caught.value)
