"""Whole games by mail alone: each player reads the text of their mail and replies to it."""

from random import Random

import pytest

from tests.command_lines.players import offered, thrown
from tests.command_lines.test_whole_games import choose
from tests.mail.post_office import NAMES, PostOffice

MOST_MOVES = 5000


def play(office: PostOffice, variant: str, hands: int, names: tuple[str, ...] = NAMES) -> tuple[int, str]:
    """Play a game by mail to its end, or through that many hands; return its board and the last mail's text."""
    board = office.challenge(names, variant)
    draw, read = Random(variant), 0
    for _ in range(MOST_MOVES):
        office.send_all()
        to, mail = office.relay.mails[-1]
        text = mail.get_content()
        fresh = [(to, mail) for to, mail in office.relay.mails[read:] if "You may" in mail.get_content()]
        read = len(office.relay.mails)
        if "Over (" in text or (f"Hand {hands} was scored" in text):
            return board, text
        assert fresh, text
        to, mail = fresh[-1]
        name = to.partition("@")[0]
        text = mail.get_content()
        move = thrown(text) or ("call AS" if "You may call" in text else choose(offered(text), draw))
        assert office.reply(name, move, mail) == "250"
    raise AssertionError(f"the game isn't over after {MOST_MOVES} moves")


@pytest.mark.parametrize("variant", ["blackout", "pitch"])
def test_a_hand_by_mail_alone(variant: str, office: PostOffice) -> None:
    play(office, variant, 1)
    assert len(office.relay.mails) > 8
