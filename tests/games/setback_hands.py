"""Hands of Setback as text, like those of Pitch in tests/games/hands.py: the last seat deals, seat 0 is the eldest.

`bidding(2, 0, 0)` is the auction after these calls, 0 for a pass; `playing(bids, tricks)` has one card still to be
played, and `play_hand(bids, *tricks)` is the commit that card brings about.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.commands import MakeBid, PassBid
from domain.events import CeremonyOpened, CeremonyRevealed, DealerDrawn, Fact, HandScored, SeatResigned, SeedKept
from domain.protocols import fairdeal
from domain.rules.variants import compose_rules
from tests.games.hands import HANDS, commit, earlier_scores, go_on, hands_of_plays, only_fact, plays, with_hand_size
from tests.given import GAME, SEED, Given, deal, game_opened, given


def dealer_drawn(dealer: int) -> tuple[Fact, ...]:
    """Return the facts of ceremony 0, which drew `dealer` to deal first."""
    commit_ = fairdeal.commit(GAME, 0, "game", bytes.fromhex(SEED)).hex()
    return (
        CeremonyOpened(0, "game", commit_, {}),
        SeedKept(0, SEED),
        DealerDrawn(0, dealer),
        CeremonyRevealed(0, SEED),
    )


def call(seat: int, bid: int) -> MakeBid | PassBid:
    """Return a bid, or a pass if it is 0."""
    return MakeBid(seat, bid) if bid else PassBid(seat)


def make_bids(table: Given, *bids: int, eldest: int = 0) -> Given:
    """Return the auction after these bids from the eldest on, after checking that each was legal."""
    for turn, bid in enumerate(bids):
        table = table.when(call((eldest + turn) % len(table.state.seats), bid)).happens()
    return table


def bidding(*bids: int, players: int = 4, dealt_by: int | None = None, **options: Any) -> Given:
    """Return the first auction of a game after these bids from the eldest on; the last seat deals by default."""
    by = players - 1 if dealt_by is None else dealt_by
    table = given(
        game_opened(players, variant="setback", **options), *dealer_drawn(by), *deal(HANDS[:players], dealer=by)
    )
    return make_bids(table, *bids, eldest=by + 1)


def after_auction(
    bids: Sequence[int],
    hands: Sequence[str],
    scores: Sequence[int] = (),
    left: Iterable[int] = (),
    **options: Any,
) -> Given:
    """Return these hands after the auction; the seats in `left` resigned right after the deal."""
    players, rules = len(bids), with_hand_size(compose_rules("setback", options)[0], len(hands[0].split()))
    earlier = earlier_scores(*scores) if scores else ()
    table = given(
        game_opened(players, variant="setback", rules=rules),
        *dealer_drawn(players - 1),
        *earlier,
        *deal(hands, hand=players + 1 if scores else 1),
        *(SeatResigned(seat) for seat in left),
    )
    return make_bids(table, *bids)


def playing(bids: Sequence[int], tricks: Sequence[str], **given_: Any) -> Given:
    """Return the hand before its last card; other arguments are those of `auctioned`."""
    *before, _ = moves = plays(tricks, len(bids))
    return go_on(after_auction(bids, hands_of_plays(moves, len(bids)), **given_), *before)


def play_hand(bids: Sequence[int], *tricks: str, **given_: Any) -> tuple[Fact, ...]:
    """Return the facts of the commit of the hand's last card."""
    return commit(playing(bids, tricks, **given_), plays(tricks[-1:], len(bids))[-1])


def score_hand(bids: Sequence[int], *tricks: str, **given_: Any) -> HandScored:
    """Return the score of that hand."""
    return only_fact(HandScored, play_hand(bids, *tricks, **given_))
