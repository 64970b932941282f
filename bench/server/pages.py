"""The pages in a real browser: a guest's first card, a slow line, shifts while loading, and a fast stream of facts.

    python -m bench.server.pages [--rounds 3]

The slow line has 150 ms and 1.6 Mbit/s, and nothing is cached. A request's depth counts the requests that must be
answered before it is sent: the page is 1, all that its HTML names is 2.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

from bench.server.page_frames import measure_frames
from bench.server.streams import running
from tests.web.engines import launched

LATENCY_MS = 150
BYTES_PER_S = 1_600_000 // 8
SETTLE_MS = 3000
"""How long a page may shift after it can be used."""
CARD = ".own-card"
PLAY_NOW = "#play-now"
WATCH = """(selector) => {
  globalThis.shift = 0;
  const add = ({ value, hadRecentInput }) => { globalThis.shift += hadRecentInput ? 0 : value; };
  new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    if (document.querySelector(selector)) globalThis.usableAt = Date.now() / 1000;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""
"""Note how much shifts, and when an element is there."""


@dataclass
class Load:
    """A page that loads over a slow line: what it asked for until it could be used."""

    page: Page
    began: dict[str, tuple[str, int, float, float]] = field(default_factory=dict)
    """Each request's address and depth, and when it began by the clock and by the browser's own."""
    ended: dict[str, tuple[int, float, int]] = field(default_factory=dict)
    """Each answer's depth, when it was complete, and its bytes."""

    def __post_init__(self) -> None:
        """Slow the line down, and follow each request."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Network.enable")
        limits = {"offline": False, "latency": LATENCY_MS}
        speeds = {"downloadThroughput": BYTES_PER_S, "uploadThroughput": BYTES_PER_S}
        session.send("Network.emulateNetworkConditions", limits | speeds)
        session.on("Network.requestWillBeSent", self._begin)
        session.on("Network.loadingFinished", self._end)

    def _begin(self, event: dict[str, Any]) -> None:
        if not event["request"]["url"].startswith("http"):
            return
        awaited = [depth for other, (depth, _, _) in self.ended.items() if _is_data(self.began[other][0])]
        is_asked_by_script = event["initiator"]["type"] == "script"
        depth = 1 + max([2, *awaited]) if is_asked_by_script else 1 if event["type"] == "Document" else 2
        self.began[event["requestId"]] = (event["request"]["url"], depth, event["wallTime"], event["timestamp"])

    def _end(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.began:
            _, depth, wall, began = self.began[event["requestId"]]
            at = wall + event["timestamp"] - began
            self.ended[event["requestId"]] = (depth, at, int(event["encodedDataLength"]))

    def until(self, selector: str, address: str) -> tuple[float, int, int, float]:
        """Open an address; return seconds, bytes and depth until an element is there, and how much shifts in all."""
        self.page.add_init_script(f"({WATCH})({selector!r})")
        self.page.goto(address, wait_until="commit")
        self.page.wait_for_function("() => globalThis.usableAt")
        self.page.wait_for_timeout(SETTLE_MS)
        usable, shift = self.page.evaluate("[globalThis.usableAt, globalThis.shift]")
        start = min(wall for _, _, wall, _ in self.began.values())
        until = [(depth, size) for depth, at, size in self.ended.values() if at <= usable]
        return usable - start, sum(size for _, size in until), max(depth for depth, _ in until), shift


def _is_data(url: str) -> bool:
    path = urlsplit(url).path
    return path.startswith("/api/") or path == "/session"


def first_moves(browser: Browser, address: str) -> tuple[float, float, float, int]:
    """Play as a stranger; return the seconds to the first cards, first move and first card, and the clicks."""
    context = browser.new_context()
    page = context.new_page()
    start = time.perf_counter()
    page.goto(address)
    page.click(PLAY_NOW)
    page.wait_for_selector(CARD)
    cards, clicks, moved = time.perf_counter() - start, 1, 0.0
    while True:
        page.wait_for_selector(f"{CARD}.lit[data-do=play], .zone-actions [data-do=move]")
        moved = moved or time.perf_counter() - start
        clicks += 1
        card = page.locator(f"{CARD}.lit[data-do=play]")
        if card.count():
            card.first.click()
            page.wait_for_selector(".play.at-s")
            break
        page.locator(".zone-actions [data-do=move]").last.click()  # the highest bid, so that the own lead is next
        page.wait_for_function("() => !document.querySelector('.zone-actions [data-do=move]')")
    played = time.perf_counter() - start
    context.close()
    return cards, moved, played, clicks


def loads(browser: Browser, address: str) -> Iterator[tuple[str, tuple[float, int, int, float]]]:
    """Load the lobby as a stranger, and a running table as its player, with nothing cached."""
    stranger = browser.new_context()
    yield "lobby", Load(stranger.new_page()).until(PLAY_NOW, address)
    stranger.close()
    state, table = table_of_guest(browser.new_context(), address)
    player = browser.new_context(storage_state=state)
    yield "table", Load(player.new_page()).until(CARD, table)
    player.close()


def table_of_guest(context: BrowserContext, address: str) -> tuple[Any, str]:
    """Begin a game as a guest; return the browser's cookies and storage, and the table's address."""
    page = context.new_page()
    page.goto(address)
    page.click(PLAY_NOW)
    page.wait_for_selector(CARD)
    state, table = context.storage_state(), page.url
    context.close()
    return state, table


def main() -> None:
    """Print each figure beside its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as data, running(data, None) as (host, _), launched() as browser:
        address = f"http://{host}"
        firsts = [first_moves(browser, address) for _ in range(rounds)]
        cards, moved, played = (statistics.median(each[place] for each in firsts) for place in range(3))
        print(f"a stranger's cards after {cards:.1f} s and 1 click, first move after {moved:.1f} s and 2 clicks,")
        print(f"first card after {played:.1f} s and {max(each[3] for each in firsts)} clicks (limit 10 s)")
        found: dict[str, list[tuple[float, int, int, float]]] = {}
        for _ in range(rounds):
            for name, load in loads(browser, address):
                found.setdefault(name, []).append(load)
        for name, each in found.items():
            seconds, size, depth, shift = map(statistics.median, zip(*each, strict=True))
            print(f"{name} over a slow line: {seconds:.2f} s (limit 2.5), {size / 1000:.1f} kB (limit 100),", end=" ")
            print(f"{depth:.0f} requests deep (limit 3), shift {shift:.3f} (limit 0.02)")
        for line in measure_frames(browser):
            print(json.dumps(line))


if __name__ == "__main__":
    main()
