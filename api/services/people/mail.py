"""Sends the mails that wait, through the server that the settings name."""

import logging
import smtplib
from email.message import EmailMessage
from urllib.parse import SplitResult, urlsplit

from api.accounts.people.emails import MOST_SENDS, Emails, Mail
from api.config import Config
from api.services.mail.relay import connect
from api.services.operations.metrics import MAILS

LOG = logging.getLogger("trickbook.mail")


class Postman:
    """Sends mails over SMTP: `smtps://` encrypts from the start, `smtp://` by STARTTLS except to this machine."""

    def __init__(self, emails: Emails, config: Config) -> None:
        self._emails = emails
        self._url = None if config.smtp_url is None else urlsplit(config.smtp_url)
        self._sender = config.mail_from or f"trickbook@{'localhost' if self._url is None else self._url.hostname}"

    def turn(self) -> int:
        """Send the mails that are due and return how many were sent. Without a server, none is."""
        if self._url is None or not self._emails.waits():
            return 0
        return sum(self._deliver(mail, self._url) for mail in self._emails.take())

    def _deliver(self, mail: Mail, url: SplitResult) -> bool:
        """Send one mail. It's tried again after 1, 2, 4... minutes unless the server refuses it for good."""
        try:
            with connect(url) as server:
                server.send_message(self._message(mail))
        except (OSError, smtplib.SMTPException) as error:
            LOG.warning("mail %d wasn't sent: %s", mail.number, type(error).__name__)
            if isinstance(error, smtplib.SMTPRecipientsRefused) or mail.tries + 1 >= MOST_SENDS:
                self._emails.drop(mail)
                MAILS.labels("dropped").inc()
            MAILS.labels("failed").inc()
            return False
        self._emails.drop(mail)
        MAILS.labels("sent").inc()
        return True

    def _message(self, mail: Mail) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, mail.address, mail.subject
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.body)
        return message
