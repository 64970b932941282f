"""Debian's Postfix, really run with the configuration of docs/mail.md: in a folder of its own, on ports of loopback.

Only paths and ports differ from the page. The players' own mail server is the same one: it has a maildir for each.
"""

import os
import pwd
import re
import signal
import smtplib
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from tests.docs.markdown import ROOT
from tests.ports import free_port
from tests.programs import leave_out, need_program
from tests.waiting import wait_for, wait_until

MAIL_PAGE = ROOT / "docs" / "mail.md"
DOMAIN, PLAYERS_DOMAIN = "cards.example.com", "example.net"
DOCUMENTED_LMTP = "lmtp:inet:127.0.0.1:8024"
STRANGER = "127.0.0.2"
"""An address of loopback outside of `mynetworks`, as anybody's mail server is."""
PATIENCE_S = 60.0
OWN_PLACE = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
myhostname = mx.example.com
mydestination =
mynetworks = 127.0.0.1/32
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_peername_lookup = no
alias_maps =
virtual_mailbox_domains = {domain}
virtual_mailbox_base = {folder}/mailboxes
virtual_mailbox_maps = inline:{{ {mailboxes} }}
virtual_uid_maps = static:{user}
virtual_gid_maps = static:{group}
"""
"""Where this Postfix lives, and the mailboxes of the players."""
NOWHERE = """
virtual_alias_maps = inline:{{ {name}@{domain}={name}@nowhere.invalid }}
default_transport = error:5.1.2 there is no such domain
"""
SERVICES = """
127.0.0.1:{port} inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
lmtp unix - - n - - lmtp
virtual unix - n n - - virtual
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
"""


RELOADED = "]: reload -- version"
"""The line that Postfix logs once it has read its configuration again."""


@dataclass(frozen=True)
class MailServer:
    """A running Postfix, and the maildirs of the players."""

    folder: Path
    port: int

    def mails_to(self, name: str) -> list[EmailMessage]:
        """Return the mails in a player's mailbox, in order of arrival."""
        files = sorted((self.folder / "mailboxes" / name / "new").glob("*"), key=lambda each: each.stat().st_mtime_ns)
        return [message_from_bytes(each.read_bytes(), EmailMessage, policy=policy.default) for each in files]

    def wait_for(self, name: str, text: str, count: int = 1) -> EmailMessage:
        """Return a player's newest mail that has a text, once there are that many."""

        def there() -> list[EmailMessage]:
            return [mail for mail in self.mails_to(name) if text in mail.get_content()]

        return wait_for(there, lambda found: len(found) >= count, f"{name} has no mail with {text!r}")[-1]

    def send(self, mail: EmailMessage, sender: str, recipient: str, source: str = STRANGER) -> str:
        """Send a mail by SMTP as the mail server of its writer does; return the answer to the recipient."""
        with smtplib.SMTP("127.0.0.1", self.port, source_address=(source, 0)) as client:
            try:
                client.sendmail(sender, [recipient], mail.as_bytes(policy=policy.SMTP))
            except smtplib.SMTPRecipientsRefused as error:
                code, words = error.recipients[recipient]
                return f"{code} {words.decode()}"
        return "250"

    def forward_to_nowhere(self, name: str) -> None:
        """Let mails to a player go to a domain that doesn't exist from now on: they come back."""
        with (self.folder / "etc" / "main.cf").open("a") as file:
            file.write(NOWHERE.format(name=name, domain=PLAYERS_DOMAIN))
        reloads = self.log().count(RELOADED)
        subprocess.run([postfix_program(), "-c", str(self.folder / "etc"), "reload"], check=True, capture_output=True)
        wait_until(lambda: self.log().count(RELOADED) > reloads, "Postfix doesn't read its configuration")

    def log(self) -> str:
        """Return what Postfix has logged."""
        file = self.folder / "log"
        return file.read_text(errors="replace") if file.exists() else ""


def postfix_program() -> str:
    """Return the program. Without it or root, skip the test, or fail if REQUIRE_PROGRAMS=1."""
    if os.geteuid() != 0:
        leave_out("Postfix needs root: docs/mail.md isn't run")
    return need_program("postfix")


def documented(heading: str) -> str:
    """Return the configuration below a heading of the page."""
    below = MAIL_PAGE.read_text(encoding="utf-8").split(f"\n### {heading}\n")[1]
    found = re.search(r"```[a-z]+\n(.*?)```", below, re.DOTALL)
    assert found is not None, heading
    return found[1]


@contextmanager
def running_postfix(lmtp_port: int, players: Sequence[str]) -> Iterator[MailServer]:
    """Run Postfix in front of a server that listens for LMTP, and with a mailbox for each player."""
    program, port = postfix_program(), free_port()
    with tempfile.TemporaryDirectory(prefix="postfix-") as name:
        folder = Path(name)
        _write(folder, port, lmtp_port, players)
        command = [program, "-c", str(folder / "etc"), "start-fg"]
        console = (folder / "console").open("wb")
        with console, subprocess.Popen(command, stdout=console, stderr=console) as run:
            server = MailServer(folder, port)
            try:
                wait_until(lambda: _listens(server, run), "Postfix doesn't listen")
                yield server
            finally:
                os.kill(int((folder / "queue" / "pid" / "master.pid").read_text()), signal.SIGTERM)
                run.wait(PATIENCE_S)


def _write(folder: Path, port: int, lmtp_port: int, players: Sequence[str]) -> None:
    folder.chmod(0o755)  # its services run as another user
    user = pwd.getpwnam("postfix")
    for each in ("etc", "queue", "data", "mailboxes"):
        (folder / each).mkdir()
    for each in ("data", "mailboxes"):
        os.chown(folder / each, user.pw_uid, user.pw_gid)
    text = documented("Postfix")
    assert text.count(DOCUMENTED_LMTP) == 1
    mailboxes = ", ".join(f"{player}@{PLAYERS_DOMAIN}={player}/" for player in players)
    own = OWN_PLACE.format(
        folder=folder, domain=PLAYERS_DOMAIN, mailboxes=mailboxes, user=user.pw_uid, group=user.pw_gid
    )
    (folder / "etc" / "main.cf").write_text(text.replace(DOCUMENTED_LMTP, f"lmtp:inet:127.0.0.1:{lmtp_port}") + own)
    (folder / "etc" / "master.cf").write_text(SERVICES.format(port=port))


def _listens(server: MailServer, run: "subprocess.Popen[bytes]") -> bool:
    assert run.poll() is None, (server.folder / "console").read_text() + server.log()
    with suppress(OSError):
        smtplib.SMTP("127.0.0.1", server.port).close()
        return True
    return False
