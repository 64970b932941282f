"""Stored hands, and every viewer's view of them, don't change."""

from itertools import pairwise

import pytest

from domain.events import CardsDealt
from domain.state import current_hand
from tests.games.corellian_draws import check_draws
from tests.golden import FOLDER, Golden, blackout, corellian, known, pitch, setback
from tests.golden.all_hands import GOLDEN


@pytest.mark.lengthy
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


def test_R_C44_no_seat_of_corellian_pitch_sees_anothers_cards_and_draws_follow_from_the_seeds() -> None:
    for golden in corellian.HANDS:
        table = golden.table()
        assert len(check_draws(table)) <= 6
        for event, after in pairwise(table.events):
            if event.command != after.command and event.data is not None:
                for viewer in (0, 1, 2, 3, None):
                    hand = current_hand(known(table.events[: event.version], viewer))
                    seen = [seat for seat, cards in enumerate(hand.cards) if cards]
                    assert seen in ([], [viewer]), (golden.name, event.version, viewer)


def test_B18_R_B8_in_hand_1_of_blackout_no_seat_sees_its_own_card() -> None:
    events = blackout.hand_1().events
    fell = next(event.version for event in events if event.fact == "CardPlayed")
    for viewer in range(4):
        hand = known(events[: fell - 1], viewer).hand
        assert hand
        assert [seat for seat, cards in enumerate(hand.cards) if not cards] == [viewer]
