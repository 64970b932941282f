"""Hands of Corellian Pitch as text: a table and its rules, and then bids, suit, discards and tricks.

    table(DEAL) at the auction; make_bids(.., 4, 0, 0, 0), name_trump(.., "H"), call_card(.., "KH"),
    discard_cards(.., "2C 3C 4C"), play_tricks(.., "0: AH 3H - 9H"), change_rule(.., "points:7") continue from there.

"0: AH 3H - 9H" is a trick that seat 0 leads; seat 2 is skipped. Seat 0 is the eldest hand unless another seat deals.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from domain.cards import Suit
from domain.commands import CallPartner, Command, Discard, DrawChange, EndSession, MakeBid, NameTrump, PassBid, PlayCard
from domain.engine.rule_menu import available_changes
from domain.events import CeremonyOpened, CeremonyRevealed, DealerDrawn, Fact, HandScored, SeedKept
from domain.protocols import fairdeal
from domain.rules.choices import Fill, Partners
from domain.rules.model import Randomizer, Rules
from domain.rules.variants import compose_rules
from domain.rules.variants.corellian_versions import VERSIONS, with_game
from domain.state import current_hand
from tests.games import hands
from tests.games.hands import commit, go_on, only_fact
from tests.given import GAME, SEED, Given, cards, deal, game_opened, given

SEATS = 4
EVERY = tuple(VERSIONS)
"""Every version by its name."""
ORIENTATIONS = ("across", "left", "right", "call")
MENU = (
    *(f"points:{points}" for points in EVERY),
    *("dirty:on", "dirty:off", "reverse:on", "reverse:off"),
    *(f"partners:{partners}" for partners in ORIENTATIONS),
)
DEAL = (
    "AH KH 9H 4H 3H 2C 3C 4C 5C",
    "QH JH 8H AS KS 6C 7C 8C 9C",
    "JD X1 7H 2H 4D 5D 6D 7D 8D",
    "X2 10H 6H 5H 2D 3D 9D 10D KD",
)
"""Nine cards for each seat, with an honour each; the stock is the remaining clubs, diamonds and spades."""


def rules_of(
    points: str = "10", *, dirty: bool = False, reverse: bool = False, partners: str = "across", **options: Any
) -> Rules:
    """Return the rules in that setting; the options are those of POST /games.

    Every change is on the menu, but the randomizer draws nothing unless the options say so.
    """
    rules, chosen = compose_rules("corellian", {"randomizer": None} | options)
    versions = {name: with_game(each) if chosen["ten"] == "game" else each for name, each in VERSIONS.items()}
    menu = rules.changes.menu if chosen["randomizer"] else MENU
    randomizer = rules.changes.randomizer or Randomizer(when=(0, 1), end=(0, 1))
    version = versions[points]
    return replace(
        rules,
        version=version.name,
        points=version.points,
        off=version.off,
        dirty=dirty,
        reverse=reverse,
        partners=Partners(partners),
        changes=replace(rules.changes, menu=menu, versions=tuple(versions.values()), randomizer=randomizer),
    )


def table(
    hands: Sequence[str] = DEAL,
    rules: Rules | None = None,
    *,
    dealer: int = 3,
    stock: str | None = None,
    scores: Sequence[int] = (),
    **setting: Any,
) -> Given:
    """Return a dealt hand before its auction, by `rules` or in that setting (rules_of), after these `scores`."""
    number = 2 if scores else 1
    first = (dealer + 1 - number) % SEATS
    play_by = rules or rules_of(**setting)
    dealing = deal(hands, number, dealer, stock=stock, jokers=True)
    opening = game_opened(variant="corellian", rules=play_by, randomizer=None)
    return given(opening, *_drawn(first), *_before(scores), *dealing)


def _drawn(dealer: int) -> tuple[Fact, ...]:
    """Return the facts of ceremony 0, which draws the first dealer."""
    promise = fairdeal.commit(GAME, 0, "game", bytes.fromhex(SEED)).hex()
    opening = CeremonyOpened(0, "game", promise, {}), SeedKept(0, SEED)
    return *opening, DealerDrawn(0, dealer), CeremonyRevealed(0, SEED)


def _before(scores: Sequence[int]) -> tuple[Fact, ...]:
    """Return the facts of a hand that left these scores."""
    if not scores:
        return ()
    none, after = (0,) * SEATS, tuple(scores)
    scored = HandScored(1, (), none, made=True, changes=after, scores=after, tricks=none, bids=(None,) * SEATS)
    return *deal(DEAL, jokers=True), scored, CeremonyRevealed(1, SEED)


def make_bids(at: Given, *bids: int) -> Given:
    """Return the situation after these bids in turn, 0 for a pass."""
    for bid in bids:
        (seat,) = at.state.turn
        at = at.when(MakeBid(seat, bid) if bid else PassBid(seat)).happens()
    return at


def name_trump(at: Given, suit: Suit) -> Given:
    """Return the situation after the bidder names trump."""
    return at.when(NameTrump(at.state.turn[0], suit)).happens()


def call_card(at: Given, card: str) -> Given:
    """Return the situation after the bidder calls a card, in the middle of a hand also out of turn."""
    hand = at.state.hand
    assert hand is not None
    assert hand.pitcher is not None
    return at.when(CallPartner(hand.pitcher, cards(card)[0])).happens()


def discard_cards(at: Given, *texts: str) -> Given:
    """Return the situation after each seat in turn discards these cards."""
    for text in texts:
        at = at.when(Discard(at.state.turn[0], cards(text))).happens()
    return at


def plays(tricks: Iterable[str]) -> list[PlayCard]:
    """Return the cards of `tricks` in the order played, each with its seat; "-" is a skipped seat."""
    return hands.plays(tricks, SEATS)


def play_tricks(at: Given, *tricks: str) -> Given:
    """Return the situation after these tricks, complete or open; a refused card raises."""
    return go_on(at, *plays(tricks))


def change_rule(at: Given, word: str) -> Given:
    """Return the situation after the randomizer makes this change, whatever the seed would draw."""
    return at.when(rule_draw(at, word)).happens()


def rule_draw(at: Given, word: str) -> DrawChange:
    """Return the command that draws this change: a word of the menu, such as "points:7"."""
    hand = at.state.hand
    assert hand is not None
    waiting = hand.deferred[-1].rules if hand.deferred else at.state.rules
    menu = available_changes(waiting)
    return DrawChange(hand.n, f"randomizer {hand.turns} what", menu.index(word), len(menu))


def without_discards(rules: Rules) -> Rules:
    """Return the same rules without discards: the play follows the naming, with hands of any size."""
    return replace(rules, fill=Fill.NOTHING)


def playing(
    bids: Sequence[int],
    tricks: Sequence[str],
    suit: Suit = "H",
    *,
    rest: Sequence[str] = ("",) * SEATS,
    call: str | None = None,
    rules: Rules | None = None,
    scores: Sequence[int] = (),
    **setting: Any,
) -> Given:
    """Return a hand without discards before the last card of its tricks.

    Each seat was dealt the cards it plays and those in `rest`; `call` is the card called.
    """
    *before, _ = moves = plays(tricks)
    held = [" ".join([*(move.card for move in moves if move.seat == seat), rest[seat]]) for seat in range(SEATS)]
    at = make_bids(table(held, without_discards(rules or rules_of(**setting)), stock="", scores=scores), *bids)
    at = name_trump(at, suit)
    return go_on(at if call is None else call_card(at, call), *before)


def last_card(tricks: Sequence[str]) -> Command:
    """Return the last card of these tricks."""
    return plays(tricks)[-1]


def play_hand(bids: Sequence[int], *tricks: str, suit: Suit = "H", **given_: Any) -> tuple[Fact, ...]:
    """Return the facts of the commit of the hand's last card; other arguments are those of `playing`."""
    return commit(playing(bids, tricks, suit, **given_), last_card(tricks))


def score_hand(bids: Sequence[int], *tricks: str, suit: Suit = "H", **given_: Any) -> HandScored:
    """Return the score of that hand."""
    return only_fact(HandScored, play_hand(bids, *tricks, suit=suit, **given_))


def draw_end(at: Given) -> EndSession:
    """Return the situation after the randomizer draws the end of the session before the current turn."""
    hand = current_hand(at.state)
    return EndSession(hand.n, f"randomizer {hand.turns} end")
