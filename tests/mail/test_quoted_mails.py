"""Replies that quote the board: the move counts, and nothing of the hand goes to the others."""

import re
from email.message import EmailMessage
from itertools import product

from api.mail.incoming.message import IncomingMail, read_body, read_mail
from api.mail.incoming.reader import find_line
from api.mail.outgoing.messages import SENTINEL
from tests.mail.mail_programs import ENCODINGS, PROGRAMS, encode
from tests.mail.post_office import PostOffice

TEXTS = ("AD", "AD\nwell played", "AD\n\nwell played", "2\ngood luck")
BELOW_THE_QUOTATION = {"thunderbird_bottom", "mutt_inline"}


def test_attack_123_replies_of_ten_mail_programs_pass_nothing_of_a_hand_on(office: PostOffice) -> None:
    """200 replies: ten programs, five encodings, four texts."""
    board = office.challenge(["ann", "bob", "cat", "dan"])
    office.send_all()
    to, original = office.relay.mails[-1]
    name = to.partition("@")[0]
    cards = re.findall(r"Your cards: (.*)", original.get_content())[0].split()
    for program, write in PROGRAMS.items():
        for encoding in ENCODINGS:
            for text in TEXTS:
                mail = EmailMessage()
                mail["From"], mail["Subject"] = to, f"Re: {original['Subject']}"
                mail["Message-ID"] = f"<{program}.{encoding}.{TEXTS.index(text)}@example.net>"
                encode(mail, write(text, original.get_content(), str(original["Reply-To"])), encoding)
                office.reader.read(mail.as_bytes(), to, str(original["Reply-To"]))
    said = [each["text"] for each in office[name].caller.get(f"/games/{board}/chat").get_json()["items"]]
    assert said, "a comment right below a move is passed on"
    assert set(said) <= {"well played", "good luck"}, said
    assert not any(card in " ".join(said) for card in cards)


def test_the_first_line_counts_unless_it_stands_below_the_quotation() -> None:
    original = f"{SENTINEL}\n\nIt's your turn.\n\nYour cards: AD 2C\n"
    for program, encoding in product(PROGRAMS, ENCODINGS):
        mail = EmailMessage()
        encode(mail, PROGRAMS[program]("AD", original, "play+1.0.1.x@cards.example.org"), encoding)
        first = read_body(mail).first
        assert (first == "AD") is (program not in BELOW_THE_QUOTATION), (program, encoding, first)


SIGNATURES = (
    "-- \nAnn Smith\n+1 555 0100",
    "On Mon, 3 Nov 2026 at 10:00, cards@example.org wrote:\nyour cards are AD",
    "From: trickbook\nSent: Monday, 3 November 2026",
    "________________________________\nAnn Smith",
)


def test_a_command_in_the_subject_passes_a_comment_on_but_no_signature_or_quotation() -> None:
    for end in SIGNATURES:
        for comment in ([], ["well played", "all of you"]):
            found = find_line(subject_alone("\n".join([*comment, end, "", SENTINEL, ""])), None)
            assert found is not None
            assert (found.line, list(found.comment)) == ("pitch move 1 AD", comment), end


def subject_alone(body: str) -> IncomingMail:
    """Return a mail with a command as its subject."""
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ann@example.net", "pitch move 1 AD"
    mail.set_content(body)
    return read_mail(mail.as_bytes(), "ann@example.net", "play@cards.example.org")
