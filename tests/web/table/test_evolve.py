"""The page's own fold of facts shows what the server's view shows, at every version of recorded games."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from projections.views.audience import ceremonies_revealed_by, visible
from projections.views.seat import ViewFold, view_json
from replay.history import export_bytes
from tests.replay.playing import table
from tests.replay.variety import VARIETY
from tests.web.table.recorded import PLAYED, View, history

FOLD = """(sent) => import("/static/live/evolve.js").then(({ evolve }) => {
  const { shots, sides } = JSON.parse(sent);
  const found = { wrong: [], asked: {} };
  let [view, rules] = [shots[0].view, shots[0].event.data.rules];
  const picked = (one) => ({
    ...one.hand && { ...one.hand, commit: 0, beacon: 0 }, version: one.version, phase: one.phase, status: one.status,
    seats: one.seats, sides: one.sides, last_hand: one.last_hand, proposal: one.proposal, handover: one.handover,
    delay: one.delay, result: one.result, ceremony: one.ceremony, disputes: one.disputes, ruled: one.ruled,
    rules: { ...one.rules, least_bid: 0, changes: 0 }, cards: one.you?.cards, sees: one.you?.sees,
  });
  const plain = (value) => Array.isArray(value) ? value.map(plain) : value === null || typeof value !== "object" ? value
    : Object.fromEntries(Object.keys(value).sort().map((key) => [key, plain(value[key])]));
  const text = (value) => JSON.stringify(plain(value));
  for (const { event, view: server } of shots.slice(1)) {
    const next = evolve(view, event, { rules, sides, cuts: shots[0].event.data.fairness.cuts });
    if (event?.data.rules && event.fact !== "RulesChangeDeferred") rules = event.data.rules;
    if (next === null) found.asked[event.fact] = (found.asked[event.fact] ?? 0) + 1;
    view = next ?? server;
    const [is, ought] = [picked(view), picked(server)];
    for (const key of Object.keys(ought)) {
      const [one, other] = [text(is[key]), text(ought[key])];
      if (one !== other) found.wrong.push([server.version, event?.fact, key, one, other]);
    }
    const [seats, due] = [text(view.turn.seats), text(server.turn.seats)];
    if (server.turn.seats.length && seats !== due) found.wrong.push([server.version, event?.fact, "turn", seats, due]);
    if (found.wrong.length) break;
  }
  return found;
})"""
AFTER_THESE_THE_PAGE_WAITS = {
    "SeatsDrawn", "CeremonyOpened", "BeaconRecorded", "MovesTakenBack", "SeatHandedOver", "SeatReturned",
    "DisputeOpened", "DisputeWithdrawn", "RulingGiven", "RulingAppealed", "RulingDecided",
}  # fmt: skip
"""Facts after which the page shows the server's next view instead of its own."""
OTHERS = sorted(set(VARIETY) - {variety for variety, _ in PLAYED.values()})


def shots(log: object, seat: int | None) -> Iterator[View]:
    """Return each fact of a game as a viewer sees it, and their view after it."""
    lines = [json.loads(line) for line in export_bytes(log).splitlines()[1:-1]]  # type: ignore[arg-type]
    events = [line.event for line in log.lines if line.event is not None]  # type: ignore[attr-defined]
    fold, revealed = ViewFold(seat), set[int]()
    for event, item in zip(events, lines, strict=True):
        revealed |= set(ceremonies_revealed_by(event))
        is_shown = visible(event, seat, revealed)
        fold.add(event if is_shown else None)
        yield {"event": item["event"] if is_shown else None, "view": view_json(fold, "")}


def check(page: Page, log: object, seat: int | None) -> None:
    seen = list(shots(log, seat))
    found = page.evaluate(FOLD, json.dumps({"shots": seen, "sides": seen[0]["view"]["sides"]}))
    assert found["wrong"] == []
    assert set(found["asked"]) <= AFTER_THESE_THE_PAGE_WAITS


@pytest.mark.parametrize("name", PLAYED)
def test_the_page_s_fold_is_the_server_s_view_at_every_version(name: str, page: Page) -> None:
    for seat in (0, None):
        check(page, history(name), seat)


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("seed", range(2))
def test_the_page_s_fold_is_the_server_s_view_in_whole_games(name: str, seed: int, page: Page) -> None:
    made = table(seed, **VARIETY[name]).hands(12, also=0.35, often=0.1)
    for seat in range(len(made.game.state.seats)):
        check(page, made.history, seat)
