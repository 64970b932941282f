"""Web Push: what a browser's push service gets, what the browser reads in it, and when a subscription ends."""

import base64
import json
from dataclasses import replace
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tests.api.conftest import PASSWORD, check_problem, services_of
from tests.inbox.mailbox import Mailbox

AUTH = bytes(range(16))


class Browser:
    """A browser's keys, and what it reads in messages."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())

    @property
    def keys(self) -> dict[str, str]:
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": _text(point), "auth": _text(AUTH)}

    @property
    def compressed(self) -> str:
        """The key in the other form of a point, which no browser sends."""
        return _text(self._key.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint))

    def read(self, body: bytes) -> dict[str, Any]:
        plain = http_ece.decrypt(body, private_key=self._key, auth_secret=AUTH, version="aes128gcm")
        found: dict[str, Any] = json.loads(plain)
        return found


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@pytest.fixture
def browser() -> Browser:
    return Browser()


def subscribe(mailbox: Mailbox, browser: Browser) -> dict[str, Any]:
    return mailbox.add(format="push", keys=browser.keys)


@pytest.mark.both_stores
def test_a_browser_hears_that_its_player_is_awaited_and_nobody_between_can_read_it(
    mailbox: Mailbox, browser: Browser
) -> None:
    subscribe(mailbox, browser)
    game = mailbox.server.open(["ann", "bob"])
    game.play_hand()
    mailbox.send()
    turns = [entry for entry in mailbox.entries() if entry["kind"] == "turn" and entry["awaits"] == "move"]
    messages = mailbox.receiver.messages
    expected = [{"kind": "turn", "id": e["id"], "board": e["board"], "variant": "pitch"} for e in turns]
    assert [browser.read(message.body) for message in messages] == expected != []
    for message in messages:
        assert b"turn" not in message.body
        headers = message.headers
        assert (headers["content-encoding"], headers["urgency"]) == ("aes128gcm", "high")
        assert int(headers["ttl"]) == 24 * 3600
        assert Vapid02.verify(headers["authorization"])
        key = mailbox.server["ann"].get("/me/webhooks").get_json()["push_key"]
        assert headers["authorization"].endswith(f",k={key}")
        token = headers["authorization"].split("t=")[1].split(",")[0]
        claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
        assert (claims["aud"], claims["sub"]) == (mailbox.receiver.url.rpartition("/")[0], "https://example.org")
        assert "webhook-signature" not in headers


def test_a_browser_can_be_tested_and_fails_like_a_webhook(mailbox: Mailbox, browser: Browser) -> None:
    made = subscribe(mailbox, browser)
    assert mailbox.server["ann"].post(f"/me/webhooks/{made['id']}/test", {}).status_code == 202
    mailbox.send()
    assert browser.read(mailbox.receiver.messages[0].body)["kind"] == "test"
    mailbox.receiver.answers = [500]
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.send()
    assert mailbox.only()["status"] == "failing"


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_the_push_service_has_forgotten_is_forgotten(
    mailbox: Mailbox, browser: Browser, status: int
) -> None:
    subscribe(mailbox, browser)
    mailbox.receiver.answers = [status]
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.send()
    assert mailbox.server["ann"].get("/me/webhooks").get_json()["items"] == []
    assert len(mailbox.receiver.messages) == 1


def test_a_subscription_ends_with_the_session_that_made_it(mailbox: Mailbox, browser: Browser) -> None:
    subscribe(mailbox, browser)
    game, webhooks = mailbox.server.open(["ann", "bob"]), services_of(mailbox.server.app).accounts.webhooks
    player = mailbox.server["ann"].get("/me").get_json()["id"]
    assert len(webhooks.of(player)) == 1
    assert mailbox.server["ann"].delete("/tokens/current").status_code == 204
    mailbox.server["bob"].post(f"{game.path}/moves", {"type": "resign"})
    mailbox.send()
    assert (webhooks.of(player), mailbox.receiver.messages) == ([], [])


@pytest.mark.both_stores
def test_a_subscription_belongs_to_the_token_that_another_password_brings(mailbox: Mailbox, browser: Browser) -> None:
    subscribe(mailbox, browser)
    chat = mailbox.add(format="slack", template="{says}")
    mailbox.server.open(["ann", "bob"]).play_hand()
    webhooks = services_of(mailbox.server.app).accounts.webhooks
    [listed] = [each for each in webhooks.due() if each.text is not None and each.text.keys]
    body = {"password": PASSWORD, "new_password": "violet otter lantern"}
    renewed = mailbox.server["ann"].post("/me/password", body)
    assert renewed.status_code == 200
    taken = webhooks.take(listed)
    assert taken is not None, "a sender had read it before"
    webhooks.give_back(taken)
    mailbox.send()
    pushed = [message for message in mailbox.receiver.messages if "content-encoding" in message.headers]
    assert {browser.read(message.body)["kind"] for message in pushed} == {"turn"}
    ann = replace(mailbox.server["ann"], token=renewed.get_json()["token"])
    formats = {each["format"]: each["template"] for each in ann.get("/me/webhooks").get_json()["items"]}
    assert formats == {"push": None, "slack": chat["template"]}


def test_another_subscription_of_the_same_browser_replaces_the_first(mailbox: Mailbox, browser: Browser) -> None:
    subscribe(mailbox, browser)
    made = subscribe(mailbox, browser)
    assert mailbox.only()["id"] == made["id"]


@pytest.mark.both_stores
def test_a_browser_gets_no_messages_of_a_player_who_used_it_before(mailbox: Mailbox, browser: Browser) -> None:
    subscribe(mailbox, browser)
    told = mailbox.add(format="slack")
    made = mailbox.add("bob", format="push", keys=browser.keys)
    assert mailbox.only("ann")["id"] == told["id"], "another format at the same address isn't the browser's"
    assert mailbox.only("bob")["id"] == made["id"]


def test_the_keys_of_a_browser_are_shown_nowhere(mailbox: Mailbox, browser: Browser) -> None:
    made = subscribe(mailbox, browser)
    caller = mailbox.server["ann"]
    texts = [json.dumps(made), caller.get("/me/webhooks").text, caller.get("/me/export").text]
    for text in texts:
        assert not any(key in text for key in browser.keys.values())
    assert mailbox.only()["template"] is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": "push"}, {"format": "push", "keys": {"p256dh": "AAAA", "auth": "AAAA"}},
        {"format": "push", "keys": {"p256dh": "!", "auth": ""}}, {"keys": Browser().keys},
        {"format": "push", "keys": Browser().keys, "template": "{says}"},
        {"format": "push", "keys": Browser().keys, "url": "https://127.0.0.1/push"},
        {"format": "push", "keys": Browser().keys, "url": "https://10.0.0.1/push"},
        {"format": "push", "keys": Browser().keys, "url": "http://push.cards.net/x"},
    ],
)  # fmt: skip
def test_wrong_keys_and_addresses_that_are_not_public_are_refused(mailbox: Mailbox, wrong: dict[str, Any]) -> None:
    answer = mailbox.server["ann"].post("/me/webhooks", {"url": mailbox.receiver.url, **wrong})
    check_problem(answer, 400, "malformed")
