"""Readers of the opening, ceremonies and deals: each returns the fields that a fact changes."""

from typing import Any

from domain.events import (
    BeaconRecorded,
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    CoinFlipped,
    CutOpened,
    DealerDrawn,
    GameOpened,
    HandDealt,
    MisdealDeclared,
    SeatsDrawn,
    SeedKept,
    StockLaid,
    TrumpTurnedUp,
)
from domain.rules.choices import Trump
from domain.struct import replace
from replay.fold.declaring import Role, reads
from replay.fold.hand import HandRead
from replay.fold.position import CeremonyRead, Change, MisplacedFact, Position


@reads(Role.TABLE, GameOpened)
def read_game_opened(position: Position, fact: GameOpened) -> Change:
    """Seat the players in the order named, with a score of 0 each."""
    nothing = (0,) * len(fact.players)
    counts = {"scores": nothing, "exact": nothing, "proposed": nothing}
    sat = frozenset(each.player for each in fact.players)
    return {"opened": fact, "in_force": fact.rules, "players": fact.players, "sat": sat, **counts}


@reads(Role.TABLE, SeatsDrawn)
def read_seats_drawn(position: Position, fact: SeatsDrawn) -> Change:
    """Seat the players in the order drawn."""
    players = tuple(position.opening.players[index] for index in fact.order)
    return {"players": players, **_change_ceremony(position, fact.n, dealt=True)}


@reads(Role.TABLE, DealerDrawn)
def read_dealer_drawn(position: Position, fact: DealerDrawn) -> Change:
    """Set the first dealer."""
    return {"dealer": fact.seat, **_change_ceremony(position, fact.n, dealt=True)}


@reads(Role.TABLE, CeremonyOpened)
def read_ceremony_opened(position: Position, fact: CeremonyOpened) -> Change:
    """Open a ceremony."""
    version = position.version + 1
    ceremony = CeremonyRead(fact.subject, fact.commit, fact.seals, beacon=fact.beacon, version=version)
    return {"ceremonies": {**position.ceremonies, fact.n: ceremony}}


@reads(Role.CUT, CutOpened)
def read_cut(position: Position, fact: CutOpened) -> Change:
    """Add a seat's cut, and its seal for the next deal."""
    if fact.n not in position.ceremonies:
        raise MisplacedFact(f"there is no ceremony {fact.n}")
    cuts = {**position.ceremonies[fact.n].cuts, fact.seat: fact.cut}
    return {"sealed": {**position.sealed, fact.seat: fact.next_seal}, **_change_ceremony(position, fact.n, cuts=cuts)}


@reads(Role.BEACON, BeaconRecorded)
def read_beacon(position: Position, fact: BeaconRecorded) -> Change:
    """Set the cut of a ceremony's beacon."""
    return _change_ceremony(position, fact.n, beacon_cut=fact.cut)


def _change_ceremony(position: Position, n: int, **fields: Any) -> Change:
    if n not in position.ceremonies:
        raise MisplacedFact(f"there is no ceremony {n}")
    return {"ceremonies": {**position.ceremonies, n: replace(position.ceremonies[n], **fields)}}


@reads(Role.TABLE, SeedKept)
def read_seed(position: Position, fact: SeedKept) -> Change:
    """Set the seed of a ceremony; it isn't public yet."""
    return _change_ceremony(position, fact.n, seed=fact.seed)


@reads(Role.TABLE, CeremonyRevealed, CeremonyVoided)
def read_ceremony_closed(position: Position, fact: CeremonyRevealed | CeremonyVoided) -> Change:
    """Close a ceremony: its seed is public."""
    return _change_ceremony(position, fact.n, seed=fact.seed, closed=True)


@reads(Role.TABLE, HandDealt)
def read_hand_dealt(position: Position, fact: HandDealt) -> Change:
    """Begin a hand; a fixed trump is trump from here on."""
    rules = position.rules
    trump = rules.fixed_trump if rules.trump is Trump.FIXED else None
    hand = HandRead(fact, fact.counts, fact.stock, taken=((),) * position.seats, trump=trump)
    barred = (*position.barred, *fact.missing)
    begun: Change = {"past": None, "proposal": None, "hand": hand, "turn": fact.next, "barred": barred}
    if not fact.redeal:
        begun["proposed"] = (0,) * position.seats
    return {**begun, **_change_ceremony(position, fact.n, dealt=True)}


@reads(Role.TABLE, CardsDealt)
def read_cards_dealt(position: Position, fact: CardsDealt) -> Change:
    """Set the cards of a seat."""
    return {"hand": replace(position.live, cards={**position.live.cards, fact.seat: fact.cards})}


@reads(Role.TABLE, StockLaid)
def read_stock(position: Position, fact: StockLaid) -> Change:
    """Set the cards of the stock."""
    return {"hand": replace(position.live, stock=fact.cards)}


@reads(Role.TABLE, MisdealDeclared)
def read_misdeal(position: Position, fact: MisdealDeclared) -> Change:
    """End the hand before its first call."""
    return {"hand": replace(position.live, over=True, misdealt=True), "turn": ()}


@reads(Role.TABLE, TrumpTurnedUp)
def read_upcard(position: Position, fact: TrumpTurnedUp) -> Change:
    """Set the upcard and trump."""
    return {"hand": replace(position.live, upcard=fact.card, trump=fact.suit)}


@reads(Role.TABLE, CoinFlipped)
def read_coin(position: Position, fact: CoinFlipped) -> Change:
    """Set the winner of the coin flip."""
    return {"coin": fact.winner, **_change_ceremony(position, fact.n, dealt=True)}
