"""Decide what happens between the auction and the play: naming trump, calling a partner, and discarding."""

from domain.cards import sort_cards
from domain.commands import CallPartner, Discard, NameTrump
from domain.decide.consequences import with_consequences
from domain.engine.discards import DiscardOptions, cards_to_draw, discard_options, stock_taker
from domain.engine.legal_moves import can_call_partner, require_turn
from domain.engine.tricks import is_trump
from domain.events import CardsBuried, CardsDiscarded, CardsDrawn, CardsTaken, Fact, PartnerCalled, TrumpNamed
from domain.rejections import CannotDiscard, NoCall
from domain.rules.choices import Phase, Quirk, Throw
from domain.state import Hand, State, current_hand


def name_trump(state: State, command: NameTrump) -> tuple[Fact, ...]:
    """Name trump as the pitcher: any suit, held or not (R-C2, R-C60)."""
    require_turn(state, command.seat)
    return with_consequences(state, TrumpNamed(command.seat, command.suit, ()))


def call_partner(state: State, command: CallPartner) -> tuple[Fact, ...]:
    """Call any card of the deck as the pitcher, once a call is due; during a hand even out of turn (C13)."""
    if not can_call_partner(state, command.seat):
        raise NoCall("You can't call a partner now.")
    if command.card not in state.rules.deck:
        raise NoCall(f"{command.card} isn't in this deck.")
    is_awaited = state.phase in (Phase.CALLING, Phase.WAITING)
    return with_consequences(state, PartnerCalled(command.seat, command.card, (), begins_turn=is_awaited))


def discard(state: State, command: Discard) -> tuple[Fact, ...]:
    """Discard cards, and fill up from the front of the stock; the pitcher takes the rest (R-C2, R-C3, R-C48).

    Refuse cards not held, point cards that the seat can keep, and a number that leaves too many or too few.
    """
    require_turn(state, command.seat)
    hand = current_hand(state)
    options = discard_options(state.rules, hand, command.seat)
    if options is None or not options.allows(command.cards):
        raise CannotDiscard(_discard_help(state.rules.throw, options))
    return with_consequences(state, *_discard_facts(state, hand, command), *_draw_facts(state, hand, command))


def _discard_help(throw: Throw, options: DiscardOptions | None) -> str:
    if options is None:
        return "You have nothing to discard."
    least, most = options.minimum, options.maximum
    number = str(least) if least == most else f"{least} to {most}"
    required = f"all of {' '.join(options.required)} and the rest " if options.required else ""
    cards = "card" if most == 1 else "different cards"
    stays = "point cards" if throw is Throw.POINTS_STAY else "trumps"
    if not most:
        return f"Discard no card. You hold no more than you keep, or only {stays}."
    return f"Discard {number} {cards}: {required}from {' '.join(options.optional)}. You keep other {stays}."


def _discard_facts(state: State, hand: Hand, command: Discard) -> tuple[Fact, ...]:
    """Return the discard; trumps are shown if trumps must stay, else only those of the seat that takes the stock."""
    rules, seat, cards = state.rules, command.seat, sort_cards(command.cards)
    open_cards = rules.throw is Throw.TRUMPS_STAY or seat == stock_taker(rules, hand)
    shown = tuple([card for card in cards if is_trump(rules, hand.trump, card)]) if open_cards else ()
    hidden = tuple([card for card in cards if card not in shown]) if shown else cards
    discarded = CardsDiscarded(seat, len(cards), shown, ())
    return (discarded, CardsBuried(hand.n, seat, hidden)) if hidden else (discarded,)


def _draw_facts(state: State, hand: Hand, command: Discard) -> tuple[Fact, ...]:
    """Return the cards drawn to fill up the hand of a seat that doesn't take the stock, as many as are left (H1)."""
    count = cards_to_draw(state.rules, hand, command.seat, len(command.cards))
    if not count or hand.stock is None:
        return ()
    drawn = hand.stock[:count]
    if not drawn and Quirk.EMPTY_DRAWS not in state.rules.quirks:
        return ()
    return CardsDrawn(command.seat, len(drawn)), CardsTaken(hand.n, command.seat, drawn)
