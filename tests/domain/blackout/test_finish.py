"""Blackout, the score, the end of the game, the coin, and leaving (B12, B13, B24-B27, R-B12 to R-B14, R-P9)."""

import pytest

from domain.cards import DECK_52
from domain.commands import (
    DealHand,
    EndGame,
    FlipCoin,
    MakeBid,
    OpenCeremony,
    Resign,
    RevealCeremony,
)
from domain.decide.stand_in import stand_in_move
from domain.events import CeremonyOpened, CeremonyRevealed, CoinFlipped, GameEnded, HandScored, SeatResigned, SeedKept
from domain.protocols import fairdeal
from domain.rejections import NotDue
from tests.games.blackout_hands import LONG, bidding, commit, deal_hand, earlier_hands, last_hand, score_hand
from tests.games.hands import fact_names, game_ended, only_fact
from tests.games.tables import Table
from tests.given import GAME, SEED, Given, game_opened, given

Four = tuple[int, ...]
NONE = (0, 0, 0, 0)
# Hand 2, opened by seat 1: both tricks to seat 1, or to seat 3.
BOTH = ("1: AH 2H 3H 4H", "1: AC 2C 3C 4C")
THIRD = ("1: 9H 2H AH 4H", "3: AC 2C 3C 4C")
COIN = bytes(32)
"""The seed in the commitment that tests.games.hands.commit makes for the coin."""


@pytest.mark.parametrize(
    ("bids", "tricks", "took", "changes"),
    [
        pytest.param((2, 0, 0, 1), BOTH, (0, 2, 0, 0), (0, 12, 10, 10), id="B12 R-B13 exact bids of two and zero"),
        pytest.param((1, 0, 0, 0), BOTH, (0, 2, 0, 0), (10, 0, 10, 10), id="B13 one over scores nothing"),
        pytest.param((0, 0, 1, 0), THIRD, (0, 0, 0, 2), (10, 10, 10, 0), id="B13 R-B13 over a bid of one"),
    ],
)
def test_an_exact_bid_scores_the_bid_plus_ten(bids: Four, tricks: tuple[str, ...], took: Four, changes: Four) -> None:
    """The bids stand from seat 1 on."""
    result = score_hand(bids, *tricks, hook=False)
    assert (result.tricks, result.changes, result.scores) == (took, changes, changes)
    assert (result.pegs, result.counts, result.made) == ((), (), None)
    assert result.bids == (bids[3], *bids[:3])


def test_B12_a_hand_is_added_to_the_scores_before_it() -> None:
    result = score_hand((2, 0, 0, 1), *BOTH, past=earlier_hands(2, (10, 0, 11, 0), (1, 0, 1, 0)))
    assert (result.changes, result.scores) == ((0, 12, 10, 10), (10, 12, 21, 10))


@pytest.mark.parametrize(
    ("bids", "scores", "exact", "after", "winner"),
    [
        pytest.param((0, 1, 1, 1), (90, 80, 70, 60), NONE, (90, 80, 70, 60), 0, id="B24 the highest score"),
        pytest.param((0, 0, 1, 1), (90, 85, 70, 60), NONE, (90, 95, 70, 60), 1, id="B24 with the last hand counted"),
        pytest.param((0, 1, 1, 1), (90, 90, 70, 60), (5, 4, 9, 9), (90, 90, 70, 60), 0, id="B25 more exact bids"),
        pytest.param((0, 0, 1, 1), (90, 80, 70, 60), (5, 5, 0, 0), (90, 90, 70, 60), 1, id="B25 the last hand's too"),
    ],
)
def test_after_hand_13_the_highest_score_wins_then_the_most_exact_bids(
    bids: Four, scores: Four, exact: Four, after: Four, winner: int
) -> None:
    facts = last_hand(*bids, scores=scores, exact=exact)
    assert fact_names(facts) == ["CardPlayed", "TrickTaken", "HandScored", "CeremonyRevealed", "GameEnded"]
    assert game_ended(facts) == GameEnded("hands", (winner,), after)


@pytest.mark.parametrize(
    ("scores", "exact", "tied"),
    [
        pytest.param((90, 90, 70, 60), (4, 4, 9, 9), (0, 1), id="B26 R-B12 two"),
        pytest.param((90, 90, 90, 60), (3, 4, 4, 9), (1, 2), id="B25 B26 R-B12 two of three by exact bids"),
        pytest.param((90, 90, 90, 90), (4, 4, 4, 4), (0, 1, 2, 3), id="B26 R-B12 four"),
    ],
)
def test_a_coin_decides_a_remaining_tie(scores: Four, exact: Four, tied: Four) -> None:
    facts = last_hand(0, 1, 1, 1, scores=scores, exact=exact)
    assert " ".join(fact_names(facts)) == (
        "CardPlayed TrickTaken HandScored CeremonyRevealed CeremonyOpened SeedKept CoinFlipped CeremonyRevealed "
        "GameEnded"
    )
    winner = tied[fairdeal.pick(fairdeal.key(GAME, 14, "coin", COIN, []), "coin", len(tied))]
    promised = fairdeal.commit(GAME, 14, "coin", COIN).hex()
    assert facts[3:] == (
        CeremonyRevealed(13, SEED),
        CeremonyOpened(14, "coin", promised, {}),
        SeedKept(14, COIN.hex()),
        CoinFlipped(14, tied, winner),
        CeremonyRevealed(14, COIN.hex()),
        GameEnded("hands", (winner,), scores),
    )


def tied_at_the_end(scores: Four = (9, 9, 9, 9), exact: Four = NONE) -> Given:
    """Return the situation in which hand 13 is over and revealed, and the coin is due."""
    table = given(
        game_opened(variant="blackout", inorder=True), *earlier_hands(13, scores, exact), *deal_hand(13, LONG, None)
    )
    last = HandScored(13, (), (), None, NONE, scores, (13, 0, 0, 0), (0, 1, 1, 1))
    return given(*table.facts, last, CeremonyRevealed(13, SEED))


def test_B26_the_game_ends_only_after_the_coin_and_the_coin_is_flipped_once() -> None:
    table = tied_at_the_end()
    table.when(EndGame()).rejected(NotDue)
    table.when(FlipCoin(14, 0)).rejected(NotDue)
    table.when(OpenCeremony(14, "deal hand 14", SEED)).rejected(NotDue)
    flipped = table.when(OpenCeremony(14, "coin", SEED)).happens().when(FlipCoin(14, 2))
    after = flipped.then(CoinFlipped(14, (0, 1, 2, 3), 2))
    assert after.when(FlipCoin(14, 1)).rejected(NotDue).code == "not-due"
    after.when(EndGame()).rejected(NotDue)
    after = after.when(RevealCeremony(14)).then(CeremonyRevealed(14, SEED))
    after.when(EndGame()).then(GameEnded("hands", (2,), (9, 9, 9, 9)))


def test_B26_a_deal_cannot_replace_the_coin_nor_the_coin_a_deal() -> None:
    promised = fairdeal.commit(GAME, 1, "deal hand 1", bytes.fromhex(SEED)).hex()
    deal_open = CeremonyOpened(1, "deal hand 1", promised, {}), SeedKept(1, SEED)
    given(game_opened(variant="blackout", inorder=True), *deal_open).when(FlipCoin(1, 0)).rejected(NotDue, "coin")
    coin_open = tied_at_the_end().when(OpenCeremony(14, "coin", SEED)).happens()
    coin_open.when(DealHand(14, DECK_52)).rejected(NotDue, "aren't the whole deck of the deal that is due")


def test_B26_a_coin_is_refused_if_one_seat_is_ahead() -> None:
    table = tied_at_the_end((9, 9, 9, 9), (1, 0, 0, 0))
    table.when(OpenCeremony(14, "coin", SEED)).rejected(NotDue)
    table.when(EndGame()).then(GameEnded("hands", (0,), (9, 9, 9, 9)))


@pytest.mark.parametrize(
    ("left", "scores", "exact", "winner"),
    [
        pytest.param((0,), (90, 80, 70, 60), NONE, 1, id="B24 R-B14 the highest of those still in"),
        pytest.param((0,), (90, 90, 70, 60), NONE, 1, id="B26 R-B14 no coin with a seat that left"),
    ],
)
def test_only_a_seat_still_in_can_win(left: Four, scores: Four, exact: Four, winner: int) -> None:
    facts = last_hand(0, 1, 1, 1, scores=scores, exact=exact, left=left)
    assert game_ended(facts) == GameEnded("hands", (winner,), scores)


def test_B26_R_B14_the_coin_is_between_those_still_in() -> None:
    facts = last_hand(0, 1, 1, 1, scores=(90, 90, 90, 90), exact=NONE, left=(1,))
    assert only_fact(CoinFlipped, facts).seats == (0, 2, 3)


def test_R_B14_the_last_seat_in_wins_at_once() -> None:
    table = bidding(2, ("2C 3C", "4C 5C", "6C 7C", "8C 9C"), 1, left=(0, 1))
    assert commit(table, Resign(3)) == (
        SeatResigned(3),
        CeremonyRevealed(2, SEED),
        GameEnded("resignation", (2,), (0, 0, 0, 0)),
    )


@pytest.mark.parametrize(
    ("bids", "bid"),
    [
        pytest.param((1, 0, 0), 0, id="R-B14 zero, if the hook forbids one"),
        pytest.param((1, 0, 1), 1, id="R-B14 B14 one, if the hook forbids zero"),
    ],
)
def test_the_table_makes_the_lowest_legal_bid_for_a_seat_that_left(bids: Four, bid: int) -> None:
    table, seat = bidding(2, ("2C 3C", "4C 5C", "6C 7C", "8C 9C"), *bids), (1 + len(bids)) % 4
    assert stand_in_move(table.state, seat) == MakeBid(seat, bid)


def test_B26_the_coin_is_revealed_in_its_own_commit_even_if_deals_are_revealed_at_the_end() -> None:
    tables = (Table(variant="blackout", seed=seed, reveal="game").plays_out() for seed in (2, 16, 89))
    table = next(each for each in tables if each.state.coin is not None)
    revealed = [event for event in table.events if isinstance(event.data, CeremonyRevealed)]
    assert [event.data.n for event in revealed] == list(range(15))
    commits = [event.command for event in revealed]
    assert (commits[0], set(commits[1:])) == ("c1", {table.events[-1].command})
