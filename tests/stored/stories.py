"""The games stored for a format: all four variants, running and finished; every fact occurs at least once."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from domain.commands import AnswerHandover, AskHandover, ClaimTime, GiveRuling, OpenDispute, Resign, ReturnSeat
from domain.events import Evidence, Fairness, GameLimits, Timing, TurnPace
from domain.protocols.beacon import QUICKNET
from domain.rules.choices import Phase
from domain.state import Seat
from domain.store.aggregate import AlwaysOpen
from tests.beacons.rounds import last_moment_for
from tests.replay.disputing import ANN, NOTE, contested, settled_game
from tests.replay.playing import Table, table, until
from tests.replay.variety import AT_ROUND_1000, BY_HOST, WILD, randomizer

SEALED = Fairness(cuts="sealed", window_s=20)
OPEN = Fairness(cuts="open", window_s=20)
BEACON = Fairness("sealed", 20, QUICKNET)
SHORT = Timing(nag_days=1, forfeit_days=2)
HELD_MS = 90 * 60 * 1000

Story = Callable[[dict[str, Any]], Table]


def _thrown_in_and_won(kind: dict[str, Any]) -> Table:
    """A game of Pitch to its goal, with accepted and rejected undos and a rejected draw."""
    made = table(5, 4, win=7, **kind).play(0.3, most=20)
    made.draw(accept=False)
    return made.play(0.1)


def _left(kind: dict[str, Any]) -> Table:
    """Pitch with a bot: one player leaves, the table plays for them, and the others agree on a draw."""
    made = table(3, 4, **kind).play(most=14)
    made.resign(1)
    made.play(most=9)
    made.draw(accept=True)
    return made


def _forgotten(kind: dict[str, Any]) -> Table:
    """Setback without active players: reminders, forfeits, a clock held in each turn, and an end that reveals all."""
    made = table(4, variant="setback", timing=SHORT, **kind).play(most=11)
    made.held_ms = HELD_MS
    for _ in range(100):
        if made.over:
            break
        if made.game.state.turn[0] in made.game.state.still_in:
            made.waits(1.5)
        else:
            made.move()
    return made


def _setback(kind: dict[str, Any]) -> Table:
    return table(2, variant="setback", **kind).hands(2)


def _blackout(kind: dict[str, Any]) -> Table:
    """Two hands of Blackout, and then all players leave."""
    made = table(1, variant="blackout", fairness=OPEN, **kind).hands(2)
    while not made.over:
        made.says(Resign(made.game.state.still_in[0]))
    return made


def first(make: Callable[[int], Table], *facts: str, events: int = 0) -> Table:
    """Return the first table that `make` makes of a number with these facts and at least `events` events."""
    for seed in range(1000):
        made = make(seed)
        if len(made.entries) >= events and set(facts) <= {entry.event.fact for entry in made.entries}:
            return made
    raise LookupError(f"no such table has {', '.join(facts)}")


def _corellian(kind: dict[str, Any]) -> Table:
    """A session with constant rule changes, until the end is drawn."""
    options = randomizer((1, 3), (1, 40))
    happens = "PartnerCalled", "PartnerRevealed", "BidScaled", "PartnersChanged", "DelayJudged", "RulesChangeDeferred"
    return first(lambda seed: table(seed, variant="corellian", **options, **kind).play(also=0.1), *happens)


def _tied(kind: dict[str, Any]) -> Table:
    """Blackout to its end, which a coin decides."""
    options = {"variant": "blackout", "inorder": True, "reveal": "game", **kind}
    return first(lambda seed: table(seed, **options).play(), "CoinFlipped")


def _misdealt(kind: dict[str, Any]) -> Table:
    """A session with a misdeal, up to its first bids; then all players leave."""
    made = first(lambda seed: table(seed, variant="corellian", **WILD, **kind).play(most=6), "MisdealDeclared")
    while not made.over:
        made.says(Resign(made.game.state.still_in[0]))
    return made


def _limited(kind: dict[str, Any]) -> Table:
    """Pitch with few events: undos and rejected draws up to the limit, and an end instead of the third deal."""
    made = table(5, 3, win=21, limits=GameLimits(events=60, proposals=4), **kind)
    for _ in range(2):
        made.draw(accept=False)
    return made.play(0.1)


def _void(made: Table) -> None:
    """Contest the hand in play, and rule it void."""
    hand = made.game.state.hand
    made.says(OpenDispute(0, 1 if hand is None else hand.number, made.game.version, "deal", NOTE))
    evidence, number = Evidence(made.game.version, made.game.root), len(made.game.state.disputes)
    made.do(GiveRuling(ANN, number, "void", (), None, "recorded", evidence, NOTE), ANN)


def in_trick(hand: int) -> Callable[[Table], bool]:
    """Return a test for a table at which somebody has led in hand number `hand`."""

    def is_there(made: Table) -> bool:
        state = made.game.state
        if state.hand is None or state.hand.number != hand:
            return False
        return state.phase is Phase.PLAY and state.hand.trick is not None

    return is_there


def dropped_call(kind: dict[str, Any]) -> Table:
    """Corellian Pitch: a void drops the call about its hand, and another one leaves a call about the hand before."""
    made = until(table(11, variant="corellian", randomizer=None, host_changes=True, **kind), in_trick(1))
    made.accuse()
    _void(made)
    until(made, in_trick(1)).accuse()
    until(made, in_trick(2))
    _void(made)
    made.judge()
    made.hands(2)
    while not made.over:
        made.says(Resign(made.game.state.still_in[0]))
    return made


def lent(kind: dict[str, Any]) -> Table:
    """Pitch with limits: seat 1 goes to a person and back, seat 2 to a bot, and a third question is refused."""
    made = table(8, 4, win=21, limits=GameLimits(170, 2), **kind).hands(1)
    made.do(AskHandover(1, "p9", "human"), "p1")
    for seat in (0, 2, 3):
        made.says(AnswerHandover(seat, True))
    made.play(most=4)
    made.do(ReturnSeat(1), "p1")
    made.do(AskHandover(2, "bot:simple:4", "bot", "simple"), "p2")
    for seat in (0, 1, 3):
        made.says(AnswerHandover(seat, True))
    made.do(AskHandover(1, "p8", "human"), "p1")
    made.says(AnswerHandover(0, False))
    return made.play()


class _EveningsOff(AlwaysOpen):
    """The hours of players whose clock stands still in the evenings."""

    def closed_intervals(self, _player: str, since: str, _time_ms: int) -> tuple[tuple[str, str], ...]:
        days = [f"2026-11-{day}" for day in range(21, 31)]
        return tuple((f"{day}T18:00:00.000000Z", f"{day}T22:00:00.000000Z") for day in days if f"{day}T22" > since)


def _claimed(kind: dict[str, Any]) -> Table:
    """Pitch with a clock in seconds: undos, a clock that was held, and players who claim the time of others."""
    timing = Timing(None, None, pace=TurnPace("daily", move_s=86_400))
    made = table(5, 3, timing=timing, autopilot="claim", hours=_EveningsOff(), **kind).play(0.2, most=12)
    made.held_ms = HELD_MS
    made.waits(0.5)
    made.held_ms = 0
    while not made.over and made.scored < 2:
        made.play(0.1, most=5)
        made.clock += 2 * 86_400
        seat = made.game.state.turn[0]
        if seat in made.game.state.persons and len(made.game.state.persons) > 2:
            made.says(ClaimTime((seat + 1) % 3))
    return made


def _taken_by_bots(kind: dict[str, Any]) -> Table:
    """Setback on a bank of time: bots take over two seats, and one player is back."""
    pace = TurnPace("bank", base_s=86_400, move_s=43_200, cap_s=2 * 86_400)
    made = table(6, variant="setback", timing=Timing(1, None, pace=pace), autopilot="bot:simple", **kind).play(most=6)
    for _ in range(2):
        made.waits(3).move()
    made.do(ReturnSeat(made.game.state.seats.index(_lent(made))), _lent(made).lenders[0])
    return made.hands(2)


def _lent(made: Table) -> Seat:
    """Return the first seat that a bot plays for a person."""
    return next(seat for seat in made.game.state.seats if seat.lenders)


def _with_beacon(kind: dict[str, Any]) -> Table:
    """Pitch with a beacon: one deal with a round and all cuts sealed before, and others without their round.

    The clock is set back before each move, or it would be too late for the round. So these moves share a command id.
    """

    def make(seed: int) -> Table:
        made = table(seed, 3, fairness=BEACON, start=AT_ROUND_1000, **kind)
        later = (_time(last_moment_for(64530)) - AT_ROUND_1000) // timedelta(seconds=1) - 1
        while made.scored < 1:
            state = made.game.state
            made.clock = later if state.hand is not None and state.ceremony_count == 1 else made.clock
            made.move()
        return made.hands(3).play(most=5)

    return next(made for made in map(make, range(1000)) if {"F2", "F3"} <= _grades(made))


def _grades(made: Table) -> set[str]:
    return {entry.event.data.grade for entry in made.entries if entry.event.fact == "HandDealt"}


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


STORIES: dict[str, Story] = {
    "pitch-won": _thrown_in_and_won,
    "pitch-drawn": _left,
    "pitch-cut-sealed": lambda kind: table(6, 3, fairness=SEALED, **kind).hands(3),
    "pitch-contested": lambda kind: settled_game(**kind),
    "pitch-running": lambda kind: table(8, 4, **kind).hands(1).play(0.1, most=9),
    "pitch-limited": _limited,
    "pitch-lent": lent,
    "pitch-beacon": _with_beacon,
    "setback-forgotten": _forgotten,
    "pitch-claimed": _claimed,
    "setback-taken": _taken_by_bots,
    "setback-running": lambda kind: _setback(kind).play(most=7),
    "blackout-cut-open": _blackout,
    "blackout-tied": _tied,
    "blackout-running": lambda kind: table(3, variant="blackout", reveal="game", **kind).hands(1).play(most=8),
    "corellian-misdealt": _misdealt,
    "corellian-drawn": _corellian,
    "corellian-contested": lambda kind: contested(table(1, variant="corellian", **WILD, **kind), 2),
    "corellian-dropped": dropped_call,
    "corellian-running": lambda kind: table(2, variant="corellian", **BY_HOST, **kind).hands(1, also=0.3).play(most=12),
}


def all_tables() -> Iterator[tuple[str, Table]]:
    """Return each story by its name, on its own board."""
    for board, (name, story) in enumerate(STORIES.items(), 1):
        yield name, story({"game": str(UUID(int=board)), "board": board})
