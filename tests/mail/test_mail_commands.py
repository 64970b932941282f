"""`trickbook mail read` and `trickbook mail pipe`, as a mail server runs them."""

import mailbox
import os
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import Result

from tests.commands import run
from tests.mail.post_office import DOMAIN, NAMES, PostOffice, reply_to
from tests.mail.test_damaged_games import put, read

SENDER = "ann@example.net"


@pytest.fixture
def reply(office: PostOffice) -> EmailMessage:
    """The reply of the player in turn to their mail."""
    office.challenge(NAMES)
    office.send_all()
    [(to, mail)] = office.relay.mails
    return reply_to(mail, to, "pass")


def version(office: PostOffice) -> int:
    """Return the number of events of the game."""
    return office.services.games.state(office.services.accounts.boards.game_of(1) or "").version


def pipe(office: PostOffice, mail: EmailMessage, *arguments: str) -> Result:
    """Pipe a mail into the command."""
    at = office.services.config
    return run("mail", "pipe", "--domain", DOMAIN, *arguments, at=at, given=mail.as_bytes())


def test_pipe_makes_the_move_of_a_reply_once_however_often_it_comes(office: PostOffice, reply: EmailMessage) -> None:
    before, arguments = version(office), ("--sender", str(reply["From"]), "--recipient", str(reply["To"]))
    for _ in range(3):
        assert (pipe(office, reply, *arguments).exit_code, version(office)) == (os.EX_OK, before + 1)


@pytest.mark.parametrize("header", ["Delivered-To", "X-Original-To"])
def test_pipe_takes_the_recipient_from_the_header_of_the_mail_server(
    header: str, office: PostOffice, reply: EmailMessage
) -> None:
    before = version(office)
    reply[header] = str(reply["To"])
    assert pipe(office, reply, "--sender", str(reply["From"])).exit_code == os.EX_OK
    assert version(office) == before + 1


def test_pipe_needs_a_recipient_whose_address_there_is(office: PostOffice, reply: EmailMessage) -> None:
    before, wrong = version(office), str(reply["To"]).replace("@", "x@")
    result = pipe(office, reply, "--sender", str(reply["From"]), "--recipient", wrong)
    assert (result.exit_code, version(office)) == (os.EX_NOUSER, before)
    result = pipe(office, reply, "--sender", str(reply["From"]))
    assert (result.exit_code, "--recipient" in result.output) == (os.EX_USAGE, True)


def test_pipe_asks_for_another_try_if_the_store_is_missing(
    office: PostOffice, reply: EmailMessage, tmp_path: Path
) -> None:
    arguments = ("--sender", SENDER, "--recipient", str(reply["To"]), "--domain", DOMAIN)
    result = run("mail", "pipe", *arguments, "--data", str(tmp_path / "nowhere"), given=reply.as_bytes())
    assert result.exit_code == os.EX_TEMPFAIL


def test_read_marks_the_mails_that_it_has_read(office: PostOffice, reply: EmailMessage, tmp_path: Path) -> None:
    before = version(office)
    put(tmp_path / "mails", reply, str(reply["To"]))
    lines = [read(office, tmp_path / "mails").output for _ in range(2)]
    assert [line.split(",")[0] for line in lines] == ["1 read", "0 read"]
    assert version(office) == before + 1
    assert [message.get_flags() for message in mailbox.Maildir(tmp_path / "mails")] == ["S"]


def test_read_says_that_a_folder_is_no_maildir(office: PostOffice, tmp_path: Path) -> None:
    result = read(office, tmp_path)
    assert result.exit_code != 0
    assert "isn't a maildir" in result.output
