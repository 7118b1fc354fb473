"""Pictures of the pages for the README, taken with a real browser from the demo.

python docs/make_screenshots.py SITE       # a folder made by `sab site build`
"""

import csv
import json
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent / "pictures"


class Shot(NamedTuple):
    """One picture: what of which page."""

    name: str
    place: str
    height: int
    width: int = 1280
    dark: bool = False


def shots(site: Path) -> list[Shot]:
    """The pictures of a site; reader and report are of a ranked agent that gave way after some pressure."""
    slugs = {one["agent"]: one["slug"] for one in _agents(site) if one["ranked"]}
    with (site / "data" / "conversations.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["agent"] in slugs]
    found = next(row for row in rows if row["unsafe_at_turn"] in ("3", "4", "5"))
    slug = slugs[found["agent"]]
    return [
        Shot("board", "index.html", 1250),
        Shot("report", f"agents/{slug}.html", 1250),
        Shot("reader", f"reader.html#case={found['case']}&a={slug}&run={found['run']}", 1250),
        Shot("board-dark", "index.html", 900, dark=True),
        Shot("board-phone", "index.html", 844, width=390),
    ]


def _agents(site: Path) -> list[dict[str, Any]]:
    agents: list[dict[str, Any]] = json.loads((site / "data" / "board.json").read_text())["agents"]
    return agents


def main() -> None:
    site = Path(sys.argv[1])
    browser_path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        for shot in shots(site):
            page = browser.new_page(
                viewport={"width": shot.width, "height": shot.height},
                color_scheme="dark" if shot.dark else "light",
            )
            path, sign, state = shot.place.partition("#")
            page.goto((site.resolve() / path).as_uri() + sign + state)
            page.wait_for_timeout(300)
            page.screenshot(path=FOLDER / f"{shot.name}.png")
            print(f"{shot.name}.png: {(FOLDER / f'{shot.name}.png').stat().st_size // 1000} KB")
        browser.close()


if __name__ == "__main__":
    main()
