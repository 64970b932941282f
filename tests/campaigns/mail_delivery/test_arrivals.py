"""The checks of what a relay got find each fault."""

from email.message import EmailMessage

from tests.campaigns.mail_delivery.arrivals import faults_of_mails


def mail(identity: str, text: str = "Hello", *, size: int = 7, answers: str | None = None) -> bytes:
    """Return a mail as the server sends it: about a board, or an answer to a reply."""
    made = EmailMessage()
    made["To"], made["Message-ID"] = "ann@example.net", identity
    made["Auto-Submitted"] = "auto-generated" if answers is None else "auto-replied"
    if answers is not None:
        made["In-Reply-To"] = answers
    made.set_content(f"{text}\ngame 00000000-0000-4000-8000-000000000000\nsize {size}\n")
    return made.as_bytes()


def test_mails_that_come_once_or_again_as_they_are_have_no_faults() -> None:
    raw = [mail("<1@x>"), mail("<1@x>"), mail("<2@x>", size=9), mail("<3@x>", answers="<r@y>")]
    assert faults_of_mails(raw, {"<1@x>": "<r@y>"}) == []


def test_a_message_that_comes_again_with_another_text_is_a_fault() -> None:
    assert faults_of_mails([mail("<1@x>"), mail("<1@x>", "Bye")], {}) == ["mail <1@x> has several texts"]


def test_two_messages_about_one_version_are_a_fault() -> None:
    (fault,) = faults_of_mails([mail("<1@x>"), mail("<2@x>")], {})
    assert fault.startswith("told twice by mail: ('ann@example.net', 'game 0000")


def test_a_reply_without_an_answer_and_an_answer_without_a_reply_are_faults() -> None:
    assert faults_of_mails([mail("<1@x>")], {"<1@x>": "<r@y>"}) == ["reply <r@y> has 0 answers"]
    assert faults_of_mails([mail("<3@x>", answers="<r@y>")], {}) == ["an answer to <r@y>, which wasn't taken"]
