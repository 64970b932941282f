"""A game as its log: commits, links, and logs that are refused."""

from typing import Any

import pytest

from domain.commands import OpenGame, PassBid, Resign
from domain.events import DelayVoted, Event, Player
from domain.events.codec import encode, topic
from domain.protocols.merkle_log import EMPTY, leaf, root_of
from domain.rejections import SeatLeft
from domain.state import SERVER
from domain.store.aggregate import Corrupt, Entry, Game, Request
from domain.struct import replace
from tests.given import AT

PLAYERS = (Player("p0", "human"), Player("p1", "human"), Player("bot:random:2", "bot", "random"))


def entropy(size: int) -> bytes:
    return b"\x07" * size


def request(by: str = "p0", command: str = "c1", at: str = AT) -> Request:
    return Request(by, command, at)


def a_game() -> Game:
    game = Game("g1")
    game.apply_draft(game.draft(OpenGame("g1", 1, "pitch", {}, PLAYERS), request(), entropy))
    return game


def rows(entries: tuple[Entry, ...]) -> list[tuple[int, str, bytes]]:
    return [(entry.event.version, topic(entry.event), entry.stored) for entry in entries]


def opening() -> tuple[Entry, ...]:
    return Game("g1").draft(OpenGame("g1", 1, "pitch", {}, PLAYERS), request(), entropy).entries


def test_each_event_links_to_the_root_of_those_before_it() -> None:
    entries = opening()
    leaves = [entry.leaf for entry in entries]
    assert [entry.prev for entry in entries] == [root_of(leaves[:size]) for size in range(len(leaves))]


def test_a_game_read_from_its_rows_is_the_game_that_wrote_them() -> None:
    live, read = a_game(), Game("g1")
    assert read.read(rows(opening())) == list(opening())
    assert (read.state, read.root, read.version, read.commands) == (live.state, live.root, 8, live.commands)


def test_the_table_plays_for_a_seat_that_left_and_its_commands_are_refused() -> None:
    game = a_game()
    game.apply_draft(game.draft(Resign(1), request("p1"), entropy))
    game.apply_draft(game.draft(PassBid(0), request("p0"), entropy))
    with pytest.raises(SeatLeft):
        game.draft(PassBid(1), request("p1"), entropy)
    stood_in = game.draft(PassBid(1), request(SERVER), entropy).entries[0].event
    assert (stood_in.fact, stood_in.by) == ("BidPassed", SERVER)


def test_the_time_of_events_never_goes_back_within_a_game() -> None:
    game = a_game()
    early = game.draft(PassBid(0), request(at="2026-11-21T07:00:00.000000Z"), entropy)
    assert early.entries[0].event.at == AT


def test_a_game_remembers_the_versions_that_each_command_caused() -> None:
    game = a_game()
    game.apply_draft(game.draft(PassBid(0), request(command="c2"), entropy))
    assert game.commands == {"c1": [1, 2, 3, 4, 5, 6, 7, 8], "c2": [9]}


def spoiled(at: int, **change: Any) -> list[tuple[int, str, bytes]]:
    stored = rows(opening())
    version, named, state = stored[at]
    stored[at] = (change.get("version", version), change.get("named", named), change.get("state", state))
    return stored


STORED = [row[2] for row in rows(opening())]


def test_a_changed_log_is_refused_at_the_changed_event() -> None:
    for stored, version in (
        (spoiled(3, version=9), 9),
        (spoiled(3, named="StockLaid/1"), 4),
        (spoiled(3, named="os.system/1"), 4),
        (spoiled(3, named="HandDealt/2"), 4),
        (spoiled(3, state=STORED[4]), 4),
        (spoiled(3, state=b"\0" * 32 + STORED[3][32:]), 4),
        (spoiled(5, state=STORED[5].replace(b'"g1"', b'"g2"')), 6),
        (spoiled(4, state=STORED[4].replace(b'"salt":"07', b'"salt":"08')), 6),
        (spoiled(3, named="HandDealt"), 4),
        (spoiled(3, state=b""), 4),
        (rows(opening())[1:], 2),
        ([*rows(opening())[:4], *rows(opening())[5:]], 6),
    ):
        with pytest.raises(Corrupt, match=f"event {version} of game g1") as corrupt:
            Game("g1").read(stored)
        assert corrupt.value.version == version


def forged(events: list[Event[Any]]) -> list[tuple[int, str, bytes]]:
    """Return the rows of these events, renumbered and with correct links."""
    frontier, stored = EMPTY, []
    for version, event in enumerate(events, 1):
        raw = encode(replace(event, version=version))
        stored.append((version, topic(event), frontier.root() + raw))
        frontier = frontier.append(leaf(raw))
    return stored


EVENTS = [entry.event for entry in opening()]


def test_a_log_with_correct_links_but_a_misplaced_opening_is_refused() -> None:
    assert Game("g1").read(forged(EVENTS)) == list(opening())
    for written, version in ((EVENTS[1:], 1), ([*EVENTS, EVENTS[0]], 9)):
        with pytest.raises(Corrupt, match="a game is opened by its first event, and by no other") as corrupt:
            Game("g1").read(forged(written))
        assert corrupt.value.version == version


def test_a_log_with_correct_links_but_impossible_facts_is_refused() -> None:
    vote = replace(EVENTS[-1], data=DelayVoted(1, guilty=True), fact="DelayVoted")
    with pytest.raises(Corrupt, match="event 9 of game g1: it cannot follow the events before it"):
        Game("g1").read(forged([*EVENTS, vote]))
