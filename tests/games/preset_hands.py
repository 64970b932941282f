"""Hands of the presets as text, for each of them and any number of players; seat 0 is the eldest.

`dealt("pedro", *hands)` is before the auction. `scored("pedro", (8, 0, 0, 0), "0: AH 5D 2H 10H")` is a hand of just the
cards that are played: seat 0 bids and names hearts, and there are no discards. A bid of 0 is a pass if there is one.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from domain.cards import Suit, suit_of
from domain.commands import CallPartner, Discard, MakeBid, NameTrump, PassBid, PlayCard
from domain.engine.legal_moves import legal_moves
from domain.events import Fact, GameEnded, HandScored, TrumpTurnedUp
from domain.rules.choices import Fill, FirstDealer, Phase, Tally, Trump
from domain.rules.variants import compose_rules
from tests.games.hands import commit, earlier_scores, game_ended, go_on, hands_of_plays, only_fact, plays
from tests.games.setback_hands import dealer_drawn
from tests.given import Given, cards, deal, game_opened, given


def dealt(
    variant: str,
    *hands: str,
    stock: str = "",
    scores: Sequence[int] = (),
    fields: dict[str, Any] | None = None,
    **options: Any,
) -> Given:
    """Return a deal before its auction, by the variant's rules with other `fields`.

    `stock` is the top of the rest of the deck, whose first card may be turned up.
    """
    seats, number = len(hands), len(hands) + 1 if scores else 1
    rules = replace(compose_rules(variant, options, seats)[0], **(fields or {}))
    held = {card for text in (*hands, stock) for card in cards(text)}
    laid = (*cards(stock), *(card for card in rules.deck if card not in held))
    turned = (TrumpTurnedUp(number, laid[0], suit_of(laid[0])),) if rules.trump is Trump.TURNED_UP else ()
    drawn = dealer_drawn(seats - 1) if rules.first_dealer is FirstDealer.DRAWN else ()
    before = earlier_scores(*scores) if scores else ()
    opening = game_opened(seats, variant=variant, rules=rules, **options)
    return given(opening, *drawn, *before, *deal(hands, number, stock=" ".join(laid)), *turned)


def make_bids(at: Given, *bids: int) -> Given:
    """Return the situation after these bids in turn, 0 for a pass if there is one."""
    for bid in bids:
        (seat,) = at.state.turn
        passes = not bid and at.state.rules.auction.passing
        at = at.when(PassBid(seat) if passes else MakeBid(seat, bid)).happens()
    return at


def bids_of(at: Given) -> list[int]:
    """Return what the seat in turn can bid, 0 for a pass."""
    return [move.bid if isinstance(move, MakeBid) else 0 for move in legal_moves(at.state, *at.state.turn)]


def named(at: Given, suit: Suit = "H", call: str | None = None) -> Given:
    """Return the situation after the pitcher names trump and calls a card, if that is due."""
    if at.state.phase is Phase.NAMING:
        at = at.when(NameTrump(at.state.turn[0], suit)).happens()
    if call is not None and at.state.phase is Phase.CALLING:
        at = at.when(CallPartner(at.state.turn[0], cards(call)[0])).happens()
    return at


def discarded(at: Given, *texts: str) -> Given:
    """Return the situation after each seat in turn discards these cards."""
    for text in texts:
        at = at.when(Discard(at.state.turn[0], cards(text))).happens()
    return at


def at_play(
    variant: str,
    bids: Sequence[int],
    *tricks: str,
    suit: Suit = "H",
    call: str | None = None,
    fields: dict[str, Any] | None = None,
    **given_: Any,
) -> Given:
    """Return a hand of the cards of `tricks` before the first of them; other arguments are those of `dealt`."""
    hands, those = hands_of_plays(plays(tricks, len(bids)), len(bids)), {"fill": Fill.NOTHING} | (fields or {})
    if compose_rules(variant, {})[0].tally is Tally.EXACT:
        those = {"hand_sizes": (len(tricks),)} | those
    return named(make_bids(dealt(variant, *hands, fields=those, **given_), *bids), suit, call)


def played(variant: str, bids: Sequence[int], *tricks: str, **given_: Any) -> tuple[Fact, ...]:
    """Return the facts of the commit of the hand's last card."""
    *before, last = plays(tricks, len(bids))
    return commit(go_on(at_play(variant, bids, *tricks, **given_), *before), last)


def scored(variant: str, bids: Sequence[int], *tricks: str, **given_: Any) -> HandScored:
    """Return the score of that hand."""
    return only_fact(HandScored, played(variant, bids, *tricks, **given_))


def ended(variant: str, bids: Sequence[int], *tricks: str, **given_: Any) -> tuple[tuple[int, ...], GameEnded | None]:
    """Return the scores after that hand, and the end of the game, if it's over."""
    facts = played(variant, bids, *tricks, **given_)
    return only_fact(HandScored, facts).scores, game_ended(facts)


def playable(at: Given) -> str:
    """Return the cards that the seat in turn can play, as text."""
    return " ".join(move.card for move in legal_moves(at.state, *at.state.turn) if isinstance(move, PlayCard))
