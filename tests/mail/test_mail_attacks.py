"""Mails that would make the server act for others, write to others, write to programs without end, or stand still."""

import time
from base64 import b64encode
from collections.abc import Mapping
from email.message import EmailMessage
from functools import partial

import pytest

from api.cli.common.evidence_options import receipt_in_mail
from api.config.limits import Limits
from api.mail.incoming.message import MOST_BYTES, MOST_CHARACTERS, UnusableMail, read_mail
from api.mail.incoming.reader import MailOutcome, failure_of
from api.mail.outgoing.messages import OURS
from tests.api.conftest import check_problem
from tests.conftest import Database
from tests.mail.post_office import AUTHSERV, DOMAIN, NAMES, PostOffice, Relay, open_office, reply_to
from tests.mail.test_hostile_mails import line, version

HEAD = b"From: ann@example.net\nMessage-ID: <a@b>\n"
HALF = MOST_BYTES // 2 - 100
BOMBS = {
    "a list of senders": b"From: " + b"a," * HALF + b"\n\nAD",
    "comments in comments": b"From: " + b"(" * HALF + b"\n\nAD",
    "groups of senders": b"From: " + b"a:" * HALF + b"\n\nAD",
    "encoded words": HEAD + b"Subject: " + b"=?utf-8?q?a?= " * (HALF // 8) + b"\n\nAD",
    "parameters": HEAD + b"Content-Type: text/plain; " + b"a=b; " * (HALF // 4) + b"\n\nAD",
    "parameters of a part": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; "
    + b"a=b; " * (HALF // 4)
    + b"\n\nAD\n--b--\n",
    "a header over many lines": b"From: a@b.c" + b"\n (" * (HALF // 2) + b"\n\nAD",
    "parts in parts": HEAD
    + b"".join(b"\rContent-Type: multipart/mixed; boundary=b%d\r\r--b%d" % (n, n) for n in range(3000)),
    "parts without headers": HEAD + b"Content-Type: multipart/digest; boundary=b\n\n" + b"--b\n\n" * (HALF // 3),
    "tags that don't end": HEAD + b"Content-Type: text/html\n\n" + b"<a " * (HALF // 2),
    "results": HEAD + b"Authentication-Results: " + b"(" * HALF + b"\n\nAD",
    "many headers": HEAD + b"A:\n" * (HALF // 2) + b"\nAD",
}
PARTS = {
    "parts of a report": HEAD + b"Content-Type: message/delivery-status\n\n" + b"\n" * (2 * HALF),
    "fields of a report": HEAD
    + b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
    + b"a:b\n\n" * (HALF // 3)
    + b"--b--\n",
    **{
        name: HEAD + name.encode() + b": " + b"a " * HALF + b"\n\nAD"
        for name in ("X-Autoreply", "X-Autorespond", OURS, "X-Autoreply\t")
    },
}
MOST_CPU_S = 5.0
"""More than ten times what any of them needs; each took minutes without limits."""


def test_attack_145_no_mail_takes_long_to_read() -> None:
    read_in_time(BOMBS)


def test_attack_191_nor_does_one_with_parts_or_words_where_no_program_writes_any() -> None:
    read_in_time(PARTS)


def read_in_time(mails: Mapping[str, bytes]) -> None:
    for name, raw in mails.items():
        began = time.process_time()
        assert len(raw) <= MOST_BYTES
        for read in (partial(read_mail, raw, "a@b.c", "play@x"), partial(failure_of, raw)):
            try:
                read()
            except UnusableMail as error:
                assert "mail" in str(error)
        assert time.process_time() - began < MOST_CPU_S, name


CHARSETS = ("koi8-r", "windows-1251", "iso-8859-5", "utf-8", "utf-16", "gb18030", "euc-jp", "iso-2022-jp", "shift_jis")


def mail_in(charset: str, body: bytes) -> bytes:
    return HEAD + f"Content-Type: text/plain; charset={charset}\n\n".encode() + body


@pytest.mark.parametrize("charset", ["punycode", "idna", "utf-7", "unicode_escape", "rot13", "zlib", "undefined"])
def test_attack_145_only_charsets_of_mails_are_decoded(charset: str) -> None:
    for body in (b"a-b" * 50, b"+AHA-", b"\\u0070", b"xn--a"):
        assert read_mail(mail_in(charset, body), "a@b.c", "play@x").body.first == body.decode(), charset


def test_attack_145_the_program_decodes_no_other_charset_of_a_mail_either() -> None:
    receipt = "receipt\na.example\n1\nhash\n\n\u2014 a.example key\n"
    head, _, body = mail_in("punycode", b64encode(receipt.encode())).decode().rpartition("\n\n")
    mail = f"{head}\nContent-Transfer-Encoding: base64\n\n{body}"
    assert receipt_in_mail("a mail", mail) == receipt.removeprefix("receipt\n")


def test_a_text_in_a_charset_of_mails_is_read_up_to_its_limit() -> None:
    for charset in CHARSETS:
        text = "\u0445\u043e\u0434 " * MOST_CHARACTERS
        body = read_mail(mail_in(charset, text.encode(charset)[: MOST_BYTES - 200]), "a@b.c", "play@x").body
        assert body.first is not None
        assert body.first == text[: len(body.first)], charset
        assert MOST_CHARACTERS - 8 < len(body.first) <= MOST_CHARACTERS, charset


def test_attack_153_an_encoded_word_in_a_message_id_puts_nothing_into_an_answer(office: PostOffice) -> None:
    for number, text in enumerate(("\r\nBcc: victim@example.com\r\nX: ", "\n\nPay here", "\0")):
        mail = EmailMessage()
        mail["From"], mail["Subject"] = office["ann"].address, "help"
        mail.set_content("hello\n")
        identity = f"Message-ID: <{number}.=?utf-8?b?{b64encode(text.encode()).decode()}?=@example.net>\r\n"
        raw = identity.encode() + mail.as_bytes()
        assert office.reader.read(raw, office["ann"].address, f"play@{DOMAIN}") is MailOutcome.TAKEN
    assert office.send_all() == 3
    for answer in office.mails_to("ann"):
        assert (answer["In-Reply-To"], answer["Bcc"], "Pay here" in answer.as_string()) == (None, None, False)


def test_attack_153_an_address_with_an_encoded_word_is_malformed(office: PostOffice) -> None:
    for address in ("=?utf-8?b?DQpCY2M6IHg=?=@example.net", "ann=?x@example.net"):
        check_problem(office["ann"].caller.ask("PUT", "/me/email", {"email": address}), 400, "malformed")


def test_attack_192_a_mail_with_the_id_of_another_one_does_not_take_its_place(office: PostOffice) -> None:
    eve, ann = (office[name].address for name in ("eve", "ann"))
    for address in (eve, ann, ann):
        raw = f"From: {address}\nSubject: help\nMessage-ID: <copied@example.net>\n\nhello\n".encode()
        raw = f"Authentication-Results: {AUTHSERV}; dkim=pass header.d=example.net\n".encode() + raw
        assert office.reader.read(raw, address, f"play@{DOMAIN}") is MailOutcome.TAKEN
    office.send_all()
    assert sorted(to for to, _ in office.relay.mails) == sorted([eve, ann])


def test_attack_146_a_forged_sender_acts_for_nobody_and_gets_no_mail(office: PostOffice) -> None:
    office.challenge(NAMES)
    office.send_all()
    before, sent = version(office), len(office.relay.mails)
    for sender in ("victim@example.com", "cards@cards.example.org", f"play@{DOMAIN}", f"bounce@{DOMAIN}"):
        line(office, sender, "help", None)
    assert (office.send_all(), len(office.relay.mails), version(office)) == (0, sent, before)
    line(office, office["ann"].address, "help", None)
    assert office.send_all() == 1
    assert "can't tell that this mail comes from you" in office.mails_to("ann")[-1].get_content()


def test_attack_146_an_answer_goes_to_the_player_of_the_address_not_to_the_writer(office: PostOffice) -> None:
    office.challenge(NAMES)
    office.send_all()
    to, mail = office.relay.mails[-1]
    office.relay.mails.clear()
    eve = "eve@example.org"
    office.reader.read(reply_to(mail, eve, "showas 1").as_bytes(), eve, str(mail["Reply-To"]))
    office.send_all()
    assert {each for each, _ in office.relay.mails} == {to}


def test_attack_146_the_address_of_a_game_that_is_over_moves_nothing(office: PostOffice) -> None:
    board = office.challenge(["ann", "bob"], "pitch")
    office.send_all()
    to, mail = office.relay.mails[-1]
    name = to.partition("@")[0]
    assert office["bob" if name == "ann" else "ann"].caller.post(f"/games/{board}/moves", {"type": "resign"}).json
    before = version(office)
    assert office.reply(name, "pass", mail) == "250"
    office.send_all()
    assert version(office) == before
    assert "Over" in office.mails_to(name)[-1].get_content()


def test_attack_147_programs_that_answer_each_other_end_after_one_refusal(database: Database, relay: Relay) -> None:
    """A program that says that its owner is away, without a header that says so."""
    with open_office(database, relay, limits=Limits()) as office:
        office.challenge(NAMES)
        office.send_all()
        to, _ = relay.mails[-1]
        name = to.partition("@")[0]
        for _ in range(5):
            assert office.reply(name, "I am away until Monday.") == "250"
            office.send_all()
        assert len(office.mails_to(name)) == 2, "the mail about the turn, and one refusal"


def test_attack_147_bounces_of_answers_and_of_bounces_are_dropped(office: PostOffice) -> None:
    office.challenge(NAMES)
    office.send_all()
    sent = len(office.relay.mails)
    mail = office.relay.mails[-1][1]
    for recipient in (str(mail["Reply-To"]), f"bounce@{DOMAIN}", f"play@{DOMAIN}", str(mail["X-Envelope-From"])):
        report = reply_to(mail, "MAILER-DAEMON@mx.example.net", "pass")
        assert office.reader.read(report.as_bytes(), "", recipient) is MailOutcome.TAKEN
    assert (office.send_all(), len(office.relay.mails)) == (0, sent)


def test_attack_147_texts_in_any_charset_are_read_or_refused(office: PostOffice) -> None:
    office.challenge(NAMES)
    office.send_all()
    to, mail = office.relay.mails[-1]
    before = version(office)
    for charset in ("x-unknown", "idna", "\u00e9", "rot13", "utf-7", "utf-16"):
        assert version(office) == before
        for number, body in enumerate((b"\xff\xfep\0a\0s\0s\0", b"+AHA-ass", b"\xf0\x9f\x82\xa1", b"AD\x00")):
            head = f"From: {to}\nMessage-ID: <{number}{ord(charset[0])}{len(charset)}@x>"
            raw = f"{head}\nContent-Type: text/plain; charset={charset}\n\n".encode("latin-1") + body
            assert office.reader.read(raw, to, str(mail["Reply-To"])) is MailOutcome.TAKEN
    assert version(office) == before + 1, "utf-16 reads the first one as `pass`"
