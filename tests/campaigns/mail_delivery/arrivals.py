"""Promises that must hold for the mails that a relay got, whatever was killed."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage

FOOTER = re.compile(r"(game|size) [0-9a-f-]+")


def faults_of_mails(raw: Sequence[bytes], replies: Mapping[str, str]) -> list[str]:
    """Return what is wrong: each message has one text, each reply one answer, and no version is told twice.

    `replies` holds the Message-ID of each reply that was taken, by that of the mail it answers.
    """
    copies, mails = defaultdict[str, set[bytes]](set), dict[str, EmailMessage]()
    for each in raw:
        mail = message_from_bytes(each, EmailMessage, policy=policy.default)
        identity = str(mail["Message-ID"])
        mails.setdefault(identity, mail)
        copies[identity].add(each)
    told = Counter(
        (str(mail["To"]), *filter(FOOTER.fullmatch, mail.get_content().splitlines()))
        for mail in mails.values()
        if mail["Auto-Submitted"] == "auto-generated"
    )
    answered = Counter(str(mail["In-Reply-To"]) for mail in mails.values() if mail["Auto-Submitted"] == "auto-replied")
    expected = Counter(replies.values())
    found = [f"mail {identity} has several texts" for identity, texts in copies.items() if len(texts) > 1]
    found += [f"a mail has no footer: {key}" for key in told if len(key) != 3]
    found += [f"told twice by mail: {key}" for key, times in told.items() if times > 1]
    found += [f"reply {reply} has {answered[reply]} answers" for reply in expected if answered[reply] != 1]
    return found + [f"an answer to {reply}, which wasn't taken" for reply in answered - expected]
