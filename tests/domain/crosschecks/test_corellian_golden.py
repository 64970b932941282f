"""No golden hand of Corellian Pitch shows a seat the cards of another one."""

from itertools import pairwise

from domain.state import current_hand
from tests.games.corellian_draws import check_draws
from tests.golden import corellian, known


def test_R_C44_no_seat_sees_anothers_cards_before_the_reveal_and_draws_follow_from_the_seeds() -> None:
    for golden in corellian.HANDS:
        events = golden.table().events
        assert len(check_draws(events)) <= 6
        for event, after in pairwise(events):
            if event.command != after.command and event.data is not None:
                for viewer in (0, 1, 2, 3, None):
                    hand = current_hand(known(events[: event.version], viewer))
                    seen = [seat for seat, cards in enumerate(hand.cards) if cards]
                    assert seen in ([], [viewer]), (golden.name, event.version, viewer)
