"""The findings of `trickbook doctor` about mail."""

import json
from contextlib import closing
from dataclasses import replace

import pytest

from api.config import Config
from api.container import open_services
from api.mail.stored.board_mails import BoardMailKey
from tests.api.conftest import PASSWORD, config_for
from tests.commands import run
from tests.conftest import Database
from tests.mail.post_office import AUTHSERV, DOMAIN, Relay
from tests.ports import free_port


@pytest.fixture
def here(database: Database, relay: Relay) -> Config:
    """The settings of a server that plays by mail."""
    config = replace(config_for(database), smtp_url=relay.url, mail_domain=DOMAIN, mail_authserv=AUTHSERV)
    open_services(config).close()
    return config


def mail_lines(config: Config) -> list[tuple[str, str]]:
    """Return the levels and texts of the parts about mail, and of queues in which something waits or fails."""
    settings = {"SMTP_URL": config.smtp_url, "MAIL_DOMAIN": config.mail_domain, "MAIL_AUTHSERV": config.mail_authserv}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(f"TRICKBOOK_{name}", value or "")
        findings = json.loads(run("doctor", "--json", at=config).stdout)["findings"]
    return [(each["level"], each["text"]) for each in findings if each["part"] == "mail" or "1 waiting" in each["text"]]


def test_it_says_that_the_relay_answers_and_nothing_waits(here: Config) -> None:
    assert mail_lines(here) == [("ok", "127.0.0.1 answers")]


def test_it_says_what_is_off_and_how_to_turn_it_on(here: Config) -> None:
    [(level, text)] = mail_lines(replace(here, smtp_url=None))
    assert (level, "TRICKBOOK_SMTP_URL" in text) == ("note", True)
    [_, (level, text)] = mail_lines(replace(here, mail_domain=None))
    assert (level, "TRICKBOOK_MAIL_DOMAIN" in text) == ("note", True)
    [_, (level, text)] = mail_lines(replace(here, mail_authserv=None))
    assert (level, "TRICKBOOK_MAIL_AUTHSERV" in text) == ("note", True)


def test_it_says_what_is_wrong(here: Config) -> None:
    with closing(open_services(here)) as services:
        ann = services.accounts.users.register("ann", PASSWORD).id
        services.accounts.emails.ask(ann, "ann@example.net")
        services.accounts.database.run("DELETE FROM deliveries")
        old = BoardMailKey(ann, "", 1, "digest", 1)
        with services.accounts.database.transaction(writes=True) as transaction:
            services.accounts.board_mails.add(transaction, [old], ())
        services.accounts.mail_levels.stop(ann, "ann@example.net", "550 no such user")
    lines = mail_lines(replace(here, smtp_url=f"smtp://127.0.0.1:{free_port()}"))
    assert [level for level, _ in lines] == ["wrong", "note", "wrong"]
    assert "takes no mail (ConnectionRefusedError)" in lines[0][1]
    assert "1 addresses came back" in lines[1][1]
    assert lines[2][1].startswith("board-mails: 1 waiting, 0 failing, the oldest since 1970-01-01")
