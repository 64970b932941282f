"""A stored hand and what everybody knows of it stay what they were."""

from tests.golden import HAND, known, table, text


def test_the_hand_is_stored_and_seen_as_it_always_was() -> None:
    assert text() == HAND.read_text(), "if that is meant: python -m tests.golden"


def test_R_S22_nobody_knows_a_card_of_another_seat_before_the_reveal() -> None:
    played = table()
    events = played.events
    reveal = next(event.version for event in events if event.fact == "CeremonyRevealed")
    for version in range(5, reveal):
        for viewer in (0, 1, 2, None):
            hand = known(events[:version], viewer).hand
            seen = [seat for seat, cards in enumerate(hand.cards if hand else ()) if cards]
            assert seen in ([], [viewer])
