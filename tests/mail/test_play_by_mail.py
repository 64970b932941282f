"""Whole games by mail alone: each player reads the text of their mail and replies to it."""

from random import Random

import pytest

from tests.api.log_reference import Export, check_export
from tests.command_lines.players import offered, thrown
from tests.command_lines.test_whole_games import ALL_HANDS, MOST_GAMES, VARIANTS, choose
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


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_game_by_mail_alone(variant: str, office: PostOffice) -> None:
    """The randomizer can end a session of Corellian in its first hand (C6). Then another one is played."""
    facts, games = list[str](), 0
    while "HandScored" not in facts and games < MOST_GAMES:
        board, last = play(office, variant, ALL_HANDS)
        export = export_of(office, board)
        facts, games = [event["fact"] for event in export.events], games + 1
        assert "The game is over" in last
        assert facts[-1] == "GameEnded"
        people = {office[name].id for name in NAMES}
        assert len({event["command"] for event in export.events if event["by"] in people}) > len(NAMES)
    assert "HandScored" in facts


def export_of(office: PostOffice, board: int) -> Export:
    """Return the checked export of a board."""
    caller = office[NAMES[0]].caller
    game = caller.get(f"/games/{board}").get_json()["id"]
    return check_export(caller.get(f"/games/{game}/export").data)
