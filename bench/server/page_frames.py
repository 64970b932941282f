"""How many frames a second the table draws while 50 facts a second arrive and move, and what its memory does meanwhile.

The facts are those of one long recorded game, given to the page's own modules at the pace of the clock, with a view
after each commit. Every fact begins its motion, and none waits for the one before, which is more at once than a table
ever shows. What the server and the network take isn't measured here.
"""

import json
from itertools import pairwise
from typing import Any

from playwright.sync_api import Browser, CDPSession

from tests.replay.playing import table
from tests.web.table.pages import gallery
from tests.web.table.recorded import moments

LOOKS = (200, 600, 1000, 1600)
"""After how many facts the memory is looked at."""
PACE_MS = 20
SEED = 3
HANDS = 80
BEGIN = """async (view) => {
  const { Game } = await import("/static/live/game.js");
  const { prefs } = await import("/static/live/prefs.js");
  const { draw, frame } = await import("/static/table/zones.js");
  const { animate } = await import("/static/table/motion.js");
  const page = frame();
  document.querySelector("#main").replaceChildren(page);
  const drawn = (model) => draw(page, model);
  const game = new Game(view.id, { prefs: { ...prefs(), pace: "none" }, said() {}, drawn, async animate() {} });
  game.record.resume(view.id, view);
  game.record.received = game.record.told = 0;
  game.take(view, null);
  game.begin();
  const move = (items, after) => items.flatMap(({ event }) => (event ? [animate(page, event, game.model, after)] : []));
  globalThis.bench = { game, move, frames: [], facts: 0, moving: 0 };
  const count = (at) => { globalThis.bench.frames.push(at); requestAnimationFrame(count); };
  requestAnimationFrame(count);
}"""
FEED = """async ([moments, pace]) => {
  const { bench } = globalThis;
  const start = performance.now();
  let due = start;
  bench.frames.length = 0;
  for (const { view, items } of moments) {
    due += items.length * pace;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    bench.facts += items.length;
    const moves = bench.move(items, { ...bench.game.model, view });
    bench.game.record.add(items);
    bench.game.take(view, null);
    for (const move of moves) move?.then((drawn) => drawn?.());
    bench.moving = Math.max(bench.moving, document.getAnimations().length);
  }
  await bench.game.record.queue;
  const gaps = bench.frames.slice(1).map((at, place) => at - bench.frames[place]);
  const seconds = (performance.now() - start) / 1000;
  const { facts, frames, moving } = bench;
  return { seconds, frames: frames.length, longest_ms: Math.max(...gaps), facts, moving };
}"""


def recorded_facts() -> list[dict[str, Any]]:
    """Return the moments of a game as its first seat sees them, each with the lines that are new."""
    made = table(SEED, win=21).hands(HANDS)
    found, seen = list[dict[str, Any]](), 0
    for moment in moments(made.history, 0):
        found.append({"view": moment.view, "items": moment.items[seen:]})
        seen = len(moment.items)
        if seen >= LOOKS[-1]:
            return found
    raise AssertionError(f"The game has only {seen} facts. Play more hands.")


def looked_at(session: CDPSession) -> dict[str, Any]:
    """Return the memory of the page's scripts after a collection, and its nodes and listeners."""
    for _ in range(2):  # what the first collection lets go of, the second one frees
        session.send("HeapProfiler.collectGarbage")
    counted = session.send("Memory.getDOMCounters")
    used: int = session.send("Runtime.getHeapUsage")["usedSize"]
    return {"heap_mb": round(used / 1e6, 2), "nodes": counted["nodes"], "listeners": counted["jsEventListeners"]}


def parts(facts: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Divide the moments where the memory is looked at."""
    ends, count = [0], 0
    for place, moment in enumerate(facts, 1):
        count += len(moment["items"])
        if count >= LOOKS[len(ends) - 1]:
            ends.append(place)
    return [facts[first:end] for first, end in pairwise(ends)]


def measure_frames(browser: Browser) -> list[dict[str, Any]]:
    """Feed the facts, and return what was measured up to each look."""
    facts = recorded_facts()
    page, _ = gallery(browser)
    page.evaluate(BEGIN, facts[0]["view"])
    session, found = page.context.new_cdp_session(page), list[dict[str, Any]]()
    for part in parts(facts):
        fed = page.evaluate(FEED, [part, PACE_MS])
        new = sum(len(moment["items"]) for moment in part)
        frames = {
            "frames_per_s": round(fed["frames"] / fed["seconds"], 1),
            "longest_ms": round(fed["longest_ms"]),
            "moving": fed["moving"],
        }
        pace = {"facts": fed["facts"], "facts_per_s": round(new / fed["seconds"], 1)}
        found.append(pace | frames | looked_at(session))
    page.close()
    return found


if __name__ == "__main__":
    from tests.web.engines import launched

    with launched() as started:
        for line in measure_frames(started):
            print(json.dumps(line))
