"""Pictures of the pages for the README, taken with a real browser from a board of invented agents.

python docs/make_screenshots.py SITE       # a folder made by `sab site build`
"""

import shutil
import sys
from pathlib import Path
from typing import NamedTuple

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
    """The pictures of a site; the report is that of the first entry in the table."""
    first = next(iter(sorted((site / "models").glob("*.html"))))
    talk = next(iter(sorted((site / "data" / "t" / "damaged_no_proof-1").glob("*.js"))))
    return [
        Shot("board", "index.html", 1250),
        Shot("report", f"models/{first.name}", 1100),
        Shot("reader", f"viewer.html#case=damaged_no_proof-1&a={talk.stem}&run=1", 900),
        Shot("board-dark", "index.html", 900, dark=True),
        Shot("board-phone", "index.html", 844, width=390),
    ]


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
