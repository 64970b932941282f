"""The hand that newcomers play first: a recorded hand of Pitch, as its first seat saw it move by move.

    python -m tests.generators.first_hand

writes it to `api/static/lesson/recorded.js`.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from projections.views.audience import visible
from projections.views.seat import ViewFold, view_json
from replay.history import History, export_bytes
from tests.projections.bots.bot_table import bot_table

FILE = Path(__file__).parents[2] / "api" / "static" / "lesson" / "recorded.js"
SEED = 184
"""In the first deal of this game, the first seat has ace, king and jack of a suit, bids 3, and wins them."""
NAMES = {"p0": "You", "p1": "Bob", "p2": "Cyd", "p3": "Dee"}
HEAD = "// A recorded hand, which `python -m tests.generators.first_hand` writes. Changes here are lost.\n"


def recorded_hand() -> History:
    """Play the hand until it's scored."""
    table = bot_table(SEED, "pitch", ("simple",) * 4)
    while not any(entry.event.fact == "HandScored" for entry in table.entries):
        table.move()
    return table.history


def steps(log: History) -> list[dict[str, Any]]:
    """Return the view of the first seat after each commit, with the facts that it saw since the one before."""
    events = [line.event for line in log.lines if line.event is not None]
    ends = {one.version for one, other in pairwise(events) if one.command != other.command} | {events[-1].version}
    fold, found, facts = ViewFold(0), list[dict[str, Any]](), list[dict[str, Any]]()
    for event in events:
        shown = visible(event, 0, ())
        fold.add(event if shown else None)
        if shown and event.fact in ("CardPlayed", "TrickTaken", "BidMade", "BidPassed", "HandScored"):
            facts.append({"fact": event.fact, "seat": getattr(event.data, "seat", None)})
        if event.version in ends:
            found.append({"facts": facts, "view": {**view_json(fold, ""), "names": NAMES}})
            facts = []
    return found


def script(log: History) -> str:
    """Return the hand as a module: the rules, and its steps, one a line."""
    opening = json.loads(export_bytes(log).splitlines()[1])["event"]
    lines = "".join(f"  {compact(each)},\n" for each in steps(log))
    return f"{HEAD}export const RULES = {compact(opening['data']['rules'])};\nexport const STEPS = [\n{lines}];\n"


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(script(recorded_hand()), encoding="utf-8")
