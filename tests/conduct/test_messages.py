"""Private messages and broadcasts: who reads them, blocks, limits, repeated requests, inboxes and erasing."""

from dataclasses import replace
from typing import Any

import pytest

from api.conduct.stored import private_messages
from api.config import Config
from api.config.limits import Limits, Rate
from tests.api.conftest import Caller, MakeApp, check_problem, services_of
from tests.conduct.conftest import Court, open_court
from tests.inbox.test_notes import entries_of


def send(caller: Caller, *to: str, text: str = "hello", **headers: str) -> str:
    """Send a message that must be accepted, and return its id."""
    answer = caller.post("/messages", {"to": list(to), "text": text}, **headers)
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["id"])


def broadcast(court: Court, text: str = "hear ye") -> str:
    """Write to everybody as a moderator, let the worker note it, and return its id."""
    answer = court["moira"].post("/broadcasts", {"text": text})
    assert answer.status_code == 201, answer.text
    while services_of(court.app).accounts.private_messages.tell_next():
        pass
    return str(answer.get_json()["id"])


def texts(caller: Caller, query: str = "") -> list[str]:
    """Return the texts that somebody reads."""
    return [item["text"] for item in caller.get(f"/messages{query}").get_json()["items"]]


def test_a_message_reaches_those_it_names_and_nobody_else(court: Court) -> None:
    answer = court["ann"].post("/messages", {"to": ["bob", "cat", "bob"], "text": "a game tonight?"})
    assert {**answer.get_json(), "id": "", "at": ""} == {
        "id": "",
        "at": "",
        "by": court.id_of("ann"),
        "to": [court.id_of("bob"), court.id_of("cat")],
        "text": "a game tonight?",
        "names": {court.id_of(name): name for name in ("ann", "bob", "cat")},
    }
    for name in ("ann", "bob", "cat"):
        assert texts(court[name]) == ["a game tonight?"]
    for name in ("dan", "eve", "fay"):
        assert texts(court[name]) == []
    check_problem(court["nobody"].get("/messages"), 401, "unauthorized")
    check_problem(court["moira"].post("/messages", {"to": ["bob"], "text": "x"}), 403, "token-scope")


def test_readers_find_a_message_in_their_inbox_by_its_id(court: Court) -> None:
    message = send(court["ann"], "bob")
    (entry,) = entries_of(court.app, court["bob"], "message")
    assert (entry["message"], entry["from"], entry["game"]) == (message, court.id_of("ann"), None)
    assert (entry["board"], entry["variant"]) == (None, None)
    assert entries_of(court.app, court["ann"], "message") == []


def test_what_can_t_be_sent_is_refused(court: Court, caller: Caller) -> None:
    ann = court["ann"]
    check_problem(ann.post("/messages", {"to": ["zed"], "text": "x"}), 404, "not-found")
    check_problem(ann.post("/messages", {"to": ["ann"], "text": "x"}), 409, "about-yourself")
    bodies: list[dict[str, Any]] = [
        {"to": [], "text": "x"},
        {"to": ["bob"] * 11, "text": "x"},
        {"to": ["bob"], "text": " "},
        {"to": []},
    ]
    for body in bodies:
        check_problem(ann.post("/messages", body), 400, "malformed")
    check_problem(ann.post("/messages", {"to": ["bob"], "text": "x" * 2001}), 400, "malformed")
    guest = replace(court["nobody"], token=court["nobody"].post("/guests", {}).get_json()["token"])
    check_problem(guest.post("/messages", {"to": ["bob"], "text": "x"}), 409, "not-for-guests")
    assert texts(court["bob"]) == []


@pytest.mark.both_stores
def test_pages_go_back_from_the_newest(court: Court) -> None:
    ids = [send(court["ann"], "bob", text=f"text {number}") for number in range(5)]
    body = court["bob"].get("/messages?limit=2").get_json()
    assert ([item["id"] for item in body["items"]], body["more"]) == (ids[3:], True)
    assert texts(court["bob"], f"?limit=3&before={ids[3]}") == ["text 0", "text 1", "text 2"]
    assert texts(court["cat"], f"?before={ids[3]}") == []


def test_a_block_hides_messages_and_their_author_does_not_notice(court: Court) -> None:
    send(court["ann"], "bob", text="before")
    court["bob"].ask("PUT", "/me/blocks/ann")
    first = court["ann"].post("/messages", {"to": ["bob"], "text": "meanwhile"})
    other = court["ann"].post("/messages", {"to": ["cat"], "text": "meanwhile"})
    assert first.status_code == other.status_code == 201
    assert first.get_json().keys() == other.get_json().keys()
    assert texts(court["bob"]) == []
    court["bob"].delete("/me/blocks/ann")
    assert texts(court["bob"]) == ["before"]
    assert texts(court["ann"]) == ["before", "meanwhile", "meanwhile"]
    assert [entry["from"] for entry in entries_of(court.app, court["bob"], "message")] == [court.id_of("ann")]


def test_a_muted_player_writes_no_messages(court: Court) -> None:
    court.judge("mute")
    check_problem(court["bob"].post("/messages", {"to": ["ann"], "text": "x"}), 403, "muted")


def test_a_repeated_request_sends_once(court: Court) -> None:
    first, second = (send(court["ann"], "bob", Idempotency_Key="one") for _ in range(2))
    assert first == second
    assert texts(court["bob"]) == ["hello"]
    other = court["ann"].post("/messages", {"to": ["bob"], "text": "bye"}, Idempotency_Key="one")
    check_problem(other, 422, "key-reused")


def limited_court(make_app: MakeApp, config: Config, limits: Limits) -> Court:
    return open_court(make_app(replace(config, limits=limits)))


def test_a_message_counts_once_for_each_reader(make_app: MakeApp, config: Config) -> None:
    court = limited_court(make_app, config, Limits(private_messages=Rate(3, 3600)))
    send(court["ann"], "bob", "cat")
    refused = court["ann"].post("/messages", {"to": ["bob", "cat"], "text": "x"})
    check_problem(refused, 429, "too-many-requests")
    assert texts(court["bob"]) == ["hello"]
    send(court["ann"], "bob")  # what was refused hasn't counted
    send(court["dan"], "bob")


def test_broadcasts_are_limited_for_each_moderator(make_app: MakeApp, config: Config) -> None:
    court = limited_court(make_app, config, Limits(broadcasts=Rate(1, 3600)))
    broadcast(court)
    check_problem(court["moira"].post("/broadcasts", {"text": "again"}), 429, "too-many-requests")


def test_a_moderator_writes_to_everybody_who_wants_it(court: Court) -> None:
    services_of(court.app).accounts.command_settings.set(court.id_of("cat"), "broadcasts", "off")
    message = broadcast(court)
    assert texts(court["ann"]) == texts(court["eve"]) == ["hear ye"]
    assert texts(court["cat"]) == []
    (entry,) = entries_of(court.app, court["ann"], "message")
    assert (entry["message"], entry["from"]) == (message, court.id_of("moira"))
    assert entries_of(court.app, court["cat"], "message") == []
    item = court["bob"].get("/messages").get_json()["items"][0]
    assert (item["to"], item["by"]) == (None, court.id_of("moira"))
    for name in ("ann", "nobody"):
        assert court[name].post("/broadcasts", {"text": "x"}).status_code in (401, 403)


def test_a_broadcast_is_noted_page_by_page_and_once(court: Court) -> None:
    messages = services_of(court.app).accounts.private_messages
    ids = [court["moira"].post("/broadcasts", {"text": text}).get_json()["id"] for text in ("one", "two")]
    assert [messages.tell_next() for _ in range(3)] == [7, 7, 0]
    entries = entries_of(court.app, court["ann"], "message")
    assert [entry["message"] for entry in entries] == ids


def test_old_messages_are_deleted(court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    send(court["ann"], "bob")
    broadcast(court)
    services_of(court.app).accounts.private_messages.delete_old()
    assert texts(court["bob"]) == ["hello", "hear ye"]
    monkeypatch.setattr(private_messages, "KEPT_US", -1)
    services_of(court.app).accounts.private_messages.delete_old()
    assert texts(court["bob"]) == []
