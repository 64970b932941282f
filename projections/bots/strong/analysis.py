"""The strong bot's choice: each move tried in the same drawn worlds, and the best on average."""

from collections.abc import Callable
from typing import NamedTuple

from domain.cards import Card
from domain.commands import CallPartner, Discard, MakeBid, NameTrump, PassBid
from domain.engine.legal_moves import Move
from domain.protocols import fairdeal
from domain.state import State
from projections.bots.strong import auction
from projections.bots.strong.candidates import candidates
from projections.bots.strong.knowledge import Knowledge
from projections.bots.strong.rollout import gains
from projections.bots.strong.worlds import Draws, draw_world

DRAWS = "strong/1"
"""The label of the bot's own draws. Another way to think gets another label, so that old choices can be derived."""
TRIES = 3
"""How many worlds are drawn at most until one fits the bids of the other seats."""
KINDS: dict[type[Move], str] = {
    MakeBid: "bid",
    PassBid: "bid",
    NameTrump: "name_trump",
    Discard: "discard",
    CallPartner: "call_partner",
}
"""The kind of a move in the label of its draws; `play` for a card."""


class OutOfTime(Exception):
    """The choice took too long."""


class MoveScore(NamedTuple):
    """A move that was tried."""

    move: Move
    gain: float
    """The seat's points less the average of the others', on average over the worlds."""
    best: int
    """In how many worlds no other move came to more."""


class Analysis(NamedTuple):
    """A choice, and what it rests on."""

    label: str
    """The label of the key of the draws (fairdeal/1)."""
    worlds: int
    """How many worlds were drawn; 0 if there was nothing to choose."""
    options: tuple[MoveScore, ...]
    move: Move


def draw_label(seat: int, turns: int, move: Move) -> str:
    """Return the label of the draws for a choice of this kind, after `turns` turns of the deal (fairdeal/1)."""
    return f"bot {seat} {turns} {KINDS.get(type(move), 'play')}"


def think(known: Knowledge, ceremony_key: bytes, worlds: int, is_late: Callable[[], bool] = lambda: False) -> Analysis:
    """Return the choice of the seat; raise LookupError if it has nothing to do, and OutOfTime once it's late.

    Everything random comes from `block(label, 0)` of the ceremony's key, so the same key and view give the same choice.
    """
    moves = candidates(known.state, known.seat)
    if not moves:
        raise LookupError("this seat has nothing to do now")
    label = draw_label(known.seat, known.hand.turns, moves[0])
    return think_with(known, moves, label, fairdeal.block(ceremony_key, label, 0), worlds, is_late)


def think_with(
    known: Knowledge,
    moves: list[Move],
    label: str,
    key: bytes,
    worlds: int,
    is_late: Callable[[], bool] = lambda: False,
) -> Analysis:
    """Return the choice among `moves` with the bot's own `key`; it's asked before each world whether it's late."""
    if len(moves) == 1:
        return Analysis(label, 0, (MoveScore(moves[0], 0.0, 0),), moves[0])
    draws = fairdeal.numbers(key, DRAWS)
    total, best = [0.0] * len(moves), [0] * len(moves)
    for _ in range(worlds):
        if is_late():
            raise OutOfTime
        results = gains(_fitting_world(known, draws), moves, known.seat)
        most = max(results)
        for at, result in enumerate(results):
            total[at] += result
            best[at] += result == most
    options = tuple(MoveScore(move, gain / worlds, wins) for move, gain, wins in zip(moves, total, best, strict=True))
    return Analysis(label, worlds, options, max(options, key=lambda option: option.gain).move)


def _fitting_world(known: Knowledge, draws: Draws) -> State:
    """Return the drawn world that fits the bids best, of at most `TRIES`."""
    played: list[list[Card]] = [[] for _ in known.hand.counts]
    for play in known.plays:
        played[play.seat].append(play.card)
    best, least = None, 0.0
    for _ in range(TRIES):
        world = draw_world(known, draws)
        off = auction.misfit(world, known.seat, played)
        if best is None or off < least:
            best, least = world, off
        if not off:
            break
    if best is None:
        raise LookupError("no world was drawn")
    return best
