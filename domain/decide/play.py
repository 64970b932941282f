"""Decide moves in turn: bids and passes, naming trump, calling a partner, discarding, and cards played to a trick."""

from domain.cards import SUIT, SUIT_NAMES, sort_cards
from domain.commands import CallPartner, Discard, MakeBid, NameTrump, PassBid, PlayCard
from domain.decide.commits import kitty_facts, next_player_after, trick_with_next_lead, with_consequences
from domain.engine.auction import (
    bid_options,
    forced_bid,
    high_bid,
    hooked_bid,
    moon_bid,
    next_bidder,
    possible_bids,
)
from domain.engine.discards import DiscardOptions, cards_to_draw, discard_options, stock_taker
from domain.engine.legal_moves import can_call_partner, can_play, out_of_turn_error, playable_cards, require_turn
from domain.engine.sides import sides_for_pitcher
from domain.engine.tricks import is_trump, suit_by_card
from domain.engine.wording import one_of
from domain.events import (
    AuctionWon,
    BidMade,
    BidPassed,
    CardPlayed,
    CardsBuried,
    CardsDiscarded,
    CardsDrawn,
    CardsTaken,
    Fact,
    HandThrownIn,
    PartnerCalled,
    Seats,
    TrumpNamed,
    TrumpPitched,
)
from domain.rejections import (
    BidTooHigh,
    BidTooLow,
    CannotDiscard,
    Hooked,
    MustBid,
    MustFollow,
    MustPlayCalled,
    NoCall,
    NotABid,
    NotATrump,
    NotInHand,
)
from domain.rules.choices import AllPass, Bids, Follow, Phase, Quirk, Throw, Trump
from domain.rules.model import Rules, total_worth
from domain.state import Hand, State, current_hand


def make_bid(state: State, command: MakeBid) -> tuple[Fact, ...]:
    """Record a bid; refuse numbers that aren't bids, bids that are too low or too high, and the hooked bid."""
    require_turn(state, command.seat)
    rules, hand = state.rules, current_hand(state)
    if command.bid == 0 and rules.auction.zero_passes:
        return pass_bid(state, PassBid(command.seat))
    if command.bid not in bid_options(rules, hand).bids:
        raise _bid_error(rules, hand, command.bid)
    bid_made = BidMade(command.seat, command.bid, _seats_to_act(state))
    return (bid_made, *_auction_result(state, command.seat, command.bid)) if not bid_made.next else (bid_made,)


def _bid_error(rules: Rules, hand: Hand, bid: int) -> NotABid | BidTooLow | BidTooHigh | Hooked:
    """Make the refusal of this bid; it says which bids are allowed (S11, S13, T8, T9, B14, C32)."""
    all_bids, high, advice = possible_bids(rules, hand.number), high_bid(hand), describe_options(rules, hand)
    if rules.auction.of is Bids.POINTS and bid > all_bids[-1]:
        return BidTooHigh(f"{bid} is more than the {rules.total} points of a hand. {advice}")
    if rules.auction.of is Bids.POINTS and 0 < bid < all_bids[0]:
        return BidTooLow(f"{bid} is less than the lowest bid, {all_bids[0]}. {advice}")
    if bid not in all_bids:
        return NotABid(f"{bid} isn't a bid. {advice}")
    if bid == hooked_bid(rules.auction, all_bids, hand):
        return Hooked(f"With {bid}, the bids would add up to {all_bids[-1]}, the number of tricks. {advice}")
    if high is None or bid > high:
        return BidTooHigh(f"The dealer can't bid {bid} now. {advice}")
    return BidTooLow(f"{bid} isn't higher than {high}. {advice}")


def describe_options(rules: Rules, hand: Hand) -> str:
    """Describe the options, such as "You can bid 4 or 5, or pass."; a second sentence names the moon."""
    can_pass, numbers = bid_options(rules, hand)
    if not numbers:
        return "You can only pass."
    alternative = "" if not can_pass else " or pass" if len(numbers) == 1 else ", or pass"
    moon = f" {numbers[-1]} is the moon." if numbers[-1] == moon_bid(rules) else ""
    return f"You can bid {one_of(numbers)}{alternative}.{moon}"


def pass_bid(state: State, command: PassBid) -> tuple[Fact, ...]:
    """Record a pass if passing is allowed; the last one decides what happens to the hand (S16, T10, B7)."""
    require_turn(state, command.seat)
    rules, hand = state.rules, current_hand(state)
    if not bid_options(rules, hand).can_pass:
        raise MustBid(f"You can't pass now. {describe_options(rules, hand)}")
    bid_passed = BidPassed(command.seat, _seats_to_act(state))
    return (bid_passed, *_auction_result(state, command.seat, None)) if not bid_passed.next else (bid_passed,)


def _seats_to_act(state: State) -> Seats:
    """Return who acts next, () after the last bidder (S14); without a pitcher the eldest hand leads (B17)."""
    hand = current_hand(state)
    if hand.auction_turns < len(state.seats) - 1:
        return (next_bidder(state.rules.auction, hand.eldest, len(state.seats), hand.auction_turns + 1),)
    return () if state.rules.auction.contract else (hand.eldest,)


def _auction_result(state: State, seat: int, bid: int | None) -> tuple[Fact, ...]:
    """Return the facts that end the auction: a pitcher, who may take a kitty, or a hand thrown in."""
    rules, hand = state.rules, current_hand(state)
    if bid is not None:
        return _won(state, seat, bid, forced=_is_forced(rules, hand), everything=bid >= rules.total)
    if hand.high is not None:
        return _won(state, hand.high, high_bid(hand) or 0, forced=False, everything=_is_bid_for_everything(rules, hand))
    if rules.auction.all_pass is AllPass.DEALER_HAS_IT:
        return _won(state, hand.dealer, forced_bid(rules), forced=True, everything=False)
    return (HandThrownIn(hand.number),)


def _is_forced(rules: Rules, hand: Hand) -> bool:
    """Return whether the dealer had to bid because nobody else did (T10)."""
    return hand.high is None and rules.auction.all_pass in (AllPass.DEALER_BIDS_LEAST, AllPass.DEALER_BIDS)


def _is_bid_for_everything(rules: Rules, hand: Hand) -> bool:
    """Return whether the highest bid was for all the points there were when it was made (R-C50)."""
    first_bid = None if hand.high is None else hand.first_bids[hand.high]
    return first_bid is not None and first_bid[0] >= total_worth(rules.points_of(first_bid[1]))


def _won(state: State, seat: int, bid: int, *, forced: bool, everything: bool) -> tuple[Fact, ...]:
    """Return the pitcher, and the kitty that they take before naming trump, if any."""
    sides, kitty = sides_for_pitcher(state.rules, seat, len(state.seats)), kitty_facts(state, seat)
    return AuctionWon(seat, bid, forced, everything, sides, () if kitty else (seat,)), *kitty


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


def play_card(state: State, command: PlayCard) -> tuple[Fact, ...]:
    """Record the card, the trump it pitches (S33), the trick it completes, and the hand that this trick ends.

    Refuse a card that the seat doesn't hold, in the same words wherever it is (S18), one that doesn't follow (S34, S35,
    B20), a plain card if only trumps are played (R-C9), and another card than the called one (R-C29).
    """
    rules, hand, seat, card = state.rules, current_hand(state), command.seat, command.card
    if seat not in state.turn:
        raise out_of_turn_error(state, seat)
    if not can_play(rules, hand, seat, card):
        raise _card_error(state, hand, command)
    pitched = () if hand.trump is not None else _pitch_trump(rules, command)
    following = next_player_after(rules, hand, seat, card)
    if following is not None and card != hand.called:
        return *pitched, CardPlayed(seat, card, (following,))
    if following is None and (taken := trick_with_next_lead(rules, hand, seat, card)) is not None:
        return *pitched, CardPlayed(seat, card, ()), taken
    return with_consequences(state, *pitched, CardPlayed(seat, card, ()))


def _pitch_trump(rules: Rules, command: PlayCard) -> tuple[TrumpPitched, ...]:
    """Return the trump that the first lead makes, if the hand has none yet (S33)."""
    suit = SUIT[command.card]
    if rules.trump is not Trump.PITCHED or suit is None:
        return ()
    return (TrumpPitched(command.seat, suit, command.card),)


def _card_error(state: State, hand: Hand, command: PlayCard) -> NotInHand | MustPlayCalled | NotATrump | MustFollow:
    held, legal = hand.cards[command.seat] or (), playable_cards(state.rules, hand, command.seat)
    advice = f"You can play {one_of(legal)}."
    if command.card not in held:
        return NotInHand(f"You don't hold {command.card}.")
    if legal == (hand.called,):
        return MustPlayCalled(f"The pitcher called your card, so you must play it. {advice}")
    if state.rules.follow is Follow.TRUMPS_ONLY or hand.trick is None:
        return NotATrump(f"You can only play trumps now. {advice}")
    led = suit_by_card(state.rules.off, hand.trump)[hand.trick.plays[0].card]
    return MustFollow(f"You must follow the suit led, {SUIT_NAMES[led] if led else 'trump'}. {advice}")
