"""How much work one sender can ask for by mail."""

from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage

import pytest

from api.config.limits import NO_LIMITS, Rate
from tests.conftest import Database
from tests.mail.post_office import AUTHSERV, DOMAIN, NAMES, PostOffice, Relay, open_office

LIMITS = replace(NO_LIMITS, mail_lines=Rate(3, 3600), mail_replies=Rate(2, 3600))


@pytest.fixture
def strict_office(database: Database, relay: Relay) -> Iterator[PostOffice]:
    """A server that takes three lines an hour from an address, and two in replies."""
    with open_office(database, relay, limits=LIMITS) as opened:
        yield opened


def answers_to(office: PostOffice, subject: str, body: str, count: int) -> list[str]:
    """Return the answers to mails of a stranger whose domain signs."""
    for number in range(count):
        mail = EmailMessage()
        mail["From"], mail["Subject"], mail["Message-ID"] = "eve@example.net", subject, f"<{number}@example.net>"
        mail["Authentication-Results"] = f"{AUTHSERV}; dkim=pass header.d=example.net"
        mail.set_content(body)
        office.reader.read(mail.as_bytes(), "eve@example.net", f"play@{DOMAIN}")
        office.send_all()
    return [mail.get_content() for _, mail in office.relay.mails]


def test_the_lines_of_a_stranger_are_limited_by_the_hour(strict_office: PostOffice) -> None:
    answers = answers_to(strict_office, "help", "", 4)
    assert ["a limited number of lines" in text for text in answers] == [False, False, False, True]


def test_each_line_of_a_multiple_counts(strict_office: PostOffice) -> None:
    [answer] = answers_to(strict_office, "multiple", "help\nhelp\nhelp\nhelp\n", 1)
    assert "a limited number of lines" in answer


def test_the_replies_of_a_player_are_limited_by_the_hour(strict_office: PostOffice) -> None:
    strict_office.challenge(NAMES)
    strict_office.send_all()
    [(to, first)] = strict_office.relay.mails
    for number in range(3):
        assert strict_office.reply(to.partition("@")[0], f"pitch showas {number + 1}", first) == "250"
        strict_office.send_all()
    newest = [mail.get_content() for each, mail in strict_office.relay.mails if each == to][1:]
    assert ["a limited number of lines" in text for text in newest] == [False, False, True]
