"""Mails about a game that can't be read: others are read all the same."""

import mailbox
import sqlite3
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import Result

from api.container import Services
from api.mail.incoming.reader import MailReader
from tests.commands import run
from tests.logs.tables import change_time
from tests.mail.post_office import DOMAIN, NAMES, PostOffice, reply_to


def damage(services: Services, board: int) -> None:
    """Change the time of an event of a game, which the server has forgotten."""
    game = services.accounts.boards.game_of(board) or ""
    with sqlite3.connect(services.config.data / "log.db") as log:
        change_time(log, game, 1)


def put(folder: Path, mail: EmailMessage, recipient: str) -> None:
    """Deliver a mail into a maildir, as a mail server does."""
    mail["Return-Path"], mail["Delivered-To"] = str(mail["From"]), recipient
    mailbox.Maildir(folder).add(mail.as_bytes())


def read(office: PostOffice, folder: Path) -> Result:
    """Read a maildir."""
    return run("mail", "read", str(folder), "--domain", DOMAIN, at=office.services.config)


@pytest.mark.both_stores
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # whose file is damaged
def test_a_maildir_is_read_on_after_a_damaged_game(office: PostOffice, tmp_path: Path) -> None:
    office.challenge(NAMES)
    office.send_all()
    office.challenge(NAMES)
    office.send_all()
    for to, mail in office.relay.mails:
        put(tmp_path / "mails", reply_to(mail, to, "pass"), str(mail["Reply-To"]))
    damage(office.services, 1)
    before = office.services.games.state(office.services.accounts.boards.game_of(2) or "").version
    result = read(office, tmp_path / "mails")
    assert (result.exit_code, result.output) == (0, "1 read, 1 to no address of this server, 0 left for later\n")
    assert office.services.games.state(office.services.accounts.boards.game_of(2) or "").version > before


def test_a_mail_that_meets_an_error_is_for_later(
    office: PostOffice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.challenge(NAMES)
    office.send_all()
    [(to, mail)] = office.relay.mails
    put(tmp_path / "mails", reply_to(mail, to, "pass"), str(mail["Reply-To"]))
    monkeypatch.setattr(MailReader, "read", fail)
    result = read(office, tmp_path / "mails")
    said = "0 read, 0 to no address of this server, 1 left for later"
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, said)


def fail(*_values: object) -> None:
    """Meet an error that nobody thought of."""
    raise RuntimeError("broken")
