"""Stored hands, and every viewer's view of them, don't change."""

import pytest

from domain.events import AuctionWon, BidMade, CardsDealt, CoinFlipped, GameEnded, TrumpTurnedUp
from tests.games.hands import facts_of_kind, only_fact
from tests.golden import FOLDER, Golden, blackout, known, pitch, setback, words
from tests.golden.all_hands import GOLDEN


@pytest.mark.parametrize("golden", [pytest.param(golden, id=golden.name) for golden in GOLDEN])
def test_a_hand_is_stored_and_shown_as_before(golden: Golden) -> None:
    assert golden.text() == golden.file.read_text(), "if you meant to change it: python -m tests.golden"


def test_every_golden_file_belongs_to_a_hand() -> None:
    assert sorted(FOLDER.glob("*.txt")) == sorted(golden.file for golden in GOLDEN)
    assert len({golden.name for golden in GOLDEN}) == len(GOLDEN)


def test_R_S22_no_seat_sees_another_seats_cards_before_the_reveal() -> None:
    for table in (pitch.first_hand(), setback.dealers_tie(), setback.forced_to_two()):
        events = [event for event in table.events if event.data]
        start = next(event.version for event in events if isinstance(event.data, CardsDealt))
        reveal = next(event.version for event in events if event.fact == "CeremonyRevealed" and event.version > start)
        for version in range(start, reveal):
            for viewer in (0, 1, 2, None):
                hand = known(events[:version], viewer).hand
                seen = [seat for seat, cards in enumerate(hand.cards if hand else ()) if cards]
                assert seen in ([], [viewer])


def test_B18_R_B8_in_hand_1_of_blackout_no_seat_sees_its_own_card() -> None:
    events = blackout.hand_1().events
    fell = next(event.version for event in events if event.fact == "CardPlayed")
    for viewer in range(4):
        hand = known(events[: fell - 1], viewer).hand
        assert hand
        assert [seat for seat, cards in enumerate(hand.cards) if not cards] == [viewer]


def test_T9_T10_T41_B11_B26_the_golden_hands_contain_what_their_titles_name() -> None:
    tie, forced, finish, last = (
        [event.data for event in table().events]
        for table in (setback.dealers_tie, setback.forced_to_two, setback.below, blackout.hand_13)
    )
    assert [fact.bid for fact in facts_of_kind(BidMade, tie)] == [2, 3, 3]
    assert (only_fact(AuctionWon, tie).bid, only_fact(AuctionWon, tie).forced) == (3, False)
    assert (only_fact(AuctionWon, forced).bid, only_fact(AuctionWon, forced).forced) == (2, True)
    assert only_fact(GameEnded, finish) == GameEnded("goal", (0, 2), (11, 12, 11, 12))
    assert {fact.hand for fact in facts_of_kind(TrumpTurnedUp, last)} == set(range(1, 13))
    assert only_fact(CoinFlipped, last).seats == (1, 2, 3)


def test_a_value_of_a_view_is_abbreviated() -> None:
    assert words([{"type": "play", "card": "AH"}, {"type": "pass"}]) == "[play AH, pass]"
    assert words({"number": 1, "plays": [{"seat": 2, "card": "10C"}]}) == "{number 1, plays [2 10C]}"
    assert words([None, True, "", 3]) == '[null, true, "", 3]'
