"""Streams of the client: they go on after lost connections and restarts, without a gap and without a repeat."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from api.client import InboxEntry, Moment, NoAnswer, Refusal, Server, Table
from api.config import Config
from tests.api.thread_server import serve_in_thread
from tests.client.conftest import PASSWORD
from tests.ports import free_port
from tests.waiting import wait_until

PATIENCE_S = 120.0


def in_thread(read: Callable[[], Iterator[Any]], got: list[Any]) -> threading.Thread:
    """Start to read a stream into a list, up to the entry about the end of a game."""

    def run() -> None:
        for each in read():
            got.append(each)
            if getattr(each, "kind", None) == "game-over":
                return

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def play_on(table: Table, moves: int) -> dict[str, Any]:
    view = table.view()
    for _ in range(moves):
        view = table.move(view["you"]["legal"][0])["view"]
    return view


def test_a_game_and_an_inbox_are_followed_across_a_restart(tmp_path: Path) -> None:
    config = Config(data=tmp_path, hashing="cheapest", seating="at-once")
    moments, entries, port = list[Moment](), list[InboxEntry](), free_port()
    with Server(f"http://127.0.0.1:{port}", patience_s=PATIENCE_S) as ann:
        with serve_in_thread(config, port):
            ann.register("ann", PASSWORD)
            table = Table.open(ann, "pitch", ["ann", "bot:simple", "bot:simple"])
            following = in_thread(table.follow, moments)
            reading = in_thread(ann.inbox, entries)
            version = play_on(table, 2)["version"]
            wait_until(lambda: len(moments) == version and len(entries) >= 2)
        with serve_in_thread(config, port):
            play_on(table, 2)
            version = table.resign()["version"]
            following.join(PATIENCE_S)
            reading.join(PATIENCE_S)
    assert not following.is_alive()
    assert not reading.is_alive()
    assert [moment.version for moment in moments] == list(range(1, len(moments) + 1))
    assert moments[-1].fact == "GameEnded"
    numbers = [int(entry.id.rpartition(".")[2]) for entry in entries]
    assert numbers == list(range(1, len(numbers) + 1))
    assert {entry.game for entry in entries} == {table.game}


def test_following_a_table_that_forms_waits_for_the_deal(ann: Server, bob: Server) -> None:
    table = Table.open(ann, "pitch", [ann.me()["name"], "invite"])
    token = ann.post(f"{table.path}/invitations", {"uses": 1})["token"]
    moments = list[Moment]()
    following = in_thread(lambda: table.follow(until=5), moments)
    joined = Table.join(bob, table.game, invitation=token)
    following.join(PATIENCE_S)
    assert [moment.version for moment in moments] == [1, 2, 3, 4, 5]
    assert [joined.view()["you"]["seat"], table.view()["you"]["seat"]] == [1, 0]


def test_following_a_table_that_is_left_ends_without_a_moment(ann: Server) -> None:
    table = Table.open(ann, "pitch", [ann.me()["name"], "open"])
    ann.delete(table.path)
    assert list(table.follow()) == []


def test_following_after_the_end_of_a_game_ends_at_once(ann: Server) -> None:
    table = Table.open(ann, "pitch", [ann.me()["name"], "bot:simple"])
    version = table.resign()["version"]
    whole = list(table.follow())
    assert [moment.version for moment in whole] == list(range(1, version + 1))
    assert list(table.follow(after=version)) == []
    assert [moment.version for moment in table.follow(after=3, until=6)] == [4, 5, 6]


def test_a_moment_without_its_event_is_shown_once_the_hand_is_over(ann: Server) -> None:
    table = Table.open(ann, "pitch", [ann.me()["name"], "bot:simple"])
    hidden = [moment for moment in table.follow(until=6) if moment.event is None]
    assert hidden
    assert hidden[0].fact is None
    table.resign()
    assert all(moment.event is not None for moment in table.events())


def test_an_inbox_goes_on_after_the_entry_that_was_kept(ann: Server) -> None:
    tables = [Table.open(ann, "pitch", [ann.me()["name"], "bot:simple"]) for _ in range(2)]
    for table in tables:
        table.resign()
    entries = list[InboxEntry]()
    for entry in ann.inbox():
        entries.append(entry)
        if [each.kind for each in entries].count("game-over") == 2:
            break
    first, last = entries[0], entries[-1]
    assert list(ann.inbox(after=first.id, until=last.id)) == entries[1:]
    assert last["reason"] == "resignation"


def test_a_stream_whose_token_was_ended_is_refused(ann: Server, bob: Server) -> None:
    bob.token = ann.token
    stream = Table.open(ann, "pitch", [ann.me()["name"], "bot:simple"]).follow()
    next(stream)
    bob.logout()
    with pytest.raises(Refusal, match="401 unauthorized"):
        list(stream)


def test_a_stream_of_a_server_that_stays_away_ends_with_an_error() -> None:
    with Server("http://127.0.0.1:1", token="tb_unused", patience_s=0.2) as server, pytest.raises(NoAnswer):
        next(server.inbox())
