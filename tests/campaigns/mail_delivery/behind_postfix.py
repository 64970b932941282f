"""The server, `trickbook mail listen` and Postfix as three programs, and players who have mailboxes alone."""

import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from typing import IO, Any

from tests.api.remote_server import RemoteCaller, RemoteServer
from tests.api.server_process import PROGRAM, limits_file, server_environment, start_server
from tests.campaigns.mail_delivery.postfix import DOMAIN, PLAYERS_DOMAIN, MailServer, running_postfix
from tests.conftest import Database
from tests.mail.post_office import reply_to
from tests.ports import free_port


@dataclass(frozen=True)
class MailTable:
    """A server that plays by mail, and its players by name."""

    server: RemoteServer
    postfix: MailServer

    def register(self, name: str) -> RemoteCaller:
        """Register somebody, who confirms their address with the code in their mailbox."""
        caller = self.server[name]
        assert caller.ask("PUT", "/me/email", {"email": f"{name}@{PLAYERS_DOMAIN}"}).status_code == 202
        text = self.postfix.wait_for(name, "code").get_content()
        (code,) = re.findall(r"\b[0-9]{8}\b", text)
        assert caller.post("/me/email/confirmation", {"code": code}).status_code == 200
        return caller

    def open(self, names: Sequence[str], variant: str) -> int:
        """Open a game, and return its board."""
        made = self.server[names[0]].post("/games", {"variant": variant, "seats": list(names)})
        assert made.status_code == 201, made.text
        board: int = made.get_json()["view"]["board"]
        return board

    def view(self, name: str, board: int) -> Any:
        """Return a player's view over HTTP."""
        return self.server[name].get(f"/games/{board}").get_json()

    def in_turn(self, board: int) -> str:
        """Return the name of the player in turn."""
        view = self.view(next(iter(self.server.tokens)), board)
        (seat,) = view["turn"]["seats"]
        return str(view["names"][view["seats"][seat]["player"]])

    def cards(self, name: str, board: int) -> set[str]:
        """Return a player's own cards, as their seat shows them over HTTP."""
        view = self.view(name, board)
        seat = next(each["seat"] for each in view["seats"] if view["names"][each["player"]] == name)
        return set(self.server[name].get(f"/games/{board}/seats/{seat}").get_json()["you"]["cards"])

    def reply(self, name: str, mail: EmailMessage, text: str) -> str:
        """Reply to a mail by SMTP, from outside; return Postfix's answer."""
        sender = f"{name}@{PLAYERS_DOMAIN}"
        return self.postfix.send(reply_to(mail, sender, text), sender, str(mail["Reply-To"]))


@contextmanager
def mail_table(database: Database, players: Sequence[str]) -> Iterator[MailTable]:
    """Start Postfix, the server and `trickbook mail listen`."""
    lmtp_port = free_port()
    with ExitStack() as stack:
        postfix = stack.enter_context(running_postfix(lmtp_port, players))
        settings = {
            "SMTP_URL": f"smtp://127.0.0.1:{postfix.port}",
            "MAIL_DOMAIN": DOMAIN,
            "MAIL_FROM": f"cards@{DOMAIN}",
            "LIMITS": limits_file(postfix.folder / "limits.toml", profile="off", mail_delay_s=0),
        }
        server = stack.enter_context(start_server(database, stderr=None, **settings))
        stack.enter_context(listening_program(database, lmtp_port, settings))
        yield MailTable(RemoteServer(server.url), postfix)


@contextmanager
def listening_program(
    database: Database, port: int, settings: dict[str, str], log: IO[bytes] | None = None
) -> Iterator["subprocess.Popen[str]"]:
    """Run `trickbook mail listen` until the block ends; it listens when the block begins."""
    command = [*PROGRAM, "mail", "listen", "--port", str(port), "--data", str(database.data)]
    environment = server_environment(database.url, **settings)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("listening on lmtp://")
            yield process
        finally:
            process.kill()
