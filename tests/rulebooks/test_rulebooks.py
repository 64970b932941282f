"""The second implementations count what can be counted by hand: auctions, discards, leads, and the plays of few cards.

What a hand scores is compared with the program, whose own tests have the results that were found by hand.
"""

import pytest

from tests.rulebooks import blackout, corellian, corellian_deal, corellian_end, setback
from tests.rulebooks.corellian import VERSIONS, Setting
from tests.rulebooks.corellian_position import Position
from tests.rulebooks.perft import hands, perft, trick

ONE_EACH = hands("2C", "3C", "4C", "5C")
THREES = hands("AH 10H KC", "2H JD 9C", "3H X1 3D", "AD JH X2")


@pytest.mark.parametrize(
    ("dealer", "stick", "three", "four"),
    [
        ("ties", "least", 1 + 9 * 2, 1 + 19 * 2),
        ("ties", "any", 3 + 9 * 2, 3 + 19 * 2),
        ("ties_or_raises", "least", 1 + 2 * 4 + 3 * 3 + 4 * 2, 1 + 3 * 4 + 6 * 3 + 10 * 2),
    ],
)
def test_the_number_of_setback_auctions(dealer: str, stick: str, three: int, four: int) -> None:
    """The n others pass or raise to one of three bids in C(n + 3, 3) ways; then the dealer bids."""
    for seats, auctions in ((3, three), (4, four)):
        position = setback.Position(ONE_EACH[:seats], dealer=dealer, stick=stick)
        assert perft(position, seats) == perft(position, 2 * seats) == auctions
        assert perft(position, 2 * seats + 1) == 0


def test_the_number_of_blackout_auctions_and_plays() -> None:
    """Of the sums 0, 1, 2, 3 of three bids there are 1, 3, 3, 1; the first two leave the last bidder one bid.

    With two cards each, hearts are led or, by seat 1, clubs; only seat 1 ever has a choice, and it leads first.
    """
    assert [perft(blackout.Position(ONE_EACH, "H", hook=hook), 4) for hook in (True, False)] == [1 + 3 + 2 * 3 + 2, 16]
    assert perft(blackout.Position(ONE_EACH, "H"), 5) == 0
    two = blackout.Position(hands("2H 3H", "4H 4C", "5H 5D", "6H 6D"), "S", eldest=1, said=(0, 0, 0, 0))
    assert [perft(two, depth) for depth in (1, 9)] == [2, 0]
    assert perft(two, 8) == perft(two, 7)


def test_the_number_of_corellian_auctions_versions_and_discards() -> None:
    """There is one auction for each way to assign k rising bids to seats: C(4 + k, 4).

    Of seven cards that can go: three to seven of them, or exactly three; of seven points one, with both others.
    """
    assert [perft(Position(ONE_EACH, Setting(points)), 4) for points in ("4", "10")] == [35, 330]
    for points in VERSIONS:
        assert Setting(points).total == Setting(points, ten="game").total == int(points.rstrip("b"))
    nine, many = hands("AH 2H 9H KD QD 9C 8C 7C 6C", "AH 2H 3H 10H JH JD X1 9H 9C")
    for cards, bidding, count in ((nine, False, 2**7 - 1 - 7 - 21), (nine, True, 35), (many, False, 7)):
        assert len(list(corellian_deal.discards(cards, "H", Setting(), bidding))) == count


@pytest.mark.parametrize("points", VERSIONS)
def test_naming_and_first_leads_of_corellian(points: str) -> None:
    """There are four suits to name; then one lead for each trump of the first seat that can lead, the bidder first."""
    position = Position(THREES, Setting(points), said=(0, 0, 0, 0))  # the dealer, seat 3, is forced
    assert perft(position, 1) == 4
    leads = 0
    for trump in "CDHS":
        count = [sum(corellian.is_trump(card, trump, position.setting) for card in own) for own in THREES]
        leads += next(count[seat] for seat in (3, 0, 1, 2) if count[seat])
    assert perft(position, 2) == leads


# Seat 0 takes A 3 10 of hearts and a joker, 1 keeps the two, 3 takes both jacks: 6 with 2's nothing, against 1 + 2.
HAND = [trick(0, "AH 2H 3H 9H"), trick(0, "KH X1 10H 8H"), trick(3, "JH 7H JD -"), trick(3, "6H 5H 4H -")]


@pytest.mark.parametrize(
    ("side", "bid", "options", "changes"),
    [
        ((0, 2), 6, {}, [6, 3, 6, 3]),
        ((2, 0), 6, {"credit": "own"}, [6, 3, 0, 3]),
        ((0, 3), 8, {"credit": "half"}, [4, 1, 1, 4]),
        ((0, 2), 7, {"defenders": "own"}, [-7, 1, -7, 2]),
        ((0, 2), 7, {"defenders": "none"}, [-7, 0, -7, 0]),
        ((2, None), 4, {}, [9, 9, -4, 9]),
        ((0, 2), 10, {"double": "at_end"}, [-20, 3, -20, 3]),
    ],
)
def test_the_score_of_a_hand_of_corellian(
    side: tuple[int, int | None], bid: int, options: dict[str, str], changes: list[int]
) -> None:
    gathered = [corellian_end.gather_trick(each, "H", Setting()) for each in HAND]
    chosen = corellian_end.Options(**options)
    judged = corellian_end.judge_hand(gathered, "H", Setting(), side, (bid, False), [10, 0, -5, 1], chosen)
    assert (judged.changes, judged.made) == (changes, min(changes) >= 0)
    assert judged.scores == [old + new for old, new in zip([10, 0, -5, 1], changes, strict=True)]
