"""What a reader with a slow phone waits for: the pages of a full board in a real browser.

A phone's screen, a processor four times slower, 1.6 Mbit/s and 150 ms to a gzip server on the loopback.

    python bench/pages.py SITE       # a folder made by `sab site build`, best of 24 agents
"""

import gzip
import shutil
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, Request, sync_playwright

LOADS = 5
ISSUES = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")

OBSERVE = """
window.seen = {shift: 0, blocked: 0, largest: 0};
new PerformanceObserver(list => list.getEntries().forEach(
  e => { if (!e.hadRecentInput) seen.shift += e.value; }))
  .observe({type: 'layout-shift', buffered: true});
new PerformanceObserver(list => list.getEntries().forEach(e => { seen.largest = e.startTime; }))
  .observe({type: 'largest-contentful-paint', buffered: true});
new PerformanceObserver(list => list.getEntries().forEach(
  e => { seen.blocked += Math.max(0, e.duration - 50); }))
  .observe({type: 'longtask', buffered: true});
"""

PAINTED = """
async act => {
  const began = performance.now();
  eval(act);
  await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
  return performance.now() - began;
}
"""


CHOOSE = "((box, value) => { box.value = value; box.dispatchEvent(new Event('change', {bubbles: true})); })"

OPENED = """
async place => {
  const title = () => document.title;
  const before = title(), began = performance.now();
  document.querySelectorAll('#list li a')[place].click();
  while (title() === before && performance.now() - began < 5000) {
    await new Promise(done => requestAnimationFrame(done));
  }
  await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
  return performance.now() - began;
}
"""


class Budget(NamedTuple):
    """A measurement and its limit."""

    what: str
    found: float
    most: float
    unit: str = "ms"


class Packing(SimpleHTTPRequestHandler):
    """Serves a folder, gzipped, as a host would."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        content = gzip.compress(path.read_bytes(), 6)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


def telephone(browser: Browser) -> Page:
    """A page on a slow phone."""
    context = browser.new_context(viewport={"width": 412, "height": 823}, device_scale_factor=2)
    page = context.new_page()
    page.add_init_script(OBSERVE)
    tools = context.new_cdp_session(page)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    tools.send("Network.enable")
    speed = 1.6e6 / 8
    tools.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 150, "downloadThroughput": speed, "uploadThroughput": speed},
    )
    return page


def _note(asked: list[str], request: Request) -> None:
    asked.append(request.url)


def loads(browser: Browser, address: str) -> list[Budget]:
    """How fast the board loads, in the median of several loads."""
    seen: list[dict[str, float]] = []
    for _ in range(LOADS):
        page = telephone(browser)
        asked: list[str] = []
        page.on("request", partial(_note, asked))
        page.goto(address, wait_until="load")
        page.wait_for_timeout(1500)
        found: dict[str, float] = page.evaluate(
            """() => ({...seen, elements: document.querySelectorAll('*').length,
            bytes: performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
              .reduce((sum, e) => sum + e.transferSize, 0)})"""
        )
        seen.append(found | {"requests": len([url for url in asked if "favicon" not in url])})
        page.context.close()
    middle = {name: median(one[name] for one in seen) for name in seen[0]}
    return [
        Budget("board: largest paint", middle["largest"], 1500),
        Budget("board: main thread blocked", middle["blocked"], 50),
        Budget("board: layout shift", middle["shift"], 0.01, ""),
        Budget("board: transferred", middle["bytes"] / 1000, 60, "KB"),
        Budget("board: requests", middle["requests"], 4, ""),
        Budget("board: elements", middle["elements"], 4000, ""),
    ]


def _open(page: Page, place: int) -> float:
    """From a click in the list until another conversation is shown, without the slow network."""
    page.context.new_cdp_session(page).send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    taken: float = page.evaluate(OPENED, place)
    return taken


def acts(browser: Browser, address: str) -> list[Budget]:
    """How long sorting, filtering and opening take until they are painted."""
    page = telephone(browser)
    page.goto(f"{address}index.html", wait_until="load")
    sort = page.evaluate(PAINTED, "document.querySelectorAll('thead button')[2].click()")
    pin = page.evaluate(PAINTED, "document.querySelector('tbody button').click()")
    page.goto(f"{address}reader.html", wait_until="load")
    page.wait_for_function("document.querySelectorAll('#list li').length > 20")
    page.wait_for_timeout(500)
    filtered = median(
        page.evaluate(PAINTED, f"{CHOOSE}(document.getElementById('by-bucket'), '{bucket}')")
        for bucket in ("adversarial", "must_escalate", "resolvable", "")
    )
    opened = median(_open(page, place) for place in (3, 7, 11))
    return [
        Budget("board: sort to paint", sort, 250),
        Budget("board: pin to paint", pin, 250),
        Budget("reader: filter to paint", filtered, 250),
        Budget("reader: open a conversation", opened, 150),
    ]


def main() -> None:
    serve = ThreadingHTTPServer(("127.0.0.1", 0), partial(Packing, directory=sys.argv[1]))
    threading.Thread(target=serve.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{serve.server_port}/"
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=list(ISSUES))
        for what, value, most, unit in (*loads(browser, f"{address}index.html"), *acts(browser, address)):
            print(f"{what:32}{value:9.2f} {unit:3}at most {most:g}{'' if value <= most else '   MISSED'}")
        browser.close()
    serve.shutdown()


if __name__ == "__main__":
    main()
