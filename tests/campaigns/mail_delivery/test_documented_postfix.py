"""Postfix with the configuration of docs/mail.md, in front of `trickbook mail listen` and behind the worker."""

import re

import pytest

from tests.campaigns.mail_delivery.behind_postfix import MailTable, mail_table
from tests.campaigns.mail_delivery.postfix import DOMAIN
from tests.conftest import Database
from tests.mail.post_office import NAMES, reply_to
from tests.waiting import wait_for

TO_MOVE = "It's your turn."

pytestmark = pytest.mark.slow


def test_a_mail_in_becomes_a_move_and_boards_go_out_into_mailboxes(database: Database) -> None:
    with mail_table(database, NAMES) as table:
        for name in NAMES:
            table.register(name)
        board = table.open(NAMES, "pitch")
        check_replies(table, board)
        check_refusals(table)
        check_that_a_bounce_ends_mails(table, board)


def check_replies(table: MailTable, board: int) -> None:
    """The first two players move by mail alone."""
    for text in ("2\nGood luck", "pass"):
        name, before = table.in_turn(board), table.view("ann", board)["version"]
        mail = table.postfix.wait_for(name, TO_MOVE)
        assert set(re.findall(r"Your cards: (.*)", mail.get_content())[0].split()) == table.cards(name, board)
        assert table.reply(name, mail, text) == "250"
        table.postfix.wait_for(name, "This is the board after your mail.")
        assert table.view("ann", board)["version"] > before
    chat = table.server["ann"].get(f"/games/{board}/chat").get_json()["items"]
    assert [each["text"] for each in chat] == ["Good luck"]


def check_refusals(table: MailTable) -> None:
    """Postfix refuses what trickbook refuses, at RCPT TO, and relays for nobody."""
    mail = table.postfix.wait_for("ann", "===")
    address = str(mail["Reply-To"])
    forged = re.sub(r"..@", "aa@" if not address.partition("@")[0].endswith("aa") else "bb@", address)
    reply = reply_to(mail, "eve@example.org", "AD")
    for recipient, code in ((forged, "550"), (f"nobody@{DOMAIN}", "550"), ("x@elsewhere.example", "554")):
        assert table.postfix.send(reply, "eve@example.org", recipient)[:3] == code, recipient


def check_that_a_bounce_ends_mails(table: MailTable, board: int) -> None:
    """A mailbox that is gone: Postfix reports that to the return path, and trickbook sends no more mail to it."""
    name = table.in_turn(board)
    table.postfix.forward_to_nowhere(name)
    assert table.server[name].post(f"/games/{board}/moves", {"text": "pass"}).status_code == 201
    assert table.server[name].ask("PUT", "/me/mail", {"level": "every"}).status_code == 200
    other = table.in_turn(board)
    assert table.server[other].post(f"/games/{board}/moves", {"text": "pass"}).status_code == 201
    stopped = wait_for(lambda: table.server[name].get("/me").get_json()["mail"]["stopped"], bool, "mails go on")
    assert stopped["reason"] == "mail came back: 5.1.2"
