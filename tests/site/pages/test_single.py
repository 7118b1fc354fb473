"""Single: one file whose policy allows its own styles, and nothing else at all."""

import hashlib
import re
from base64 import b64encode

from shadow_weeks import SMALL
from supportagentbench.site.pages.week import week_page

PAGE = week_page(SMALL).decode()


def test_its_policy_names_its_style_by_its_digest() -> None:
    [style] = re.findall(r"<style>(.*?)</style>", PAGE, flags=re.DOTALL)
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', PAGE)
    assert policy == (
        f"default-src &#39;none&#39;; style-src &#39;sha256-{digest}&#39;; img-src data:; "
        "base-uri &#39;none&#39;; form-action &#39;none&#39;"
    )


def test_it_has_no_script_no_style_beside_that_and_loads_nothing() -> None:
    assert "<script" not in PAGE and " style=" not in PAGE and "onclick" not in PAGE
    addresses = set(re.findall(r'(?:href|src)="([^"#][^"]*)"', PAGE))
    assert all(address.startswith("data:image/svg+xml") for address in addresses), addresses
