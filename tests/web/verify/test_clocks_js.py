"""The browser's verifier reads clocks, claims, time-outs and ends by time as the audit does (R-P10, R-P15 to R-P18)."""

from collections.abc import Callable
from typing import Any

from domain.events import Timing
from replay.history import History, export_bytes
from tests.replay.audit.test_clock import TABLES, abandoned, findings_in, held, late, timing
from tests.replay.audit.test_turn_clocks import (
    AUTOPILOTS,
    MOVED,
    PACES,
    TURNS,
    data,
    opened,
    shifted,
    told,
    with_pauses,
)
from tests.replay.finding import Change
from tests.replay.forging import forged, in_each
from tests.replay.playing import Table, table
from tests.replay.variety import VARIETY, of
from tests.web import reading
from tests.web.engines import Engine

Forge = Callable[[dict[str, Any]], None]


def test_games_with_clocks_have_no_findings(engine: Engine) -> None:
    kinds = [(pace, autopilot) for pace in PACES for autopilot in AUTOPILOTS]
    exports = [export_bytes(with_pauses(seed, *kind).history) for seed, kind in enumerate(kinds)]
    assert [reading.told(report) for report in reading.reports(engine, exports)] == [[]] * len(exports)


def moved(fact: str, at: str) -> Forge:
    return in_each(fact, lambda event: event.update(at=at))


def test_forged_turns_after_undos_are_found(engine: Engine) -> None:
    games = [export_bytes(forged(make(), change)) for make, change, _ in TURNS.values()]
    for (name, (*_, says)), report in zip(TURNS.items(), reading.reports(engine, games), strict=True):
        assert any(says in sentence for _, sentence in reading.told(report)), (name, reading.told(report))


FORGERIES: dict[str, tuple[str, Forge, str]] = {
    **{name: ("forfeit", shifted(field, change), says) for name, (field, change, says) in MOVED.items()},
    "R-P16 no times": ("forfeit", shifted("closed", lambda _: [["x", "y"]]), "isn't a time"),
    "a forfeit too soon": ("forfeit", moved("SeatForfeited", "2026-11-22T00:00:00.000000Z"), "runs out of time at"),
    "no claims here": ("claim", opened(autopilot="forfeit"), "can't claim the time"),
    "its own time": ("claim", data("TimeClaimed", seat=0, late=0), "can't claim the time"),
    "a bot too soon": ("bot:simple", moved("SeatHandedOver", "2026-11-22T00:00:00.000000Z"), "runs out of time at"),
}


def test_forged_clocks_are_found_by_both_verifiers(engine: Engine) -> None:
    games = [forged(told(autopilot).history, change) for autopilot, change, _ in FORGERIES.values()]
    read = reading.reports(engine, [export_bytes(game) for game in games])
    for (name, (_, _, says)), game, report in zip(FORGERIES.items(), games, read, strict=True):
        assert findings_in(game), name
        assert any(says in sentence for _, sentence in reading.told(report)), (name, reading.told(report))


def at_its_end(name: str, moves: int, days: float = 5) -> Table:
    """Return a game that had five days, after some moves and a wait."""
    return table(3, **VARIETY[name], timing=Timing(total_days=5)).play(most=moves).waits(days)


def session(stop: str) -> Table:
    """Return a session that ends by time, in which a seat ran out of time before."""
    made = table(4, variant="corellian", randomizer=None, stop=stop, timing=Timing(total_days=30)).play(most=5)
    made.waits(40)
    while not made.over:
        made.move()
    return made


def test_games_that_end_by_time_have_no_findings(engine: Engine) -> None:
    games = [at_its_end(name, moves) for name in TABLES for moves in (0, 2, 9)]
    games += [at_its_end(name, 9, 4.9) for name in TABLES]
    games += [session("at_once"), session("after_hand"), held(), late()]
    for made in (of(name, 3).play(most=12) for name in TABLES[:4]):
        abandoned(made)
        games.append(made)
    read = reading.reports(engine, [export_bytes(made.history) for made in games])
    assert [(reading.told(report), report["unread"]) for report in read] == [([], [])] * len(games)


def changed(fact: str, change: Change) -> Forge:
    return in_each(fact, lambda event: change(event["data"]))


SOON = "2026-11-22T00:00:00.000000Z"
ENDS: dict[str, tuple[History, Forge, str]] = {
    "fewer days": (late().history, changed("GameOpened", timing(total_days=3)), "the game had to end by 2026-11-24"),
    "an earlier time": (late().history, changed("GameOpened", timing(ends_at=SOON)), f"had to end by {SOON}"),
    "more days": (at_its_end("Blackout", 9).history, changed("GameOpened", timing(total_days=6)), "had to end at"),
    "no days": (at_its_end("Blackout", 9).history, changed("GameOpened", timing(total_days=None)), "had no time limit"),
    "an end too soon": (at_its_end("Blackout", 9).history, moved("GameEnded", SOON), "the time is up at"),
    "in the middle of a hand": (
        session("at_once").history,
        changed("GameOpened", lambda data: data["rules"].update(stop="after_hand")),
        "in the middle of a hand",
    ),
    "a hand too many": (
        session("after_hand").history,
        changed("GameOpened", lambda data: data["rules"].update(stop="at_once")),
        "the game had to end by",
    ),
}


def test_forged_ends_by_time_are_found_by_both_verifiers(engine: Engine) -> None:
    games = [forged(history, change) for history, change, _ in ENDS.values()]
    read = reading.reports(engine, [export_bytes(game) for game in games])
    for (name, (_, _, says)), game, report in zip(ENDS.items(), games, read, strict=True):
        assert any(says in each for each in findings_in(game)), (name, findings_in(game))
        assert any(says in each for _, each in reading.told(report)), (name, reading.told(report))
