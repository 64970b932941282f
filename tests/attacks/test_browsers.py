"""Attacks on what browsers get: words of pages, pushed messages, and where the others at a table are."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from api.accounts.server_nodes import StreamRecords
from api.config import Config
from api.container import open_services
from api.inbox.services.webhook_messages import push_payload
from api.pages.static_files import VERSION
from api.play.services.presence import AGAIN_S, AWAY_S, BEAT_S, GRACE_S, INBOX, Presence
from tests.api.conftest import PASSWORD, Caller, check_problem, config, services_of
from tests.api.games.test_presence import Clock
from tests.api.live_server import GameServer, open_server
from tests.inbox.conftest import mailbox
from tests.inbox.mailbox import Mailbox
from tests.inbox.test_push import Browser, browser, subscribe
from tests.people.conftest import server

__all__ = ["browser", "config", "mailbox", "server"]
ANN = {"name": "ann", "password": PASSWORD}


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[GameServer]:
    with open_server(tmp_path) as found:
        yield found


@pytest.mark.parametrize("name", ["lobby.de", "lobby.DE.js", "lobby.js.de", "base.de.js", ".de.js", "lobby.de.de.js"])
def test_attack_173_words_have_the_names_that_the_pages_give_them(pages: GameServer, name: str) -> None:
    for version in ("x", VERSION):
        answer = pages.app.test_client().get(f"/static/{version}/joined/{name}")
        check_problem(answer, 404, "not-found")


def test_attack_174_keys_that_nothing_can_be_encrypted_with_are_refused(mailbox: Mailbox, browser: Browser) -> None:
    keys = browser.keys | {"p256dh": browser.compressed}
    answer = mailbox.server["ann"].post("/me/webhooks", {"url": mailbox.receiver.url, "format": "push", "keys": keys})
    check_problem(answer, 400, "malformed")


def test_attack_174_a_subscription_with_such_keys_ends(mailbox: Mailbox, browser: Browser) -> None:
    made, database = subscribe(mailbox, browser), services_of(mailbox.server.app).accounts.database
    stored = database.run("SELECT template FROM webhook_texts WHERE webhook = ?", made["id"])[0][0]
    changed = stored.replace(browser.keys["p256dh"], browser.compressed)
    database.run("UPDATE webhook_texts SET template = ? WHERE webhook = ?", changed, made["id"])
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.send()
    assert mailbox.server["ann"].get("/me/webhooks").get_json()["items"] == []


def test_attack_175_all_pushed_messages_have_one_length(mailbox: Mailbox, browser: Browser) -> None:
    made = subscribe(mailbox, browser)
    assert mailbox.server["ann"].post(f"/me/webhooks/{made['id']}/test", {}).status_code == 202
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.send()
    bodies = [message.body for message in mailbox.receiver.messages]
    assert {browser.read(body)["kind"] for body in bodies} == {"test", "turn"}
    longest = {"kind": "invitation", "id": "9" * 31, "board": 10**9, "variant": "v" * 40}
    assert {len(body) for body in bodies} == {len(bodies[0])}
    assert len(push_payload(longest)) == len(push_payload(longest | {"kind": "turn", "board": 1, "variant": "pitch"}))


@pytest.mark.both_stores
def test_attack_176_a_browser_that_subscribes_again_and_again_at_once_is_one(
    mailbox: Mailbox, browser: Browser
) -> None:
    ann, body = mailbox.server["ann"], {"url": mailbox.receiver.url, "format": "push", "keys": browser.keys}
    callers = [Caller(mailbox.server.app.test_client(), ann.token) for _ in range(6)]
    with ThreadPoolExecutor(len(callers)) as pool:
        answers = list(pool.map(lambda caller: caller.post("/me/webhooks", body).status_code, callers))
    assert answers == [201] * len(callers)
    assert mailbox.only()["format"] == "push"


def test_attack_176_browsers_whose_sessions_have_ended_use_up_no_webhook(mailbox: Mailbox, browser: Browser) -> None:
    ann, nobody = mailbox.server["ann"], mailbox.server.nobody
    for number in range(8):
        token = nobody.post("/tokens", ANN).get_json()["token"]
        gone = Caller(mailbox.server.app.test_client(), token)
        body = {"url": f"{mailbox.receiver.url}&n={number}", "format": "push", "keys": browser.keys}
        assert gone.post("/me/webhooks", body).status_code == 201
        assert gone.delete("/tokens/current").status_code == 204
    made = subscribe(mailbox, browser)
    assert [each["id"] for each in ann.get("/me/webhooks").get_json()["items"]] == [made["id"]]


@pytest.mark.both_stores
def test_attack_176_nothing_follows_the_message_during_which_a_session_ends(mailbox: Mailbox, browser: Browser) -> None:
    mailbox.server["ann"]
    token = mailbox.server.nobody.post("/tokens", ANN).get_json()["token"]
    leaver = Caller(mailbox.server.app.test_client(), token)
    body = {"url": mailbox.receiver.url, "format": "push", "keys": browser.keys}
    assert leaver.post("/me/webhooks", body).status_code == 201
    mailbox.server.open(["ann", "bob"]).play_hand()
    mailbox.receiver.on_message = lambda: leaver.delete("/tokens/current")
    mailbox.send()
    assert len(mailbox.receiver.messages) == 1


@pytest.mark.both_stores
def test_attack_177_a_process_writes_nobody_who_was_erased_meanwhile(config: Config) -> None:
    clock = Clock()
    with closing(open_services(config)) as services:
        accounts = services.accounts
        clock.seconds = accounts.database.now() / 1_000_000
        one = Presence("one", StreamRecords(accounts.database, clock.micros), clock)
        with one.follows("p_bob", "game"), one.follows("p_cat", "game"):
            clock.seconds += BEAT_S
            one.beat()
        accounts.erasures.erase("p_bob")
        clock.seconds += BEAT_S
        one.beat()
        assert "p_bob" not in str(accounts.database.run("SELECT players FROM open_streams"))
        assert "p_cat" in str(accounts.database.run("SELECT players FROM open_streams"))


@pytest.mark.both_stores
def test_attack_177_the_row_of_a_process_names_nobody_who_left_minutes_ago(config: Config) -> None:
    clock = Clock()
    with closing(open_services(config)) as services:
        database = services.accounts.database
        one = Presence("one", StreamRecords(database, clock.micros), clock)
        with one.follows("p_bob", "game"):
            clock.seconds += BEAT_S
            one.beat()
        for _ in range(int(AWAY_S // AGAIN_S) + 2):
            clock.seconds += AGAIN_S
            one.beat()
        assert database.run("SELECT players FROM open_streams") == [("{}",)]


def test_attack_177_thousands_of_short_streams_make_no_long_row(config: Config) -> None:
    clock = Clock()
    with closing(open_services(config)) as services:
        records = StreamRecords(services.accounts.database, clock.micros)
        one = Presence("one", records, clock)
        for number in range(2000):
            with one.follows("p_bob", f"game-{number}"):
                pass
        clock.seconds += GRACE_S
        with one.follows("p_cat", "game"):
            one.beat()
        assert records.of_others("other", AGAIN_S) == [{"p_bob": {INBOX: GRACE_S}, "p_cat": {"game": 0.0}}]
        assert one.of("game-7", ["p_bob"]) == {"p_bob": "away"}
