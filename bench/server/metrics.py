"""Record what `GET /metrics` shows in ten minutes of games: `python -m bench.server.metrics`, then `make pictures`.

Another player joins every 65 seconds, so that the load rises, and all stop near the end. The series go to
bench/server/metrics.json.
"""

import json
import tempfile
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from api.client import Refusal, Server
from bench.server.streams import running

OUT = Path(__file__).with_name("metrics.json")
PLAYERS, JOIN_EVERY_S, REST_S = 8, 65.0, 80.0
SCRAPE_EVERY_S = 5.0
MOVES = "/api/v1/games/<game_ref:reference>/moves"
Samples = dict[tuple[str, ...], float]


def scrape(address: str) -> Samples:
    """Return each sample by its name and the values of its labels, in the order of their names."""
    with urllib.request.urlopen(f"http://{address}/metrics") as answer:
        text = answer.read().decode()
    families = text_string_to_metric_families(text)
    samples = (sample for family in families for sample in family.samples)
    return {(each.name, *(value for _, value in sorted(each.labels.items()))): each.value for each in samples}


def play(address: str, name: str, stop: threading.Event) -> None:
    """Play tables against a bot, one after the other."""
    with Server(f"http://{address}", patience_s=0) as player:
        player.register(name, "correct-horse")
        while not stop.is_set():
            game = player.post("/games", {"variant": "pitch", "seats": [name, "bot:random"]})["id"]
            view = player.get(f"/games/{game}/seats/0")
            while view["result"] is None and not stop.wait(0.01):
                with suppress(Refusal):
                    view = player.post(f"/games/{game}/moves", view["you"]["legal"][-1])["view"]


def series(before: Samples, after: Samples, seconds: float) -> dict[str, float]:
    """Return a point of each series from two scrapes."""

    def grown(*name: str) -> float:
        return after.get(name, 0.0) - before.get(name, 0.0)

    commits = grown("trickbook_commit_seconds_count", "requests")
    return {
        "moves": grown("trickbook_requests_total", "POST", MOVES, "201") / seconds,
        "ms": 1000 * _quantile(before, after, 0.95),
        "commit_ms": 1000 * grown("trickbook_commit_seconds_sum", "requests") / commits if commits else 0.0,
        "lag": after.get(("trickbook_list_lag_events", "lobby"), 0.0),
    }


def _quantile(before: Samples, after: Samples, part: float) -> float:
    """Return the time within which that part of the moves between two scrapes was answered, as PromQL computes it."""
    name = "trickbook_request_seconds_bucket"
    keys = [key for key in after if key[0] == name and key[2] == MOVES]
    limits = sorted((float(key[1]), after[key] - before.get(key, 0.0)) for key in keys)
    total, low, below = (limits[-1][1] if limits else 0.0), 0.0, 0.0
    for high, count in limits:
        if total and count >= part * total and count > below:
            return low + (min(high, 2 * low or high) - low) * (part * total - below) / (count - below)
        low, below = high, count
    return 0.0


def main() -> None:
    """Record, and write the file."""
    points, stop = list[dict[str, float]](), threading.Event()
    with (
        tempfile.TemporaryDirectory() as data,
        running(data, None) as (address, _),
        ThreadPoolExecutor(PLAYERS) as pool,
    ):
        began = last = time.monotonic()
        before, joined = scrape(address), 0
        while (now := time.monotonic()) - began < PLAYERS * JOIN_EVERY_S + REST_S:
            if joined < PLAYERS and now - began >= joined * JOIN_EVERY_S:
                pool.submit(play, address, f"player-{joined}", stop)
                joined += 1
            elif now - began >= PLAYERS * JOIN_EVERY_S:
                stop.set()
            time.sleep(SCRAPE_EVERY_S)
            after, now = scrape(address), time.monotonic()
            point = {"at": now - began, **series(before, after, now - last)}
            points.append({name: round(value, 2) for name, value in point.items()})
            before, last = after, now
        stop.set()
    OUT.write_text(json.dumps(points, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
