"""House rules as values, and hands by them as text: the last seat deals, and seat 0 is the eldest hand.

`play(rules, "5 - - -", "H", "0: AH 2H 3H 10H", ...)` is the situation after these bids (- for a pass), this trump and
these tricks; in a trick, - is a seat that is skipped. Each seat was dealt the cards that it plays, with no stock.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from domain.cards import DECK_52, Suit
from domain.commands import CallPartner, MakeBid, NameTrump, PassBid
from domain.events import CeremonyRevealed, Fact, HandScored
from domain.rules.choices import Fill, FirstDealer
from domain.rules.model import Rules
from domain.rules.variants import VARIANTS
from tests.games.hands import go_on, hands_of_plays, plays
from tests.given import SEED, Given, cards, deal, game_opened, given


def auction(rules: Rules, **fields: Any) -> Rules:
    """Return the rules with other values in their auction."""
    return replace(rules, auction=replace(rules.auction, **fields))


PRESETS = {
    name: replace(each.rules, first_dealer=FirstDealer.LAST_SEAT, misdeal=())
    for name, each in VARIANTS.items()
    if each.sheet.letter not in "STBC"
}
"""The rules of the presets, for hands whose first dealer isn't drawn."""
TEN_POINT = PRESETS["ten-point"]
SMEAR = PRESETS["smear"]
PEDRO, CINCH, KITTY = PRESETS["pedro"], PRESETS["cinch"], PRESETS["four-point-kitty"]
OH_HELL = PRESETS["oh-hell"]


def without_stock(rules: Rules) -> Rules:
    """Return the same rules without a use of the stock: play follows the naming, with hands of any size."""
    return replace(rules, fill=Fill.NOTHING, kitty=0)


def dealt(rules: Rules, hands: Sequence[str], *, stock: str | None = "", scores: Sequence[int] = ()) -> Given:
    """Return these hands before their auction, after a hand that left these scores."""
    dealing = deal(hands, 2 if scores else 1, len(hands) - 1, stock=stock, jokers=rules.jokers)
    return given(game_opened(len(hands), rules=rules), *_before(scores), *dealing)


def _before(scores: Sequence[int]) -> tuple[Fact, ...]:
    """Return the facts of a first hand that left these scores."""
    if not scores:
        return ()
    seats, after = len(scores), tuple(scores)
    none = (0,) * seats
    scored = HandScored(1, (), none, made=True, changes=after, scores=after, tricks=none, bids=(None,) * seats)
    return *deal(DECK_52[:seats], dealer=seats - 2, stock=""), scored, CeremonyRevealed(1, SEED)


def make_bids(at: Given, bids: str) -> Given:
    """Return the situation after these bids from the eldest hand on, - for a pass."""
    for bid in bids.split():
        (seat,) = at.state.turn
        at = at.when(PassBid(seat) if bid == "-" else MakeBid(seat, int(bid))).happens()
    return at


def name(at: Given, suit: Suit, call: str | None = None) -> Given:
    """Return the situation after the pitcher names trump, and calls a card."""
    (seat,) = at.state.turn
    at = at.when(NameTrump(seat, suit)).happens()
    return at if call is None else at.when(CallPartner(seat, *cards(call))).happens()


def play(
    rules: Rules, bids: str, suit: Suit | None, *tricks: str, call: str | None = None, scores: Sequence[int] = ()
) -> Given:
    """Return the situation after the hand; without a suit nobody names trump."""
    players = len(tricks[0].split()) - 1
    moves = plays(tricks, players)
    at = make_bids(dealt(without_stock(rules), hands_of_plays(moves, players), scores=scores), bids)
    return go_on(at if suit is None else name(at, suit, call), *moves)
