"""The inbox: whose turn it is according to the rules, entries for people alone, and numbers without gaps."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest
from msgspec.structs import replace

import projections.storage.page_rows as numbers_module
from domain.events import GameEnded, SeatForfeited, SeatHandedOver, SeatReturned
from domain.evolve import evolve
from domain.state import EMPTY_STATE, State
from domain.store import Games
from projections.followers import LogFollower
from projections.lists.inbox import INBOX, OUTBOX, new_entry
from projections.lists.inbox_entries import KINDS, EntryKind
from projections.lists.inbox_pages import inbox_page
from projections.storage.rows import RowSnapshot, RowStore
from projections.storage.tables import MemoryRows, Row
from tests.projections.playing_stored import Play
from tests.replay.playing import Table, table
from tests.replay.variety import VARIETY

FOREVER = 10**6


def folded(made: Table) -> Iterator[tuple[State, list[Row]]]:
    """Yield the state after each commit, and the entries that it added."""
    rows, state, known = MemoryRows(INBOX), EMPTY_STATE, set[tuple[Any, ...]]()
    table_of_entries = INBOX.table("entries")
    for _, commit in groupby((entry.event for entry in made.entries), key=lambda event: (event.at, event.command)):
        for event in commit:
            INBOX.fold(rows, event)
            state = evolve(state, event)
        new = [row for row in rows.all("entries") if table_of_entries.key_of(row) not in known]
        known.update(map(table_of_entries.key_of, new))
        yield state, new


def people_in(state: State) -> dict[int, str]:
    seats = enumerate(state.seats)
    return {seat: each.player for seat, each in seats if each.kind == "human" and each.state == "in"}


@pytest.mark.parametrize("name", list(VARIETY)[::2])
def test_an_inbox_tells_exactly_the_awaited_people_of_their_turn(name: str) -> None:
    told, turns = dict[int, int](), 0
    for state, new in folded(table(7, **VARIETY[name]).play(most=60, also=0.2)):
        for row in new:
            if row["kind"] == "turn" and row["data"]["awaits"] == "move":
                assert row["data"]["seat"] in state.turn
                assert row["player"] == people_in(state)[row["data"]["seat"]]
                told[row["data"]["seat"]] = row["version"]
                turns += 1
        for seat in set(state.turn) & set(people_in(state)):
            assert told[seat] >= state.turn_version
    assert turns > 3


def test_everybody_hears_of_each_hand_and_of_the_end() -> None:
    made = table(3, **VARIETY["gamerz Pitch"])
    made.play()
    entries = [row for _, new in folded(made) for row in new]
    hands = {entry.event.data.hand for entry in made.entries if entry.event.fact in ("HandScored", "HandThrownIn")}
    people = {entry.event.by for entry in made.entries} - {"server"}
    for player in people:
        own = [row for row in entries if row["player"] == player]
        assert {row["data"]["hand"] for row in own if row["kind"] == "hand-over"} == hands
        assert [row["kind"] for row in own].count("game-over") == 1
    assert isinstance(made.entries[-1].event.data, GameEnded)


@pytest.mark.parametrize(
    ("fact", "now"),
    [
        pytest.param(SeatForfeited(0, "time"), "table", id="R-P10 out of time"),
        pytest.param(SeatForfeited(0, "claimed"), "table", id="R-P17 claimed"),
        pytest.param(SeatHandedOver(0, "p0", "bot:simple:0", "bot", "simple/1"), "bot", id="R-P18 a bot takes it"),
        pytest.param(SeatHandedOver(0, "p0", "p9", "human", None), "person", id="R-P13 handed over"),
        pytest.param(SeatReturned(0, "p9"), "person", id="R-P14 taken back by another"),
    ],
)
def test_a_player_hears_that_their_seat_is_gone(fact: SeatForfeited | SeatHandedOver | SeatReturned, now: str) -> None:
    rows, made = MemoryRows(INBOX), table(7, **VARIETY["gamerz Pitch"]).play(most=12)
    for entry in made.entries:
        INBOX.fold(rows, entry.event)
    last = made.entries[-1].event
    assert made.state.seats[0].player == "p0"
    INBOX.fold(rows, replace(last, version=last.version + 1, command="another", data=fact))
    told = [row for row in rows.all("entries") if row["kind"] == "seat"]
    assert [(row["player"], row["data"]) for row in told] == [
        ("p0", {"version": last.version + 1, "seat": 0, "now": now})
    ]


@pytest.mark.parametrize("name", list(VARIETY)[:20:5])
def test_an_entry_names_ids_and_numbers_and_no_card(name: str) -> None:
    plain = {"version", "seat", "hand", "reason", "dispute", "accused", "step", "awaits", "asks", "now"}
    for _, new in folded(table(2, **VARIETY[name]).play(most=80, also=0.3)):
        for row in new:
            assert row["kind"] in KINDS
            assert set(row["data"]) <= plain
            texts = [value for value in row["data"].values() if isinstance(value, str)]
            assert not [text for text in texts if len(text) == 2]


# Numbers, in a store.


def numbers(rows: RowStore, player: str) -> list[int]:
    with rows.snapshot("inbox") as reading:
        return [row["n"] for row in inbox_page(reading, player, 0, FOREVER).entries]


def test_entries_are_numbered_in_order_without_gaps(rows: RowStore, followers: LogFollower, play: Play) -> None:
    games = [play.open(3), play.open(4, board=2)]
    for _ in range(6):
        for game in games:
            play.steps(game, 7)
        followers.catch_up()
    for player in ("p0", "p1", "p2", "p3"):
        found = numbers(rows, player)
        assert found == list(range(1, len(found) + 1))
    with rows.snapshot("inbox") as reading:
        entries = inbox_page(reading, "p0", 0, FOREVER).entries
        for game in games:
            versions = [row["version"] for row in entries if row["about"] == game]
            assert versions == sorted(versions)
            assert [row["about"] for row in inbox_page(reading, "p0", 0, FOREVER, game).entries] == [game] * len(
                versions
            )


@pytest.mark.lengthy
def test_an_inbox_keeps_its_last_entries(
    rows: RowStore, followers: LogFollower, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbers_module, "PRUNE_EVERY", 5)
    monkeypatch.setattr("projections.lists.inbox.MOST_ENTRIES", 10)
    monkeypatch.setitem(vars(INBOX.table("entries").numbering), "most", 10)
    game = play.open(2)
    for _ in range(12):
        play.steps(game, 5)
        followers.catch_up()
    found = numbers(rows, "p0")
    assert 10 <= len(found) <= 15
    assert found == list(range(found[0], found[-1] + 1))
    assert found[0] > 1


@pytest.mark.both_stores
def test_attack_193_what_others_write_pushes_out_no_turn(
    rows: RowStore, followers: LogFollower, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbers_module, "PRUNE_EVERY", 5)
    monkeypatch.setitem(vars(INBOX.table("entries").numbering), "most", 10)
    game = play.open(2)
    play.steps(game, 9)
    followers.catch_up()
    told = numbers(rows, "p0")
    assert 0 < len(told) <= 10
    for page in range(30):
        sent = [note(2 * page + number, ("chat", "message")[number % 2]) for number in range(1, 3)]
        rows.add_rows("inbox", "entries", sent, ("sources", {"source": OUTBOX, "last": sent[-1]["version"]}), always)
    found = numbers(rows, "p0")
    assert found[: len(told)] == told
    assert 10 <= len(found) - len(told) <= 15
    assert found[-10:] == list(range(told[-1] + 51, told[-1] + 61)), "the newest messages are kept"
    play.steps(game, 90)
    followers.catch_up()
    left = numbers(rows, "p0")
    assert 10 <= len([number for number in left if number not in found]) <= 15
    assert not set(left) & set(told)
    rows.add_rows("inbox", "entries", [note(n, "chat") for n in range(61, 91)], ("sources", MARK), always)
    assert len(numbers(rows, "p0")) <= 10 + 15


MARK = {"source": OUTBOX, "last": 90}


def note(number: int, kind: EntryKind) -> Row:
    data = {"message": "m_1", "to": "table", "from": "p1"}
    return new_entry(OUTBOX, number, "p0", kind, None, "2026-12-01T00:00:00.000000Z", data)


def always(_reading: RowSnapshot) -> bool:
    return True


def test_a_rebuild_numbers_the_same_entries_in_another_generation(
    rows: RowStore, followers: LogFollower, play: Play
) -> None:
    play.steps(play.open(3), 20)
    followers.catch_up()
    with rows.snapshot("inbox") as reading:
        before, generation = inbox_page(reading, "p1", 0, FOREVER).entries, reading.generation
    followers.rebuild("inbox")
    with rows.snapshot("inbox") as reading:
        assert inbox_page(reading, "p1", 0, FOREVER).entries == before
        assert reading.generation == generation + 1


@pytest.mark.lengthy
def test_a_game_that_is_folded_again_leaves_no_number_to_two_entries(
    games: Games, rows: RowStore, followers: LogFollower, play: Play
) -> None:
    game = play.open(3)
    play.steps(game, 20)
    followers.catch_up()
    before = numbers(rows, "p1")
    assert followers.retry(game) == []
    after = numbers(rows, "p1")
    assert after == list(range(before[-1] + 1, before[-1] + 1 + len(before)))
    play.steps(game, 20)
    followers.catch_up()
    assert numbers(rows, "p1")[: len(after)] == after
