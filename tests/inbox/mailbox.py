"""A server and a receiver of webhooks, with the sender between them."""

import json
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import dataclass
from functools import partial
from typing import Any

from api.inbox.services.guarded_post import GuardedPoster
from api.inbox.services.webhook_sender import WebhookSender
from tests.api.conftest import services_of
from tests.api.live_server import GameServer
from tests.inbox.receivers import Receiver, guarded_poster

PAGES = "https://example.org/cards"


@dataclass
class Mailbox:
    """A server, a receiver of webhooks, and the sender between them."""

    server: GameServer
    receiver: Receiver
    sender: WebhookSender

    def add(self, name: str = "ann", **more: Any) -> dict[str, Any]:
        """Add a webhook for somebody."""
        answer = self.server[name].post("/me/webhooks", {"url": self.receiver.url, **more})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.get_json()
        return made

    def send(self) -> None:
        """Bring the inboxes up to date, and send all that is due."""
        self.server.follow()
        while begun := self.sender.run_once():
            wait(begun)

    def entries(self, name: str = "ann") -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.server[name].get("/me/events").get_json()["items"]
        return found

    @property
    def received(self) -> list[dict[str, Any]]:
        """The entries in the messages so far."""
        return [json.loads(message.body)["data"] for message in self.receiver.messages]

    def only(self, name: str = "ann") -> dict[str, Any]:
        """Return somebody's only webhook as the server shows it."""
        (found,) = self.server[name].get("/me/webhooks").get_json()["items"]
        shown: dict[str, Any] = found
        return shown


def open_sender(server: GameServer, open_poster: Callable[[int], GuardedPoster]) -> WebhookSender:
    """Return a sender of that server."""
    services = services_of(server.app)
    accounts, rows, labels = services.accounts, services.rows, services.labels
    return WebhookSender(accounts.webhooks, accounts.steps, rows, labels, services.secret, open_poster, PAGES)


def patient_poster(receiver: Receiver) -> Callable[[int], GuardedPoster]:
    """Return what opens posters that reach only this receiver, however busy the machine is."""
    return partial(guarded_poster, receiver.context, timeout_s=30)
