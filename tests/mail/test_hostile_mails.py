"""Mails that try what their writer has no right to, and mails that are broken: an answer or silence, and no change."""

from email.message import EmailMessage
from random import Random
from zlib import crc32

import pytest

from api.mail.incoming.reader import MailOutcome
from tests.api.conftest import PASSWORD
from tests.mail.post_office import AUTHSERV, DOMAIN, PostOffice, reply_to

NAMES = ["ann", "bob", "cat", "dan"]


@pytest.fixture
def turn(office: PostOffice) -> tuple[str, EmailMessage]:
    """A game that has begun: the name of the player in turn, and their mail."""
    office.challenge(NAMES)
    office.send_all()
    to, mail = office.relay.mails[-1]
    return to.partition("@")[0], mail


def version(office: PostOffice) -> int:
    shown: int = office["ann"].caller.get("/games/1").get_json()["version"]
    return shown


def test_a_wrong_signature_is_no_address(office: PostOffice, turn: tuple[str, EmailMessage]) -> None:
    name, mail = turn
    before, address = version(office), str(mail["Reply-To"])
    local, _, domain = address.partition("@")
    parts = local.split(".")
    forged = [
        f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{domain}",
        ".".join([parts[0], str((int(parts[1]) + 1) % 4), *parts[2:]]) + f"@{domain}",
        ".".join([*parts[:2], str(int(parts[2]) - 1), parts[3]]) + f"@{domain}",
        f"play+2.0.1.{parts[3]}@{domain}",
        f"{local}@elsewhere.example.org",
        f"play+1.0.1@{domain}",
        f"nobody@{domain}",
    ]
    for each in forged:
        assert office.deliver(reply_to(mail, office[name].address, "2"), each, office[name].address)[:3] == "550", each
    assert version(office) == before


def test_capitals_in_the_address_do_not_matter(office: PostOffice, turn: tuple[str, EmailMessage]) -> None:
    name, mail = turn
    before = version(office)
    answer = reply_to(mail, office[name].address, "pass")
    local, _, domain = str(mail["Reply-To"]).partition("@")
    assert len(local) < 64
    assert office.deliver(answer, f"{local.upper()}@{domain.upper()}", office[name].address) == "250"
    assert version(office) > before


def test_an_older_address_is_answered_with_what_has_happened(
    office: PostOffice, turn: tuple[str, EmailMessage]
) -> None:
    name, mail = turn
    assert office.reply(name, "pass", mail) == "250"
    before = version(office)
    assert office.reply(name, "pass", mail) == "250"
    office.send_all()
    text = office.mails_to(name)[-1].get_content()
    assert (version(office), "Your mail wasn't carried out" in text, "Since move #" in text) == (before, True, True)


@pytest.mark.parametrize("end", ["tokens", "password", "address", "disabled"])
def test_an_address_ends_with_the_tokens_of_its_time(
    end: str, office: PostOffice, turn: tuple[str, EmailMessage]
) -> None:
    name, mail = turn
    person, before = office[name], version(office)
    if end == "tokens":
        assert person.caller.delete("/me/tokens").status_code == 200
    elif end == "password":
        change = {"password": PASSWORD, "new_password": "violet-otter-lantern"}
        assert person.caller.post("/me/password", change).status_code == 200
    elif end == "address":
        office.confirm(person, "other@example.net")
    else:
        accounts = office.services.accounts
        user = accounts.users.by_name(name)
        assert user is not None
        accounts.admin.disable(user)
    assert office.reply(name, "pass", mail)[:3] == "550"
    assert office.services.games.state(office.services.accounts.boards.game_of(1) or "").version == before


def test_attack_123_automatic_mails_are_dropped_silently(office: PostOffice, turn: tuple[str, EmailMessage]) -> None:
    name, mail = turn
    before, sent = version(office), len(office.relay.mails)
    for header, value in (("Auto-Submitted", "auto-replied"), ("List-Id", "<x.example.org>"), ("Precedence", "bulk"),
                          ("X-Trickbook", "1")):  # fmt: skip
        assert office.reply(name, "pass", mail, **{header.replace("-", "_"): value}) == "250"
        assert (version(office), office.send_all(), len(office.relay.mails)) == (before, 0, sent)
    for other in ("Auto-Submitted: no\r\nAuto-Submitted: auto-replied", "Precedence: x\r\nPrecedence: bulk"):
        assert raw_reply(office, turn, other) is MailOutcome.TAKEN
        assert (version(office), office.send_all(), len(office.relay.mails)) == (before, 0, sent)


def raw_reply(office: PostOffice, turn: tuple[str, EmailMessage], head: str, body: str = "pass") -> MailOutcome:
    name, mail = turn
    address = office[name].address
    raw = f"From: {address}\r\nMessage-ID: <raw@example.net>\r\n{head}\r\n\r\n{body}\r\n".encode()
    return office.reader.read(raw, address, str(mail["Reply-To"]))


@pytest.mark.parametrize(
    "head",
    [
        "Subject: pass\r\nSubject: 2",
        "From: eve@example.org\r\nSubject: x",
        "To: a@example.org\r\nTo: b@example.org",
        "Date: Thu, 26 Nov 2026 10:00:00 +0000\r\nDate: Thu, 26 Nov 2026 10:00:00 +0000",
        "Subject: =?utf-8?q?pass=0Apitch_move_1_2?=",
        "Subject: =?utf-8?q?pass=00?=",
        "Content-Type: text/plain; charset=utf-7\r\nContent-Type: text/plain",
        "Content-Transfer-Encoding: base64\r\nContent-Transfer-Encoding: 8bit",
    ],
)
def test_attack_123_a_mail_that_can_be_read_in_two_ways_is_refused(
    head: str, office: PostOffice, turn: tuple[str, EmailMessage]
) -> None:
    before = version(office)
    assert raw_reply(office, turn, head) is MailOutcome.TAKEN
    assert (version(office), office.send_all()) == (before, 1)
    assert (
        "Your mail" in office.mails_to(turn[0])[-1].get_content()
        or "header" in office.mails_to(turn[0])[-1].get_content()
    )


def test_large_mails_and_many_parts_are_refused(office: PostOffice, turn: tuple[str, EmailMessage]) -> None:
    before = version(office)
    assert raw_reply(office, turn, "Subject: x", "pass\r\n" + "x" * 300_000) is MailOutcome.TAKEN
    parts = "--b\r\nContent-Type: text/plain\r\n\r\npass\r\n" * 30
    assert raw_reply(office, turn, 'Content-Type: multipart/mixed; boundary="b"', parts) is MailOutcome.TAKEN
    assert version(office) == before


def line(office: PostOffice, sender: str, subject: str, results: str | None) -> None:
    """Send a line to the address that takes lines from anybody."""
    mail = EmailMessage()
    mail["From"], mail["Subject"] = sender, subject
    mail["Message-ID"] = f"<{crc32(f'{sender} {subject} {results}'.encode())}@example.net>"
    if results is not None:
        mail["Authentication-Results"] = results
    mail.set_content("hello\n")
    assert office.reader.read(mail.as_bytes(), sender, f"play@{DOMAIN}") is MailOutcome.TAKEN


PASSED = f"{AUTHSERV}; dkim=pass header.d=example.net"


def test_a_password_counts_only_from_the_confirmed_address(office: PostOffice) -> None:
    people = [office[name] for name in NAMES]
    people[0].caller.post("/commands", {"line": "set passwords on"})
    for sender, results, is_read in (
        ("ann@example.net", PASSED, True),
        ("ann@example.net", None, False),
        ("ann@example.net", "mx.elsewhere.org; dkim=pass header.d=example.net", False),
        ("ann@example.net", f"{AUTHSERV}; dkim=fail header.d=example.net", False),
        ("ann@example.net", f"{AUTHSERV}; dkim=pass header.d=example.org", False),
        ("ann@example.net", f"{AUTHSERV}; dkim=fail (dkim=pass header.d=example.net) header.d=example.net", False),
        ("eve@example.net", PASSED, True),
    ):
        office.relay.mails.clear()
        line(office, sender, "setback challenge ann bob cat dan", results)
        line(office, sender, f"set ann {PASSWORD} mail digest", results)
        line(office, sender, f"all show ann {PASSWORD}", results)
        office.send_all()
        mails = [mail.get_content() for to, mail in office.relay.mails if to == sender]
        assert any("Your password went through the mail" in text for text in mails) is is_read
        is_anns = (sender, results) == ("ann@example.net", PASSED)
        assert any("The game has started" in text for text in mails) is is_anns
        assert office.services.accounts.mail_levels.of(people[0].id) == "turn", "settings need a token"


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=pytest.mark.slow)])
def test_attack_123_changed_mails_get_an_answer_or_silence(
    count: int, office: PostOffice, turn: tuple[str, EmailMessage]
) -> None:
    """Bytes changed, removed, repeated and put in: no error leaves the reader, and a move is the player's or none."""
    name, mail = turn
    draw, address = Random(300), office[name].address
    raw = reply_to(mail, address, "AD").as_bytes()  # a card in the auction: never legal
    before = version(office)
    for number in range(count):
        changed = bytearray(raw.replace(b"Message-ID: <", b"Message-ID: <%d." % number))
        for _ in range(draw.randint(1, 6)):
            at, kind = draw.randrange(len(changed)), draw.randrange(5)
            if kind == 0:
                changed[at] = draw.randrange(256)
            elif kind == 1:
                del changed[at : at + draw.randint(1, 60)]
            elif kind == 2:
                changed[at:at] = changed[at : at + draw.randint(1, 200)]
            elif kind == 3:
                changed[at:at] = draw.choice(INSERTS)
            else:
                changed = changed[: max(1, at)]
            changed = changed or bytearray(b"x")
        to = draw.choice([str(mail["Reply-To"]), f"play@{DOMAIN}", f"play+1.0.1.{'a' * 24}@{DOMAIN}"])
        assert office.reader.read(bytes(changed), draw.choice([address, ""]), to) in MailOutcome
    assert version(office) == before


INSERTS = (
    b"\r\n", b"\n\n", b"Subject: pitch move 1 2\n", b"Content-Type: multipart/mixed; boundary=\"\"\n", b"\0",
    b"\xff\xfe",
    b"=?utf-8?b?AAAA?=", b"Content-Type: text/html; charset=\"\xe9\"\n", b"Content-Transfer-Encoding: base64\n",
    b"Content-Type: message/rfc822\n\n", b"From: <>\n", b"=?x?q?=?=", b"(((((((((", b"Content-Type: ;;;=\n",
)  # fmt: skip
