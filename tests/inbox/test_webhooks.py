"""Webhooks: what a receiver gets, signed and in order, and what happens if it fails."""

import base64
import hashlib
import hmac
import json
from concurrent.futures import wait
from contextlib import closing
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from click.testing import CliRunner

from api.app import create_app
from api.cli.main import main
from api.config import Config, ConfigError
from api.delivery.stored.queue import GIVE_UP_US, KEPT_US, QUEUES, WEBHOOKS
from api.inbox.services.webhook_messages import text_body
from api.inbox.services.webhook_sender import WebhookSender
from projections.lists.inbox_entries import KINDS
from tests.api.conftest import Caller, check_problem, config_for, services_of
from tests.api.live_server import GameServer
from tests.conftest import Database
from tests.http_server import body_of, http_server, send
from tests.inbox.mailbox import PAGES, Mailbox, open_sender, patient_poster


def test_a_webhook_gets_each_new_entry_once_in_order_and_signed(mailbox: Mailbox) -> None:
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.server.follow()
    before = mailbox.entries()
    secret = mailbox.add()["secret"]
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.send()
    mailbox.send()
    assert mailbox.received == mailbox.entries()[len(before) :] != []
    key = base64.b64decode(secret.removeprefix("whsec_"))
    for message in mailbox.receiver.messages:
        identity, seconds = message.headers["webhook-id"], message.headers["webhook-timestamp"]
        signed = hmac.new(key, f"{identity}.{seconds}.".encode() + message.body, hashlib.sha256).digest()
        assert message.headers["webhook-signature"] == "v1," + base64.b64encode(signed).decode()
        body = json.loads(message.body)
        assert (body["type"], body["timestamp"]) == (body["data"]["kind"], body["data"]["at"])
        assert message.path == "/inbox?x=1"
    assert len({message.headers["webhook-id"] for message in mailbox.receiver.messages}) == len(mailbox.received)
    assert secret not in mailbox.server["ann"].get("/me/webhooks").text


def test_a_webhook_gets_the_kinds_and_the_game_that_it_is_for(mailbox: Mailbox) -> None:
    games = [mailbox.server.open(["ann", "bob"]) for _ in range(2)]
    mailbox.add(kinds=["hand-over"], game=games[0].id)
    for game in games:
        game.play_hand()
    mailbox.send()
    assert {(entry["kind"], entry["game"]) for entry in mailbox.received} == {("hand-over", games[0].id)}


@pytest.mark.both_stores
def test_a_chat_service_gets_a_sentence_in_its_own_format(mailbox: Mailbox) -> None:
    made = [mailbox.add(kinds=["hand-over"], format=form) for form in ("discord", "slack")]
    template = "<{kind}> & {says} [{variant} {board}] {url} @everyone"
    own = mailbox.add(kinds=["hand-over"], format="slack", template=template)
    game = mailbox.server.open(["ann", "bob"])
    game.play_hand()
    mailbox.send()
    board = game.public["board"]
    link, chosen = f"{PAGES}/games/{board}", f"&lt;hand-over&gt; &amp; Hand 1 is over [pitch {board}]"
    usual = f"Hand 1 is over: pitch, board {board} {link}"
    bodies = {message.headers["webhook-id"].partition(".")[0]: message.body for message in mailbox.receiver.messages}
    assert {webhook: json.loads(body) for webhook, body in bodies.items()} == {
        made[0]["id"]: {"content": usual, "allowed_mentions": {"parse": []}},
        made[1]["id"]: {"text": usual},
        own["id"]: {"text": f"{chosen} {link} @everyone"},
    }
    shown = mailbox.server["ann"].get("/me/webhooks").get_json()["items"]
    assert [(each["format"], each["template"]) for each in shown] == [
        ("discord", None), ("slack", None), ("slack", template),
    ]  # fmt: skip
    for each in (*made, own):
        assert mailbox.server["ann"].delete(f"/me/webhooks/{each['id']}").status_code == 204
    assert services_of(mailbox.server.app).accounts.database.run("SELECT * FROM webhook_texts") == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_entry_has_a_sentence(kind: str) -> None:
    about = {"awaits": "cut", "hand": 2, "asks": "sit"}
    for board, pages, ends in ((7, None, "pitch, board 7"), (None, PAGES, f"{PAGES}/me")):
        item = {"kind": kind, "at": "2026-11-25T08:00:00.000000Z", "board": board, "variant": "pitch", **about}
        assert str(text_body("discord", None, item, pages)["content"]).endswith(ends)


def test_a_failed_message_is_sent_again_before_the_next(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    mailbox.add()
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.receiver.answers = [500]
    mailbox.send()
    assert len(mailbox.received) == 1
    assert (mailbox.only()["status"], mailbox.only()["failure"]) == ("failing", "the answer was 500")
    services_of(mailbox.server.app).accounts.database.run("UPDATE deliveries SET free = 0")
    monkeypatch.setitem(QUEUES, WEBHOOKS, replace(QUEUES[WEBHOOKS], pause_s=0))
    mailbox.receiver.answers = [302, 404]
    mailbox.send()
    ids = [message.headers["webhook-id"] for message in mailbox.receiver.messages]
    assert ids[0] == ids[1] == ids[2] == ids[3]
    assert mailbox.received[3:] == mailbox.entries()
    assert mailbox.only()["status"] == "on"


def test_a_webhook_that_fails_for_a_week_is_switched_off(mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(QUEUES, WEBHOOKS, replace(QUEUES[WEBHOOKS], pause_s=0))
    mailbox.add()
    mailbox.server.open(["ann", "bob"])
    mailbox.receiver.answers = [500]
    mailbox.server.follow()
    wait(mailbox.sender.run_once())
    accounts = services_of(mailbox.server.app).accounts
    accounts.database.run("UPDATE deliveries SET failing = failing - ?", GIVE_UP_US)
    mailbox.receiver.answers = [500]
    mailbox.send()
    assert (mailbox.only()["status"], len(mailbox.received)) == ("off", 2)
    # then it's shown for as long as its player keeps it, and the host is told for 30 days
    given_up = [accounts.deliveries.state_of(WEBHOOKS).given_up]
    accounts.database.run("UPDATE deliveries SET ended = ended - ?", KEPT_US)
    given_up.append(accounts.deliveries.state_of(WEBHOOKS).given_up)
    assert (given_up, mailbox.only()["status"]) == ([1, 0], "off")


def test_a_receiver_that_is_gone_gets_nothing_more(mailbox: Mailbox) -> None:
    made = mailbox.add()
    mailbox.receiver.answers = [410]
    game = mailbox.server.open(["ann", "bob"])
    mailbox.send()
    assert (mailbox.only()["status"], len(mailbox.received)) == ("off", 1)
    assert mailbox.server["ann"].delete(f"/me/webhooks/{made['id']}").status_code == 204
    game.play_hand()
    mailbox.send()
    assert len(mailbox.received) == 1
    check_problem(mailbox.server["ann"].delete(f"/me/webhooks/{made['id']}"), 404, "not-found")


@pytest.mark.both_stores
def test_a_player_has_a_test_message_sent_once_however_often_they_ask(mailbox: Mailbox) -> None:
    made, ann = mailbox.add(), mailbox.server["ann"]
    test = f"/me/webhooks/{made['id']}/test"
    for _ in range(3):
        assert ann.post(test, {}).status_code == 202
    mailbox.send()
    [message] = mailbox.receiver.messages
    body = json.loads(message.body)
    assert (body["type"], body["data"]) == ("test", {"says": "This is a test of your webhook"})
    assert message.headers["webhook-id"].startswith(made["id"] + ".test-")
    assert ann.post(test, {}).status_code == 202
    mailbox.send()
    assert len(mailbox.receiver.messages) == 1, "not again within ten seconds"
    game = mailbox.server.open(["ann", "bob"])
    game.play_hand()
    mailbox.send()
    assert mailbox.received[1:] == mailbox.entries()
    check_problem(mailbox.server["bob"].post(test, {}), 404, "not-found")


def test_a_test_that_fails_is_shown_and_delays_no_entry(mailbox: Mailbox) -> None:
    made, ann = mailbox.add(format="slack"), mailbox.server["ann"]
    mailbox.receiver.answers = [400]
    ann.post(f"/me/webhooks/{made['id']}/test", {})
    mailbox.send()
    shown = mailbox.only()
    assert (shown["status"], shown["failure"]) == ("on", "the answer was 400")
    assert json.loads(mailbox.receiver.messages[0].body) == {"text": "This is a test of your webhook"}
    mailbox.server.open(["ann", "bob"])
    mailbox.send()
    assert len(mailbox.receiver.messages) == 1 + len(mailbox.entries())


def test_a_test_takes_no_webhook_away_from_a_sender(mailbox: Mailbox) -> None:
    made, ann = mailbox.add(), mailbox.server["ann"]
    mailbox.receiver.on_message = lambda: ann.post(f"/me/webhooks/{made['id']}/test", {})
    mailbox.server.open(["ann", "bob"])
    mailbox.send()
    kinds = [json.loads(message.body)["type"] for message in mailbox.receiver.messages]
    assert [kind for kind in kinds if kind != "test"] == [entry["kind"] for entry in mailbox.entries()]
    assert kinds.count("test") == 1


def test_a_developer_has_messages_sent_to_this_machine(tmp_path: Path) -> None:
    received: list[bytes] = []

    def receive(request: BaseHTTPRequestHandler) -> None:
        received.append(body_of(request))
        send(request, b"", 204)

    app = create_app(replace(config_for(Database(None, tmp_path)), webhooks="local"))
    with closing(services_of(app)) as services, http_server(receive) as port:
        ann = Caller(app.test_client()).join("ann")
        for url in (f"http://localhost:{port}/", f"http://127.0.0.1:{port}/inbox"):
            made = ann.post("/me/webhooks", {"url": url}).get_json()
            ann.post(f"/me/webhooks/{made['id']}/test", {})
        for url in ("http://bot.cards.net/", "https://10.0.0.1/", f"http://127.0.0.2:{port}/", "http://localhost/"):
            check_problem(ann.post("/me/webhooks", {"url": url}), 400, "malformed")
        accounts = services.accounts
        sender = WebhookSender(accounts.webhooks, accounts.steps, services.rows, services.labels, services.secret,
                               allows_local=True)  # fmt: skip
        with closing(sender):
            services.followers.catch_up()
            while begun := sender.run_once():
                wait(begun)
    assert [json.loads(body)["type"] for body in received] == ["test", "test"]


def test_senders_that_race_send_each_message_once(mailbox: Mailbox) -> None:
    mailbox.add()
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.server.follow()
    senders = [open_sender(mailbox.server, patient_poster(mailbox.receiver)) for _ in range(3)]
    while begun := [future for each in senders for future in each.run_once()]:
        wait(begun)
    assert mailbox.received == mailbox.entries()


def test_a_sender_that_stops_ends_a_message_and_another_one_goes_on(
    mailbox: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox.add()
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.server.follow()
    first, second = (open_sender(mailbox.server, patient_poster(mailbox.receiver)) for _ in range(2))
    begun = first.run_once()
    first.close()
    assert all(future.done() for future in begun)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
    while begun := second.run_once():
        wait(begun)
    assert mailbox.received == mailbox.entries()


def test_nothing_is_sent_for_a_player_who_is_disabled_or_erased(mailbox: Mailbox) -> None:
    mailbox.add()
    mailbox.server.open(["ann", "bob"])
    accounts = services_of(mailbox.server.app).accounts
    accounts.database.run("UPDATE users SET disabled = 1 WHERE name = 'ann'")
    mailbox.send()
    assert mailbox.received == []
    ann = accounts.users.by_name("ann")
    assert ann is not None
    accounts.erasures.erase(ann.id)
    assert accounts.webhooks.of(ann.id) == []


def test_a_player_has_at_most_five_webhooks(mailbox: Mailbox) -> None:
    for _ in range(5):
        mailbox.add()
    refused = mailbox.server["ann"].post("/me/webhooks", {"url": mailbox.receiver.url})
    check_problem(refused, 409, "too-many")


def test_bodies_that_name_no_webhook_are_refused(server: GameServer) -> None:
    right = {"url": "https://bot.cards.net/"}
    for body in ({}, {"url": "http://bot.cards.net/"}, {"url": "https://127.0.0.1/"}, right | {"kinds": ["cards"]},
                 right | {"game": "1"}, right | {"secret": "mine"}, right | {"format": "irc"},
                 right | {"template": "{says}"}, right | {"format": "slack", "template": "{name}"},
                 right | {"format": "slack", "template": "x" * 301}):  # fmt: skip
        check_problem(server["ann"].post("/me/webhooks", body), 400, "malformed")


def test_a_server_that_others_reach_refuses_local_webhooks(tmp_path: Path) -> None:
    local = {"TRICKBOOK_WEBHOOKS": "local"}
    with pytest.raises(ConfigError, match="for developers"):
        Config.from_environment({**local, "TRICKBOOK_URL": "https://cards.example.com"})
    refused = CliRunner().invoke(main, ["serve", "--host", "0.0.0.0", "--data", str(tmp_path)], env=local)
    assert (refused.exit_code, "serve on 127.0.0.1 alone" in refused.output) == (2, True)
    with pytest.raises(ConfigError, match="for developers"):
        Config.from_environment({**local, "TRICKBOOK_TRUSTED_PROXIES": "1"})
    assert Config.from_environment({**local, "TRICKBOOK_URL": "http://localhost:8000"}).webhooks == "local"


def test_a_host_can_switch_webhooks_off(tmp_path: Path) -> None:
    app = create_app(replace(config_for(Database(None, tmp_path)), webhooks="off"))
    with closing(services_of(app)):
        ann = Caller(app.test_client()).join("ann")
        check_problem(ann.post("/me/webhooks", {"url": "https://bot.cards.net/"}), 409, "no-webhooks")
        check_problem(ann.post("/me/webhooks/w_1/test", {}), 404, "not-found")
        assert ann.get("/me/webhooks").get_json() == {"items": [], "push_key": None}
