"""Folding the opening, ceremonies and deals."""

from typing import Any

from domain.cards import sort_cards
from domain.events import (
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
from domain.evolve.helpers import after, past, play, put
from domain.state import Ceremony, Hand, Seat, State, dealt_hand
from domain.struct import replace


def opened(state: State, event: Event[GameOpened]) -> State:
    """The game starts; whoever opened it is its host."""
    players = event.data.players
    return after(
        state,
        event,
        game=event.game,
        opened=event.data,
        in_force=event.data.rules,
        host=event.by,
        seats=tuple(Seat(player.player, player.kind, player.bot) for player in players),
        still_in=tuple(range(len(players))),
        scores=(0,) * len(players),
        exact=(0,) * len(players),
        moved=event.version,
        opened_at=event.at,
        sealed=(None,) * len(players),
    )


def seats_drawn(state: State, event: Event[SeatsDrawn]) -> State:
    """Players move to the seats drawn for them."""
    seats = tuple(state.seats[index] for index in event.data.order)
    return after(state, event, seats=seats, seated=True, moved=event.version)


def dealer_drawn(state: State, event: Event[DealerDrawn]) -> State:
    """The first dealer is known."""
    return after(state, event, dealer=event.data.seat)


def ceremony_opened(state: State, event: Event[CeremonyOpened]) -> State:
    """A promise is open."""
    seals = tuple((int(seat), seal) for seat, seal in event.data.seals.items())
    told = event.data
    ceremony = Ceremony(told.n, told.subject, told.commit, at=event.at, seals=seals, version=event.version)
    return after(state, event, ceremonies=(*state.ceremonies, ceremony), ceremony_count=told.n)


def seed_kept(state: State, event: Event[SeedKept]) -> State:
    """The table knows the seed."""
    return after(state, event, ceremonies=_with_ceremony(state, event.data.n, seed=event.data.seed))


def cut_opened(state: State, event: Event[CutOpened]) -> State:
    """A seat's cut counts, and its next one is promised."""
    cut = event.data
    cuts = next(each.cuts for each in state.ceremonies if each.n == cut.n)
    ceremonies = _with_ceremony(state, cut.n, cuts=(*cuts, (cut.seat, cut.cut)))
    return after(state, event, ceremonies=ceremonies, sealed=put(state.sealed, cut.seat, cut.next_seal))


def _with_ceremony(state: State, n: int, **fields: Any) -> tuple[Ceremony, ...]:
    return tuple(replace(each, **fields) if each.n == n else each for each in state.ceremonies)


def closed(state: State, event: Event[CeremonyRevealed | CeremonyVoided]) -> State:
    """A promise is kept, or void."""
    return after(state, event, ceremonies=tuple(each for each in state.ceremonies if each.n != event.data.n))


def dealt(state: State, event: Event[HandDealt]) -> State:
    """A new hand."""
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
        promised=ceremony.version,
    )
    ceremonies = _with_ceremony(state, deal.n, dealt=True)
    return replace(play(state, event, hand), ceremonies=ceremonies, barred=(*state.barred, *deal.missing))


def cards_dealt(state: State, event: Event[CardsDealt]) -> State:
    """A seat's cards."""
    hand = dealt_hand(state)
    held = put(hand.cards, event.data.seat, sort_cards(event.data.cards))
    return after(state, event, hand=replace(hand, cards=held))


def stock_laid(state: State, event: Event[StockLaid]) -> State:
    """What was not dealt."""
    return after(state, event, hand=replace(dealt_hand(state), stock=event.data.cards))


def turned_up(state: State, event: Event[TrumpTurnedUp]) -> State:
    """The upcard makes trump."""
    told = event.data
    return after(state, event, hand=replace(dealt_hand(state), upcard=told.card, trump=told.suit))


def misdealt(state: State, event: Event[MisdealDeclared]) -> State:
    """The hand is over before it began."""
    hand = replace(dealt_hand(state), over=True, misdealt=True)
    return after(state, event, hand=hand, turn=(), moved=event.version, past=past(state, hand))


def coin_flipped(state: State, event: Event[CoinFlipped]) -> State:
    """A tie is settled."""
    told = event.data
    return after(state, event, coin=told.winner, ceremonies=_with_ceremony(state, told.n, dealt=True))
