"""The receipt in the footer of a mail, as mail programs save the mail."""

import pytest

from api.cli.common.config import CannotAnswer
from api.cli.common.evidence_options import is_mail, receipt_in_mail
from domain.protocols.signed_notes import parse_checkpoint, parse_note
from tests.mail.post_office import NAMES, PostOffice


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_receipt_is_that_of_the_board_in_the_mail(end: str, office: PostOffice) -> None:
    office.challenge(NAMES)
    office.send_all()
    [(_, mail)] = office.relay.mails
    text = mail.as_string().replace("\r\n", "\n").replace("\n", end)
    head = parse_checkpoint(parse_note(receipt_in_mail("a mail", text)).body)
    assert is_mail(text)
    assert f"size {head.size}\nroot {head.root.hex()}\n" in mail.get_content().replace("\r\n", "\n")


def test_a_mail_without_a_receipt_is_refused() -> None:
    with pytest.raises(CannotAnswer, match="This mail holds no receipt"):
        receipt_in_mail("a mail", "From: ann@example.net\nTo: bob@example.net\n\nhello\n")


@pytest.mark.parametrize(
    "text",
    [
        '{"board":1,"format":"trickbook-export/1"}\n{"event":{"at":""}}\n',
        "trickbook.invalid/3f9a6c01d2e8/game/95c8576e-1963-4ba8-a6ae-06312e770e10\n10\nrXXiJy3KQ9GOI9m=\n\n— a b\n",
        "",
    ],
)
def test_exports_answers_and_receipts_are_no_mails(text: str) -> None:
    assert not is_mail(text)
