"""What the tables of a soak read in mails."""

from email import message_from_bytes, policy
from email.message import EmailMessage

from tests.campaigns.soak.tables import game_of

GAME = "19ac87af-86dd-4a76-8806-78357d6688e4"


def test_the_game_of_a_mail_is_found_as_the_mail_comes_through_a_relay() -> None:
    mail = EmailMessage()
    mail.set_content(f"The game is over.\n\ngame {GAME}\nsize 12\n")
    sent = message_from_bytes(mail.as_bytes(policy=policy.SMTP), EmailMessage, policy=policy.default)
    assert "\r\n" in sent.get_content()
    assert game_of(sent) == GAME
