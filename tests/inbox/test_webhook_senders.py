"""Senders of webhooks that race, stall or die, and receivers that hang: nothing is forgotten, nobody else waits."""

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import api.inbox.services.webhook_sender as lanes_module
from api.inbox.services.guarded_post import GuardedPoster
from api.inbox.services.outbox_follower import OutboxFollower
from api.inbox.services.webhook_sender import WebhookSender
from api.inbox.stored.webhooks import Webhook, Webhooks
from tests.api.conftest import services_of
from tests.api.live_server import GameServer
from tests.inbox.mailbox import Mailbox, open_sender, patient_poster
from tests.inbox.receivers import HOST, Receiver, open_receiver
from tests.waiting import wait_until

HANGING = "hanging.cards.net"
PATIENCE_S = 60.0


def webhooks_of(mailbox: Mailbox) -> Webhooks:
    return services_of(mailbox.server.app).accounts.webhooks


def end_lease(mailbox: Mailbox) -> None:
    """Let the time pass for which a sender may hold a webhook."""
    services_of(mailbox.server.app).accounts.database.run("UPDATE deliveries SET free = 0")


def test_a_sender_that_comes_late_goes_on_where_the_other_stopped(mailbox: Mailbox) -> None:
    mailbox.add()
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.server.follow()
    (stale,) = webhooks_of(mailbox).due()
    mailbox.send()
    taken = webhooks_of(mailbox).take(stale)
    assert taken is not None
    assert (taken.number, taken.seen) > (stale.number, stale.seen)
    assert webhooks_of(mailbox).take(stale) is None


def test_a_sender_that_stalled_changes_nothing_after_another_took_over(mailbox: Mailbox) -> None:
    mailbox.add()
    webhooks = webhooks_of(mailbox)
    stalled = webhooks.take(webhooks.due()[0])
    assert stalled is not None
    end_lease(mailbox)
    other = webhooks.take(stalled)
    assert other is not None
    assert webhooks.advance(other, (other.generation, 9), other.seen, 0)
    assert not webhooks.advance(stalled, (stalled.generation, 4), stalled.seen, 0)
    assert not webhooks.fail(stalled, 0, "the answer was 410", for_good=True)
    webhooks.give_back(stalled)
    assert webhooks.due() == []
    assert webhooks.of(other.player)[0].number == 9
    webhooks.give_back(other)
    assert [each.number for each in webhooks.due()] == [9]


def test_a_message_that_was_sent_before_a_crash_comes_once_more_with_its_id(mailbox: Mailbox) -> None:
    mailbox.add()
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.server.follow()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Webhooks, "advance", lambda *_: (_ for _ in ()).throw(SystemExit))
        sender = open_sender(mailbox.server, patient_poster(mailbox.receiver))
        (begun,) = sender.run_once()
        wait([begun])
    mailbox.send()
    assert len(mailbox.received) == 1
    end_lease(mailbox)
    mailbox.send()
    first, second, *_ = mailbox.receiver.messages
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert mailbox.received[1:] == mailbox.entries()


def test_a_webhook_that_is_removed_gets_at_most_the_message_on_its_way(mailbox: Mailbox) -> None:
    made = mailbox.add()
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.receiver.on_message = lambda: mailbox.server["ann"].delete(f"/me/webhooks/{made['id']}")
    mailbox.send()
    assert len(mailbox.entries()) > 1
    assert len(mailbox.received) == 1


@pytest.mark.both_stores
@pytest.mark.parametrize(
    "act",
    [
        "UPDATE users SET leaving = 1 WHERE player = ?",
        "UPDATE users SET disabled = 1 WHERE player = ?",
        """INSERT INTO conduct_steps (id, report, player, kind, since, ruled_by) VALUES ('s', 'r', ?, 'ban', 1, 'm')""",
    ],
    ids=["leaves", "is disabled", "is banned"],
)
def test_a_player_who_is_gone_gets_at_most_the_message_on_its_way(mailbox: Mailbox, act: str) -> None:
    accounts = services_of(mailbox.server.app).accounts
    mailbox.add()
    mailbox.server.open(["ann", "bob"]).play_hand()

    def go() -> None:
        accounts.database.run(act, webhook_of(mailbox.server, "ann").player)
        accounts.steps.forget()

    mailbox.receiver.on_message = go
    mailbox.send()
    mailbox.send()
    assert len(mailbox.received) == 1


@pytest.mark.both_stores
def test_a_rebuild_repeats_no_note_and_forgets_nothing_that_waits(mailbox: Mailbox) -> None:
    mailbox.add("bob")
    game = mailbox.server.open(["ann", "bob"])
    services = services_of(mailbox.server.app)
    notes = OutboxFollower(services.accounts.outbox, services.rows)

    def write(text: str) -> None:
        assert mailbox.server["ann"].post(f"{game.path}/chat", {"text": text}).status_code == 201

    write("one")
    game.play_hand()
    notes.run_once()
    mailbox.send()
    write("two")
    game.play_hand()
    notes.run_once()
    mailbox.server.follow()
    services.followers.rebuild("inbox")
    notes.run_once()
    write("three")
    notes.run_once()
    mailbox.send()
    kinds = [entry["kind"] for entry in mailbox.received]
    assert kinds.count("chat") == 3
    assert versions(mailbox.received) == versions(mailbox.entries("bob"))


def versions(entries: list[dict[str, Any]]) -> list[int]:
    """Return the versions of the entries about a game's events, in order."""
    return [entry["version"] for entry in entries if entry["kind"] != "chat"]


@contextmanager
def silence() -> Iterator[int]:
    """Listen at a port, and never answer."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        yield int(listener.getsockname()[1])


def send_until(sender: WebhookSender, condition: Callable[[], bool]) -> None:
    """Send what is due until the condition holds."""
    late = "a quick receiver waits for one that hangs"
    wait_until(lambda: condition() or sender.run_once() is None, late, pause_s=0.01)


@pytest.mark.parametrize("what", ["receiver", "name server"])
def test_receivers_and_name_servers_that_hang_delay_no_quick_receiver(
    server: GameServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """They hold all threads that there are for others, until the test is over."""
    monkeypatch.setattr(lanes_module, "OTHER_THREADS", 3)
    monkeypatch.setattr(lanes_module, "QUICK_S", PATIENCE_S)
    over = threading.Event()

    def resolve(host: str, _port: int) -> list[str]:
        if host == HANGING and what == "name server":
            over.wait()
        return ["127.0.0.1"]

    with ExitStack() as stack:
        receiver = stack.enter_context(open_receiver(tmp_path))
        port = stack.enter_context(silence())
        stack.callback(over.set)
        sender = open_sender(
            server, lambda threads: GuardedPoster(threads, resolve, lambda _: True, receiver.context, 2 * PATIENCE_S)
        )
        add(server, "ann", receiver)
        while not is_quick(sender, server, "ann"):
            server.open(["ann", "bob"]).play_hand()
            server.follow()
            send_until(sender, lambda: behind(server, "ann") == 0)
        hanging = [server.open([f"p{number}", f"q{number}"]) for number in range(4)]
        for number in range(4):
            for _ in range(5):
                url = {"url": f"https://{HANGING}:{port}/"}
                assert server[f"p{number}"].post("/me/webhooks", url).status_code == 201
        for each in hanging:
            each.play_hand()
        server.follow()
        assert len(sender.run_once()) == 4
        for _ in range(3):
            before = len(receiver.messages)
            server.open(["ann", "bob"]).play_hand()
            server.follow()
            send_until(sender, lambda: behind(server, "ann") == 0)
            assert len(receiver.messages) > before
        assert behind(server, "p0") > 0
    sender.close()


def add(server: GameServer, name: str, receiver: Receiver) -> None:
    assert server[name].post("/me/webhooks", {"url": f"https://{HOST}:{receiver.port}/"}).status_code == 201


def webhook_of(server: GameServer, name: str) -> Webhook:
    """Return the first webhook of a player."""
    accounts = services_of(server.app).accounts
    user = accounts.users.by_name(name)
    assert user is not None
    return accounts.webhooks.of(user.id)[0]


def behind(server: GameServer, name: str) -> int:
    """Return how many entries a player's first webhook lacks."""
    place, items = webhook_of(server, name).number, server[name].get("/me/events").get_json()["items"]
    return sum(int(item["id"].split(".")[1]) > place for item in items)


def is_quick(sender: WebhookSender, server: GameServer, name: str) -> bool:
    return sender.threads.is_quick(webhook_of(server, name))
