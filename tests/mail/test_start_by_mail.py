"""A player who has nothing but mail: from the registration to the ruling, each step by a mail to `play`."""

import re
from email.message import EmailMessage
from zlib import crc32

import pytest

from api.mail.incoming.message import read_mail
from api.mail.incoming.reader import find_line
from api.mail.services.addresses import ReplyRight
from api.people.stored.users import User
from tests.conftest import Database
from tests.mail.post_office import AUTHSERV, DOMAIN, PostOffice, Relay, open_office, reply_to

SENDER, PASSWORD = "zoe@example.net", "a-long-pass-word"


def send_line(office: PostOffice, line: str, sender: str = SENDER) -> str:
    """Send a line to `play` in a mail that our mail server has checked, and return the text of the answer."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, f"play@{DOMAIN}", ""
    mail["Message-ID"] = f"<{crc32(f'{sender} {line}'.encode())}@example.net>"
    mail["Authentication-Results"] = f"{AUTHSERV}; dkim=pass header.d=example.net"
    mail.set_content(line)
    before = len(office.relay.mails)
    assert office.deliver(mail, f"play@{DOMAIN}", sender) == "250"
    office.send_all()
    return "\n".join(str(each.get_content()) for to, each in office.relay.mails[before:] if to == sender)


def test_a_stranger_registers_confirms_and_opens_a_game_by_mail_alone(office: PostOffice) -> None:
    bob = office["bob"]
    assert "You are registered as zoe" in send_line(office, f"signup zoe {PASSWORD} {SENDER}")
    office.send_all()
    letter = str(office.relay.mails[0][1].get_content())
    code = re.findall(r"\b[0-9]{8}\b", letter)[0]
    assert f"play@{DOMAIN} with the line: code zoe PASSWORD {code}" in letter
    assert "doesn't confirm" in send_line(office, f"code zoe {PASSWORD} 00000000")
    confirmed = send_line(office, f"code zoe {PASSWORD} {code}")
    assert f"{SENDER} is confirmed" in confirmed
    assert "Your password went through the mail" in confirmed
    opened = send_line(office, "pitch challenge zoe bob")
    assert "Waiting for" in opened
    assert "password" not in opened
    assert "needs your token" in send_line(office, "pitch challenge zoe bob", "eve@example.net")
    assert bob.caller.get("/games/1").get_json()["seats"][1]["player"] == bob.id


def test_a_reply_takes_each_command_about_its_board_without_the_board(office: PostOffice) -> None:
    office.challenge(["ann", "bob"])
    office.send_all()
    mail = office.mails_to("ann")[-1]
    for line in ("chat good luck", "showas"):
        assert office.deliver(reply_to(mail, office["ann"].address, line), str(mail["Reply-To"]), "ann@example.net")
        office.send_all()
    texts = [str(each.get_content()) for each in office.mails_to("ann")]
    assert "Sent." in texts[-2]
    assert "Your cards:" in texts[-1]
    assert not any("wasn't carried out" in text for text in texts)
    assert not any("password" in text for text in texts)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("dispute", "dispute 2"),
        ("showas", "showas 2"),
        ("showas 2", "showas 2"),
        ("dispute 2", "dispute 2"),
        ("dispute 2 score it was ours", "dispute 2 2 score it was ours"),
        ("dispute 2 1 score it was ours", "dispute 2 1 score it was ours"),
        ("dispute 2 answer 1 it was mine", "dispute 2 answer 1 it was mine"),
        ("hand 2", "hand 2 2"),
        ("hand 2 1", "hand 2 1"),
        ("hand 1", "hand 2 1"),
        ("queue 2", "queue 2 2"),
        ("queue 2 AD", "queue 2 AD"),
        ("chat 2 is what I bid", "chat 2 is what I bid"),
    ],
)
def test_a_number_in_a_reply_is_a_hand_or_a_bid_unless_only_the_board_fits(text: str, line: str) -> None:
    right = ReplyRight(User("p_1", "ann"), "g", "pitch", board=2, seat=0, version=7)
    raw = f"From: ann@example.net\r\nSubject: Re: Board 2, Pitch\r\n\r\n{text}\r\n"
    found = find_line(read_mail(raw.encode(), "ann@example.net", "play"), right)
    assert found is not None
    assert found.line == f"pitch {line}"


def test_a_mail_can_name_a_table_of_house_rules() -> None:
    raw = b"From: ann@example.net\r\nSubject: house show 3\r\n\r\n"
    found = find_line(read_mail(raw, "ann@example.net", "play"), None)
    assert found is not None
    assert found.line == "house show 3"


def test_a_subject_that_begins_with_a_word_of_a_command_is_no_command(office: PostOffice) -> None:
    office.challenge(["ann", "bob"])
    office.send_all()
    name = next(name for name in ("ann", "bob") if "You may" in str(office.mails_to(name)[-1].get_content()))
    mail = reply_to(office.mails_to(name)[-1], office[name].address, "2")
    mail.replace_header("Subject", "Board games tonight?")
    assert office.deliver(mail, str(mail["To"]), office[name].address) == "250"
    assert 2 in office[name].caller.get("/games/1").get_json()["hand"]["bids"]


def test_words_below_a_move_reach_the_others_mails(office: PostOffice) -> None:
    office.challenge(["ann", "bob"])
    office.send_all()
    first = next(name for name in ("ann", "bob") if "You may" in str(office.mails_to(name)[-1].get_content()))
    other = "bob" if first == "ann" else "ann"
    office.reply(first, "2\nmy first bid ever")
    office.send_all()
    news = str(office.mails_to(other)[-1].get_content()).replace("\r\n", "\n")
    assert f"They write:\n  {first}: my first bid ever" in news
    assert "my first bid ever" not in str(office.mails_to(first)[-1].get_content())


def test_an_invitation_is_declined_by_a_reply(database: Database, relay: Relay) -> None:
    with open_office(database, relay, seating="asked") as office:
        ann, _ = office["ann"], office["bob"]
        office.send_all()
        board = ann.caller.post("/games", {"variant": "pitch", "seats": ["ann", "bob"]}).get_json()["board"]
        office.send_all()
        assert "To decline, reply with: decline" in str(office.mails_to("bob")[-1].get_content())
        office.reply("bob", "decline")
        office.send_all()
        assert f"You don't sit down on board {board}." in str(office.mails_to("bob")[-1].get_content())
        seats = ann.caller.get(f"/games/{board}").get_json()["seats"]
        assert [each["state"] for each in seats] == ["claimed", "invite"]
