"""Each fact has one audience: the viewers who see its line, and the withheld line for all others."""

import random

import msgspec
import pytest

from domain.events.codec import decode
from domain.protocols import merkle_log as cardlog
from domain.store.aggregate import Entry
from projections.views.audience import (
    FormerHolder,
    ceremonies_revealed_by,
    ceremonies_revealed_in,
    event_line,
    event_lines,
    revealed_ceremonies,
    visible,
)
from tests.projections.playing import Table, open_table, play_game


@pytest.fixture(scope="module")
def table() -> Table:
    return play_game(random.Random(3), 3)


def test_a_withheld_line_holds_link_leaf_and_version_only(table: Table) -> None:
    entry = table.entries[2]
    withheld = {"leaf": entry.leaf.hex(), "prev": entry.prev.hex(), "version": 3}
    assert entry.event.fact == "SeedKept"
    assert event_line(entry, shown=False) == cardlog.canonical(withheld)


def test_a_visible_line_is_canonical_and_holds_the_stored_bytes(table: Table) -> None:
    for entry in table.entries:
        whole = event_line(entry, shown=True)
        read = msgspec.json.decode(whole)
        assert whole == cardlog.canonical(read)
        assert entry.raw in whole
        assert cardlog.leaf(cardlog.canonical(read["event"])).hex() == read["leaf"]
        assert decode(entry.raw) == entry.event


def test_a_seat_sees_its_own_cards_while_the_hand_is_live() -> None:
    table = open_table(random.Random(1), 4)
    for seat in range(4):
        sees = {entry.event.data.seat for entry in dealt(table) if visible(entry.event, seat, ())}
        assert sees == {seat}
    assert not any(visible(entry.event, None, ()) for entry in dealt(table))


def test_R_P14_a_former_player_sees_the_cards_of_their_seat_and_time_alone() -> None:
    table = open_table(random.Random(1), 4)
    versions = {entry.event.data.seat: entry.event.version for entry in dealt(table)}
    for seat in range(4):
        whole = FormerHolder(seat, ((1, 10_000),))
        sees = {entry.event.data.seat for entry in dealt(table) if visible(entry.event, whole, ())}
        assert sees == {seat}
        before = FormerHolder(seat, ((1, versions[seat] - 1), (versions[seat] + 1, 10_000)))
        assert not any(visible(entry.event, before, ()) for entry in dealt(table))


def dealt(table: Table) -> list[Entry]:
    return [entry for entry in table.entries if entry.event.fact == "CardsDealt"]


def test_no_viewer_sees_seed_or_stock_of_a_live_hand() -> None:
    table = open_table(random.Random(1), 4)
    secret = [entry.event for entry in table.entries if entry.event.fact in ("SeedKept", "StockLaid")]
    assert len(secret) == 2
    assert not any(visible(event, viewer, ()) for event in secret for viewer in (None, 0, 1, 2, 3))


def test_all_viewers_see_the_whole_hand_after_its_reveal(table: Table) -> None:
    revealed = revealed_ceremonies(entry.event for entry in table.entries)
    for viewer in (None, 0, 1, 2):
        whole = [event_line(entry, shown=True) for entry in table.entries]
        assert event_lines(table.entries, viewer, revealed) == whole


def test_a_visible_line_is_never_withheld_later(table: Table) -> None:
    before: set[int] = set()
    for version in range(1, len(table.entries) + 1):
        first = table.entries[:version]
        revealed = revealed_ceremonies(entry.event for entry in first)
        now = {entry.event.version for entry in first if visible(entry.event, 1, revealed)}
        assert before <= now
        before = now


def test_the_state_knows_the_revealed_ceremonies(table: Table) -> None:
    for version in table.commits[1:]:
        state = table.state_at(version)
        told = revealed_ceremonies(entry.event for entry in table.entries[:version])
        assert told == ceremonies_revealed_in(state) - {0}


def test_only_a_reveal_makes_lines_visible(table: Table) -> None:
    facts = {entry.event.fact for entry in table.entries if ceremonies_revealed_by(entry.event)}
    assert facts == {"CeremonyRevealed"}
