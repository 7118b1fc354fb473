"""A chart leaves its page as a picture with its title, its labels and its source."""

import re
import struct
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Download, Page, expect

from supportagentbench.site.pages.page import POLICY, asset_paths, assets, environment

OPENED = Callable[..., Page]

CHART = """
<section><h2>Trusting is cheaper only while fewer than 1 customer in 220 cheats &amp; lies</h2>
<p class="sub">Cost per month</p>
<div data-picture="costs" style="position:relative;width:600px">
<p>By-the-book <span class="chip" data-decision="use">Use</span></p>
<div id="bar" style="width:50%;height:17px;background:rgb(1, 2, 3)"></div>
<table><caption class="unseen">Not seen</caption>
<tr><th>Agent<td style="border-bottom:1px dashed rgb(9, 8, 7)">$5,700</table>
<i id="turned" style="position:absolute;left:9px;top:0;width:8px;height:8px;
background:rgb(4, 5, 6);transform:rotate(45deg)"></i>
<p style="width:120px">A label that is longer than its line</p>
<details><summary>Folded</summary>Not opened</details>
<svg width="200" height="40" viewBox="0 0 100 20"><title>Said</title>
<a href="x.html"><text class="end" x="5" y="15">$20k &lt;</text></a></svg>
<p class="tools">Not this</p>
</div>TOOLS</section>"""


@pytest.fixture
def chart(open_page: OPENED, tmp_path: Path) -> Page:
    """A page with a chart of every kind of mark, under the policy of all pages."""
    (tmp_path / "assets").mkdir()
    for path, content in assets().values():
        (tmp_path / path).write_bytes(content)
    given = {"root": "", "assets": asset_paths()}
    tools = environment().get_template("components.html").make_module(given).tools("costs")  # type: ignore[attr-defined]
    (tmp_path / "chart.html").write_text(
        f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>
<meta http-equiv="Content-Security-Policy" content="{POLICY}"><meta name="date" content="2026-11-17">
<meta property="og:site_name" content="Support agents, tested">
<link rel="stylesheet" href="{assets()["site.css"][0]}">
<link rel="canonical" href="https://bench.example.org/index.html">
<script src="{assets()["theme.js"][0]}"></script><script defer src="{assets()["site.js"][0]}"></script>
<header class="masthead"><span class="tag">Demo: invented</span></header>
<main>{CHART.replace("TOOLS", tools)}</main>""",
        encoding="utf-8",
    )
    return open_page((tmp_path / "chart.html").as_uri())


def saved(page: Page, button: str) -> Download:
    with page.expect_download() as found:
        page.get_by_role("button", name=button).click()
    return found.value


def texts_in(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(one.itertext()).strip() for one in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_svg_has_title_labels_and_source(chart: Page) -> None:
    download = saved(chart, "SVG")
    assert download.suggested_filename == "costs.svg"
    svg = download.path().read_text(encoding="utf-8")
    texts = texts_in(svg)
    assert "Trusting is cheaper only while fewer than 1 customer in 220" in " ".join(texts[:2])
    for label in ("Cost per month", "By-the-book", "Use", "✓", "Agent", "$5,700", "Folded", "$20k <"):
        assert label in texts, label
    whole = " ".join(texts)
    assert "A label that is longer than its line" in whole and "cheats & lies" in whole
    assert whole.endswith(
        "Source: Support agents, tested, https://bench.example.org/index.html, 17 November 2026. "
        "Demo: invented."
    )
    assert not re.search("Not (seen|opened|this)", svg)


def test_shapes_are_where_they_are_on_the_page(chart: Page) -> None:
    svg = saved(chart, "SVG").path().read_text(encoding="utf-8")
    (bar,) = re.findall(r'<rect [^>]*fill="rgb\(1, 2, 3\)"[^>]*>', svg)
    assert 'width="300"' in bar and 'height="17"' in bar
    (turned,) = re.findall(r'<rect [^>]*fill="rgb\(4, 5, 6\)"[^>]*>', svg)
    assert 'width="8"' in turned and "matrix(0.7" in turned
    (border,) = re.findall(r'<line [^>]*stroke="rgb\(9, 8, 7\)"[^>]*>', svg)
    assert "stroke-dasharray" in border
    assert 'href="' not in svg, "a picture leads nowhere"


def test_the_page_is_as_before(chart: Page) -> None:
    before = chart.inner_html("main")
    saved(chart, "SVG")
    assert chart.inner_html("main") == before
    assert not chart.evaluate("document.documentElement.classList.contains('traced')")


def test_the_png_has_twice_the_size(chart: Page) -> None:
    download = saved(chart, "PNG")
    assert download.suggested_filename == "costs.png"
    data = download.path().read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    found = chart.evaluate(
        "(({width, height}) => [width, height])(SAB.picture(document.querySelector('[data-picture]')))"
    )
    assert [width, height] == [2 * found[0], 2 * found[1]] == [2 * 648, 2 * found[1]]
    assert len(data) > 10_000


def test_a_picture_that_cannot_be_copied_is_saved(chart: Page) -> None:
    chart.evaluate("() => { navigator.clipboard.write = () => Promise.reject(new Error('no')); }")
    assert saved(chart, "Copy picture").suggested_filename == "costs.png"
    assert chart.get_by_role("status").inner_text() == "Saved, because it could not be copied."


def test_a_picture_is_copied_as_a_png(chart: Page) -> None:
    chart.evaluate(
        "() => { navigator.clipboard.write ="
        " async ([one]) => { self.kept = (await one.getType('image/png')).type; }; }"
    )
    chart.get_by_role("button", name="Copy picture").click()
    expect(chart.get_by_role("status")).to_have_text("Copied.")
    assert chart.evaluate("self.kept") == "image/png"
