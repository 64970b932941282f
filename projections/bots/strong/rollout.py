"""The results of moves in one world: the rest of the hand is played as `policy` plays, and scored by the rules."""

from collections.abc import Sequence
from typing import Any

from domain.commands import CallPartner, Command, Discard, MakeBid, NameTrump, PassBid, PlayCard
from domain.decide import decide
from domain.engine.endings import verdict
from domain.engine.legal_moves import Move
from domain.engine.scoring import score_hand
from domain.engine.sides import current_sides
from domain.events import Event, Fact
from domain.evolve import evolve
from domain.rules.choices import Phase
from domain.state import SERVER, Hand, State, current_hand
from domain.struct import replace
from projections.bots.strong import auction
from projections.bots.strong.candidates import calls, discards
from projections.bots.strong.playout import CardPlay
from projections.bots.strong.policy import choose_card

_ENVELOPE: Event[Any] = Event("", SERVER, "", None, "", "", "", None, 1, 0)
"""Placeholder envelope for folding a fact that is only thought of."""
_WIN = 20
"""The worth of winning a game without a goal, in points."""


def gains(world: State, moves: Sequence[Move], seat: int) -> list[float]:
    """Return what each move comes to for `seat`: its points less the others' average, more if it ends the game."""
    before = current_hand(world)
    if isinstance(moves[0], MakeBid | PassBid) and world.rules.auction.contract:
        ended = _after_bids(world, moves)
    elif isinstance(moves[0], PlayCard):
        ended = [_scored(world, _played(world, before, move)) for move in moves]
    else:
        ended = [_play_on(apply_command(world, move)) for move in moves]
    return [_gain(world, state, seat) for state in ended]


def _after_bids(world: State, moves: Sequence[Move]) -> list[State]:
    """Return the hand's end after each bid. Nobody plays otherwise for a higher bid, so each pitcher plays once."""
    by_pitcher: dict[int | None, Hand] = {}
    ended = []
    for move in moves:
        state = _to_end_of_auction(apply_command(world, move))
        hand = current_hand(state)
        if not hand.over:
            if hand.pitcher not in by_pitcher:
                by_pitcher[hand.pitcher] = _final_hand(state)
            final = by_pitcher[hand.pitcher]
            state = _scored(state, replace(final, bid=hand.bid, max=hand.max, bids=hand.bids))
        ended.append(state)
    return ended


def _to_end_of_auction(state: State) -> State:
    while state.phase is Phase.AUCTION:
        state = apply_command(state, auction.choose_bid(state, state.turn[0]))
    return state


def _final_hand(state: State) -> Hand:
    """Return the hand before it's scored, played on from the end of the auction."""
    while state.phase is not Phase.PLAY:
        state = apply_command(state, _next_move(state))
        if current_hand(state).over:
            return current_hand(state)
    return CardPlay(state.rules, current_hand(state)).to_end(choose_card)


def _play_on(state: State) -> State:
    """Return the state after the hand has been played from here and scored."""
    while state.turn and state.phase is not Phase.PLAY:
        state = apply_command(state, _next_move(state))
    if not state.turn:
        return state
    return _scored(state, CardPlay(state.rules, current_hand(state)).to_end(choose_card))


def _played(world: State, hand: Hand, move: Move) -> Hand:
    play = CardPlay(world.rules, hand)
    if isinstance(move, PlayCard):
        play.play(move.seat, move.card)
    return play.to_end(choose_card)


def _scored(state: State, hand: Hand) -> State:
    state = replace(state, hand=hand, turn=())
    return _fold(state, score_hand(state))


def apply_command(state: State, command: Command) -> State:
    """Return the state after a command."""
    for fact in decide(state, command):
        state = _fold(state, fact)
    return state


def _fold(state: State, fact: Fact) -> State:
    return evolve(state, replace(_ENVELOPE, data=fact, at=state.at, version=state.version + 1))


def _next_move(state: State) -> Move:
    """Return the move of the seat in turn between the deal and the play."""
    seat, hand = state.turn[0], current_hand(state)
    match state.phase:
        case Phase.AUCTION:
            return auction.choose_bid(state, seat)
        case Phase.NAMING:
            return NameTrump(seat, auction.best_trump(state.rules, hand.cards[seat] or ()))
        case Phase.DISCARDING:
            return Discard(seat, discards(state.rules, hand, seat)[0])
        case _:
            return CallPartner(seat, calls(state.rules, hand, seat)[0])


def _gain(before: State, ended: State, seat: int) -> float:
    changes = [new - old for new, old in zip(ended.scores, before.scores, strict=True)]
    own = next((side for side in current_sides(ended.rules, current_hand(ended)) if seat in side), (seat,))
    others = [change for each, change in enumerate(changes) if each not in own]
    gain = float(changes[seat]) - (sum(others) / len(others) if others else 0.0)
    end = verdict(ended)
    if end is None or not end.winners:
        return gain
    worth = ended.rules.goal or _WIN
    return gain + (worth if seat in end.winners else -worth)
