"""Hands of Corellian Pitch written down: a table and its rules, and then bids, suit, discards and tricks as text.

    table(DEAL) at the auction; said(.., 4, 0, 0, 0), named(.., "H"), called(.., "KH"), thrown(.., "2C 3C 4C"),
    played(.., "0: AH 3H - 9H"), changed(.., "points:7") go on from there, each step as the decider has it.

"0: AH 3H - 9H" is a trick that seat 0 leads; seat 2 is passed over. Seat 0 is the eldest hand unless another deals.
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
from tests.given import GAME, SEED, Given, cards, deal, given, opened
from tests.hands import commit, the

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
"""Nine cards each with an honour for everybody; the stock is the rest, clubs, diamonds and spades."""


def rules_of(
    points: str = "10", *, dirty: bool = False, reverse: bool = False, partners: str = "across", **options: Any
) -> Rules:
    """The rules in that setting, options as POST /games has them.

    Every change is on the menu, but unless the options say so the randomizer draws nothing.
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
    """The hand is dealt: at its auction, by `rules` or in that setting (rules_of), after an earlier hand's `scores`."""
    number = 2 if scores else 1
    first = (dealer + 1 - number) % SEATS
    play_by = rules or rules_of(**setting)
    dealing = deal(hands, number, dealer, stock=stock, jokers=True)
    opening = opened(variant="corellian", rules=play_by, randomizer=None)
    return given(opening, *_drawn(first), *_before(scores), *dealing)


def _drawn(dealer: int) -> tuple[Fact, ...]:
    """Ceremony 0: who deals first."""
    promise = fairdeal.commit(GAME, 0, "game", bytes.fromhex(SEED)).hex()
    opening = CeremonyOpened(0, "game", promise, {}), SeedKept(0, SEED)
    return *opening, DealerDrawn(0, dealer), CeremonyRevealed(0, SEED)


def _before(scores: Sequence[int]) -> tuple[Fact, ...]:
    """A hand that left these scores."""
    if not scores:
        return ()
    none, after = (0,) * SEATS, tuple(scores)
    scored = HandScored(1, (), none, made=True, changes=after, scores=after, tricks=none, bids=(None,) * SEATS)
    return *deal(DEAL, jokers=True), scored, CeremonyRevealed(1, SEED)


def said(at: Given, *bids: int) -> Given:
    """These bids by whose turn it is, 0 for a pass."""
    for bid in bids:
        (seat,) = at.state.turn
        at = at.when(MakeBid(seat, bid) if bid else PassBid(seat)).happens()
    return at


def named(at: Given, suit: Suit) -> Given:
    """The bidder names trump."""
    return at.when(NameTrump(at.state.turn[0], suit)).happens()


def called(at: Given, card: str) -> Given:
    """The bidder calls a card, in the middle of a hand also out of turn."""
    hand = at.state.hand
    assert hand is not None
    assert hand.pitcher is not None
    return at.when(CallPartner(hand.pitcher, cards(card)[0])).happens()


def thrown(at: Given, *texts: str) -> Given:
    """Seat after seat whose turn it is throws these cards away."""
    for text in texts:
        at = at.when(Discard(at.state.turn[0], cards(text))).happens()
    return at


def plays(tricks: Iterable[str]) -> list[PlayCard]:
    """The cards of `tricks` in the order they fall, each by the seat it belongs to; "-" is a seat passed over."""
    moves = []
    for trick in tricks:
        leader, _, fell = trick.partition(":")
        for turn, card in enumerate(fell.split()):
            moves += [PlayCard((int(leader) + turn) % SEATS, each) for each in cards(card.strip("-"))]
    return moves


def played(at: Given, *tricks: str) -> Given:
    """These tricks, whole or begun; a card that is not accepted raises."""
    for move in plays(tricks):
        at = at.when(move).happens()
    return at


def changed(at: Given, word: str) -> Given:
    """The randomizer changes this before the turn that is due, once a turn; what the seed would draw is ignored."""
    return at.when(drawing(at, word)).happens()


def drawing(at: Given, word: str) -> DrawChange:
    """The draw that changes this: a word of the menu, such as "points:7"."""
    hand = at.state.hand
    assert hand is not None
    waiting = hand.deferred[-1].rules if hand.deferred else at.state.rules
    menu = available_changes(waiting)
    return DrawChange(hand.n, f"randomizer {hand.turns} what", menu.index(word), len(menu))


def undealt(rules: Rules) -> Rules:
    """The same rules without discards: the play follows the naming, with hands of any size."""
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
    """A hand without discards whose tricks are all played but for their last card.

    What each seat was dealt is what it plays, and `rest` besides; `call` is the card called.
    """
    *before, _ = moves = plays(tricks)
    held = [" ".join([*(move.card for move in moves if move.seat == seat), rest[seat]]) for seat in range(SEATS)]
    at = said(table(held, undealt(rules or rules_of(**setting)), stock="", scores=scores), *bids)
    at = named(at, suit)
    at = at if call is None else called(at, call)
    for move in before:
        at = at.when(move).happens()
    return at


def last(tricks: Sequence[str]) -> Command:
    """The last card of these tricks."""
    return plays(tricks)[-1]


def hand_played(bids: Sequence[int], *tricks: str, suit: Suit = "H", **given_: Any) -> tuple[Fact, ...]:
    """The commit of the hand's last card; the rest as `playing` takes it."""
    return commit(playing(bids, tricks, suit, **given_), last(tricks))


def scored(bids: Sequence[int], *tricks: str, suit: Suit = "H", **given_: Any) -> HandScored:
    """How that hand is scored."""
    return the(HandScored, hand_played(bids, *tricks, suit=suit, **given_))


def ending(at: Given) -> EndSession:
    """The randomizer draws the end of the session before the turn that is due."""
    hand = current_hand(at.state)
    return EndSession(hand.n, f"randomizer {hand.turns} end")
