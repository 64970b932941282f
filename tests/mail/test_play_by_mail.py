"""Whole games by mail alone: each player reads the text of their mail and replies to it."""

import re
from random import Random

import pytest

from tests.api.conftest import Caller
from tests.command_lines.players import offered, thrown
from tests.command_lines.test_whole_games import MOST_GAMES, SHORT, VARIANTS, choose
from tests.mail.post_office import NAMES, Person, PostOffice
from tests.mail.test_start_by_mail import PASSWORD, send_line

MOST_MOVES = 5000


def play(office: PostOffice, board: int, seed: str, hands: int) -> str:
    """Play a game by mail to its end, or through that many hands; return the last mail's text."""
    draw, read = Random(seed), 0
    for _ in range(MOST_MOVES):
        office.send_all()
        to, mail = office.relay.mails[-1]
        text = mail.get_content()
        about = [(to, mail) for to, mail in office.relay.mails[read:] if f"oard {board}" in str(mail["Subject"])]
        fresh = [(to, mail) for to, mail in about if "You may" in mail.get_content()]
        read = len(office.relay.mails)
        if "Over (" in text or (f"Hand {hands} was scored" in text):
            return str(text)
        assert fresh, text
        to, mail = fresh[-1]
        name = to.partition("@")[0]
        text = mail.get_content()
        move = thrown(text) or ("call AS" if "You may call" in text else choose(offered(text), draw))
        assert office.reply(name, move, mail) == "250"
    raise AssertionError(f"the game isn't over after {MOST_MOVES} moves")


@pytest.mark.parametrize("variant", ["blackout", "pitch"])
def test_a_hand_by_mail_alone(variant: str, office: PostOffice) -> None:
    play(office, office.challenge(NAMES, variant), variant, 1)
    assert len(office.relay.mails) > 8


def sign_up(office: PostOffice, name: str) -> None:
    """Register a player, and confirm their address, by mails alone."""
    address = f"{name}@example.net"
    assert f"You are registered as {name}" in send_line(office, f"signup {name} {PASSWORD} {address}", address)
    letters = [str(mail.get_content()) for to, mail in office.relay.mails if to == address]
    code = re.findall(r"\b[0-9]{8}\b", "\n".join(letters))[0]
    assert f"{address} is confirmed" in send_line(office, f"code {name} {PASSWORD} {code}", address)
    body = {"name": name, "password": PASSWORD}
    token = Caller(office.app.test_client()).post("/tokens", body).get_json()["token"]
    caller = Caller(office.app.test_client(), token)
    office.people[name] = Person(name, caller, caller.get("/me").get_json()["id"], address)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_game_by_mail_from_the_registration_to_the_reasons_of_a_ruling(
    variant: str, office: PostOffice
) -> None:
    for name in NAMES:
        sign_up(office, name)
    board, last = 0, ""
    while "was scored" not in last and board < MOST_GAMES:  # the randomizer can end a session in its first hand (C6)
        board += 1
        opened = send_line(office, f"{variant} challenge {SHORT[variant]} {' '.join(NAMES)}", office["ann"].address)
        assert f"board {board}" in opened.lower(), opened
        last = play(office, board, f"{variant} {board}", 1000)
    assert "Over (" in last
    # when a player disputes the first hand by a reply to the mail about the end
    office.reply("bob", "dispute 1 score the low point went to the wrong team")
    office.send_all()
    assert "dispute" in str(office.mails_to("ann")[-1].get_content()).lower()
    # and an arbiter rules on it
    arbiter = office["eve"]
    office.services.accounts.roles.grant(arbiter.id, "arbiter")
    ruling = {"decision": "none", "standard": "likely", "text": "the points are right"}
    ruled = arbiter.caller.post(f"/games/{board}/disputes/1/ruling", ruling)
    assert ruled.status_code == 201, ruled.text
    office.send_all()
    # then both hear of it with its reason
    for name in ("ann", "bob"):
        assert "the points are right" in str(office.mails_to(name)[-1].get_content())
