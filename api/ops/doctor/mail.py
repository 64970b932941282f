"""Mail: whether the relay answers, and what waits to be sent."""

import smtplib
from collections.abc import Iterator
from urllib.parse import urlsplit

from api.config import Config
from api.ops.doctor.symptom import Symptom, note, ok, wrong
from api.services.container import Services
from api.services.mail.relay import connect
from domain.engine.timestamps import format_time

LATE_US = 3600 * 1_000_000
"""A mail that could have gone an hour ago waits for something that is wrong."""


def look_at_mail(services: Services) -> Iterator[Symptom]:
    """Yield what is known about mail."""
    config = services.config
    if config.smtp_url is None:
        yield note("mail", "off: set TRICKBOOK_SMTP_URL to send codes for addresses, and to play by mail")
        return
    yield _relay(config, config.smtp_url)
    if config.mail_domain is None:
        yield note("mail", "play by mail is off: set TRICKBOOK_MAIL_DOMAIN to turn it on")
        return
    if config.mail_authserv is None:
        yield note("mail", "TRICKBOOK_MAIL_AUTHSERV isn't set, so mails to play@ are refused; reply addresses work")
    yield from _queue(services)
    if stopped := services.accounts.mail_levels.count_stops():
        text = f"mail to {stopped} addresses came back, so the server sends none there; players see that on /me"
        yield note("mail", text)


def _relay(config: Config, url: str) -> Symptom:
    parts = urlsplit(url)
    try:
        with connect(parts) as server:
            server.ehlo_or_helo_if_needed()
    except (OSError, smtplib.SMTPException) as error:
        why = f"takes no mail ({type(error).__name__}): check TRICKBOOK_SMTP_URL and the mail server"
        return wrong("mail", f"{parts.hostname} {why}")
    return ok("mail", f"{parts.hostname} answers")


def _queue(services: Services) -> Iterator[Symptom]:
    boards = services.accounts.board_mails
    answers, written = services.accounts.mail_answers.waiting()
    count, now = boards.waiting() + answers, services.clock.now_us()
    oldest = min((each for each in (boards.oldest_due(), written) if each is not None), default=now)
    if now - oldest > LATE_US:
        late = f"{count} mails wait, the oldest since {format_time(oldest)}"
        yield wrong("mail", f"{late}: is a worker running? If so, its log says why mails aren't taken")
    else:
        yield ok("mail", f"{count} mails wait to be sent")
