"""Real exports for the JavaScript: all four games, for the public and for a seat; cuts; disputes."""

from collections.abc import Callable
from functools import cache
from typing import Any

from domain.commands import AnswerProposal, AskUndo, CutDeck, Resign, Tick
from domain.events import Fairness
from domain.state import SERVER
from replay.history import History, export_bytes, from_entries
from tests.campaigns.tamper.places import DROPPED, LENT, tables
from tests.games.disputes import appeal, contest, decide, rule
from tests.games.tables import Table
from tests.replay.finding import find_fact
from tests.replay.playing import Table as Played
from tests.replay.playing import table
from tests.replay.practising import practised
from tests.replay.variety import VARIETY
from tests.web.example import NAMES, cut_all, example, own, play_hand, with_receipt

SEED = 3
TO_THE_END = {"Setback with partners"}
"""Games played to a winner, as is the game that needs a coin."""


def of(made: Table) -> History:
    return from_entries([entry for commit in made.commits for entry in commit], NAMES)


@cache
def started(name: str) -> Played:
    """Play two hands of a game, with undos, delay calls and the host's changes if it has them, and some more moves."""
    made = table(SEED, **VARIETY[name]).hands(2, also=0.1, often=0.05)
    return made if made.over else made.play(most=9)


@cache
def ended(name: str) -> Played:
    """Play a game to its end, or until everybody has left it."""
    made = table(SEED, **VARIETY[name])
    if name in TO_THE_END:
        return made.play(0.05)
    made.hands(2, also=0.2)
    for seat in made.game.state.persons:
        if not made.over:
            made.resign(seat)
    return made


@cache
def disputed() -> History:
    """Play a game with every kind of ruling: one is appealed and reversed, one voids the hand in play."""
    made = Table(2, seed=11).plays_out(hands=2)
    contest(made, 0, 1)
    rule(made, "adjust", 1, -2)
    contest(made, 1, 2)
    rule(made, "void", dispute=2)
    appeal(made, 0, 2)
    decide(made, "reversed", dispute=2)
    contest(made, 0, 2)
    rule(made, "none", dispute=3)
    made.moves(1)
    contest(made, 0, 3)
    rule(made, "void", dispute=4)
    made.says(Resign(1))
    return of(made)


@cache
def kept_back() -> History:
    """Play a game in which seat 1 withholds a sealed cut and is barred; the game ends before the fourth deal."""
    made = Table(3, seed=12, fairness=Fairness("sealed", 60))
    cut_all(made)
    play_hand(made)
    cut_all(made, [0, 2])
    made.now = "2026-11-21T09:00:00.000000Z"
    made.send(Tick(), SERVER)
    play_hand(made)
    cut_all(made, [2, 0])
    play_hand(made)
    for seat in (0, 1):
        made.says(Resign(seat))
    return of(made)


@cache
def voided_while_it_waits() -> History:
    """Play a game in which a ruling voids a waiting deal, and the only seat that cut for the next one leaves."""
    made = Table(3, seed=13, fairness=Fairness("open", 60))
    cut_one(made, 0)
    contest(made, 1, 1)
    rule(made, "void")
    cut_one(made, 0)
    made.says(Resign(0))
    made.now = "2026-11-21T09:00:00.000000Z"
    made.send(Tick(), SERVER)
    made.says(Resign(1))
    return of(made)


def cut_one(made: Table, seat: int) -> None:
    """Cut for a seat without a new seal."""
    ceremony = made.state.ceremonies[-1]
    made.says(CutDeck(seat, ceremony.n, ceremony.commit, own(seat, ceremony.n).hex()))


@cache
def undone() -> History:
    """Take a bid back with the consent of two others."""
    made = Table(3, seed=14)
    made.moves(1)
    asker = next(event.data.seat for event in reversed(made.events) if event.fact == "BidMade")
    made.says(AskUndo(asker))
    for seat in range(3):
        if seat != asker:
            made.says(AnswerProposal(seat, accept=True))
    return of(made)


@cache
def game(name: str) -> History:
    """Return a history with its secrets: one of `MADE`, or a variety played to its end."""
    return MADE[name]() if name in MADE else ended(name).history


MADE: dict[str, Callable[[], History]] = {
    "practice": lambda: practised("Corellian Pitch", 2).history,
    "cuts": example,
    "disputes": disputed,
    "kept back": kept_back,
    "void": voided_while_it_waits,
    "lent": lambda: tables()[LENT].history,
    "dropped": lambda: tables()[DROPPED].history,
    "undone": undone,
    "coin": lambda: find_fact("Blackout to its end", "CoinFlipped")[0],
    "misdeal": lambda: find_fact("Corellian without a randomizer", "MisdealDeclared")[0],
}
"""The games that aren't a variety."""


def views() -> dict[str, bytes]:
    all_of: dict[str, Any] = {}
    for name in VARIETY:
        all_of[f"{name}, running, as seat 1 sees it"] = started(name).seen_by(1)
        all_of[f"{name}, ended"] = ended(name).seen_by(None)
    for name in ("gamerz Pitch", "Blackout", "Corellian that changes all the time"):
        all_of[f"{name}, running"] = started(name).seen_by(None)
        all_of[f"{name}, running, with its secrets"] = started(name).history
    made = ("cuts", "kept back", "practice", "void", "disputes", "lent", "dropped", "coin")
    all_of |= {name: game(name) for name in made}
    return {name: export_bytes(with_receipt(history)) for name, history in all_of.items()}
