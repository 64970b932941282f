"""Fold functions for the opening, ceremonies and deals."""

from typing import Any

from domain.cards import sort_cards
from domain.events import (
    BeaconRecorded,
    CardsDealt,
    CeremonyOpened,
    CeremonyRevealed,
    CeremonyVoided,
    CoinFlipped,
    CutOpened,
    DealerDrawn,
    Event,
    GameOpened,
    HandDealt,
    MisdealDeclared,
    SeatsDrawn,
    SeedKept,
    StockLaid,
    TrumpTurnedUp,
)
from domain.events.declaring import add_to
from domain.evolve.folding import HANDLERS, apply, apply_play, close_deal, set_at
from domain.state import Ceremony, Hand, Seat, State, current_hand
from domain.struct import replace


@add_to(HANDLERS, GameOpened)
def on_game_opened(state: State, event: Event[GameOpened]) -> State:
    """Start the game. The player that opened it is the host."""
    players = event.data.players
    return apply(
        state,
        event,
        game=event.game,
        opened=event.data,
        in_force=event.data.rules,
        host=event.by,
        seats=tuple(Seat(player.player, player.kind, player.bot) for player in players),
        still_in=tuple(range(len(players))),
        scores=(0,) * len(players),
        exact_hands=(0,) * len(players),
        proposals=(0,) * len(players),
        moved=event.version,
        opened_at=event.at,
        next_seals=(None,) * len(players),
    )


@add_to(HANDLERS, SeatsDrawn)
def on_seats_drawn(state: State, event: Event[SeatsDrawn]) -> State:
    """Put the players in the order of the seats drawn for them."""
    seats = tuple(state.seats[index] for index in event.data.order)
    return apply(state, event, seats=seats, seats_drawn=True, moved=event.version)


@add_to(HANDLERS, DealerDrawn)
def on_dealer_drawn(state: State, event: Event[DealerDrawn]) -> State:
    """Set the first dealer."""
    return apply(state, event, dealer=event.data.seat)


@add_to(HANDLERS, CeremonyOpened)
def on_ceremony_opened(state: State, event: Event[CeremonyOpened]) -> State:
    """Add an open ceremony."""
    seals = tuple((int(seat), seal) for seat, seal in event.data.seals.items())
    opened = event.data
    ceremony = Ceremony(
        opened.n,
        opened.subject,
        opened.commit,
        at=event.at,
        seals=seals,
        beacon=opened.beacon,
        version=event.version,
    )
    return apply(state, event, ceremonies=(*state.ceremonies, ceremony), ceremony_count=opened.n)


@add_to(HANDLERS, SeedKept)
def on_seed_kept(state: State, event: Event[SeedKept]) -> State:
    """Set the seed, which only the table sees."""
    return apply(state, event, ceremonies=_change_ceremony(state, event.data.n, seed=event.data.seed))


@add_to(HANDLERS, CutOpened)
def on_cut_opened(state: State, event: Event[CutOpened]) -> State:
    """Add a seat's cut, and its seal for the next deal."""
    cut = event.data
    cuts = next(each.cuts for each in state.ceremonies if each.n == cut.n)
    ceremonies = _change_ceremony(state, cut.n, cuts=(*cuts, (cut.seat, cut.cut)))
    return apply(state, event, ceremonies=ceremonies, next_seals=set_at(state.next_seals, cut.seat, cut.next_seal))


@add_to(HANDLERS, BeaconRecorded)
def on_beacon_recorded(state: State, event: Event[BeaconRecorded]) -> State:
    """Set the cut of the ceremony's beacon."""
    return apply(state, event, ceremonies=_change_ceremony(state, event.data.n, beacon_cut=event.data.cut))


def _change_ceremony(state: State, n: int, **fields: Any) -> tuple[Ceremony, ...]:
    return tuple(replace(each, **fields) if each.n == n else each for each in state.ceremonies)


@add_to(HANDLERS, CeremonyRevealed, CeremonyVoided)
def on_ceremony_closed(state: State, event: Event[CeremonyRevealed | CeremonyVoided]) -> State:
    """Remove a ceremony that was revealed or is void. No undo goes back past a reveal."""
    ceremonies = tuple(each for each in state.ceremonies if each.n != event.data.n)
    return apply(state, event, ceremonies=ceremonies, undo_point=None)


@add_to(HANDLERS, HandDealt)
def on_hand_dealt(state: State, event: Event[HandDealt]) -> State:
    """Begin a hand. If a suit is always trump, it's the hand's."""
    deal, seats = event.data, len(state.seats)
    ceremony = next(each for each in state.ceremonies if each.n == deal.n)
    hand = Hand(
        number=deal.hand,
        redeal=deal.redeal,
        n=deal.n,
        commit=ceremony.commit,
        grade=deal.grade,
        dealer=deal.dealer,
        eldest=deal.eldest,
        counts=deal.counts,
        cards=(None,) * seats,
        bids=(None,) * seats,
        first_bids=(None,) * seats,
        taken=((),) * seats,
        tricks=(0,) * seats,
        lead=deal.eldest,
        stock_left=deal.stock,
        trump=state.rules.fixed_trump,
        ceremony_version=ceremony.version,
        beacon=ceremony.beacon,
        has_beacon=any(source == ceremony.beacon for source, _ in deal.cuts),
    )
    ceremonies = _change_ceremony(state, deal.n, dealt=True)
    after = replace(apply_play(state, event, hand), ceremonies=ceremonies, barred=(*state.barred, *deal.missing))
    return after if deal.redeal else replace(after, proposals=(0,) * seats)


@add_to(HANDLERS, CardsDealt)
def on_cards_dealt(state: State, event: Event[CardsDealt]) -> State:
    """Set a seat's cards."""
    hand = current_hand(state)
    held = set_at(hand.cards, event.data.seat, sort_cards(event.data.cards))
    return apply(state, event, hand=replace(hand, cards=held))


@add_to(HANDLERS, StockLaid)
def on_stock_laid(state: State, event: Event[StockLaid]) -> State:
    """Set the stock."""
    return apply(state, event, hand=replace(current_hand(state), stock=event.data.cards))


@add_to(HANDLERS, TrumpTurnedUp)
def on_trump_turned_up(state: State, event: Event[TrumpTurnedUp]) -> State:
    """Set the upcard and the trump it makes."""
    upcard = event.data
    hand = replace(current_hand(state), upcard=upcard.card, trump=upcard.suit)
    return apply(state, event, hand=hand, undo_point=None)


@add_to(HANDLERS, MisdealDeclared)
def on_misdeal_declared(state: State, event: Event[MisdealDeclared]) -> State:
    """End the hand before its auction."""
    hand = replace(current_hand(state), over=True, misdealt=True)
    over = apply(state, event, hand=hand, turn=(), moved=event.version, past_deals=close_deal(state, hand))
    return replace(over, undo_point=None)


@add_to(HANDLERS, CoinFlipped)
def on_coin_flipped(state: State, event: Event[CoinFlipped]) -> State:
    """Set the seat that won the draw."""
    coin = event.data
    return apply(state, event, coin=coin.winner, ceremonies=_change_ceremony(state, coin.n, dealt=True))
