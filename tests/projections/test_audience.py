"""Each fact has one audience: the viewers who see its line, and the withheld line for all others."""

import msgspec
import pytest

from domain.events.codec import decode
from domain.evolve import evolve
from domain.protocols import merkle_log as cardlog
from domain.state import EMPTY_STATE
from projections.views.audience import (
    FormerHolder,
    ceremonies_revealed_by,
    ceremonies_revealed_in,
    event_line,
    event_lines,
    revealed_ceremonies,
    visible,
)
from tests.replay.playing import Table, table


@pytest.fixture(scope="module")
def made() -> Table:
    """A whole game of three."""
    return table(3, 3, win=7).play()


def test_a_withheld_line_holds_link_leaf_and_version_only(made: Table) -> None:
    entry = made.entries[2]
    withheld = {"leaf": entry.leaf.hex(), "prev": entry.prev.hex(), "version": 3}
    assert entry.event.fact == "SeedKept"
    assert event_line(entry, shown=False) == cardlog.canonical(withheld)


def test_a_visible_line_is_canonical_and_holds_the_stored_bytes(made: Table) -> None:
    for entry in made.entries:
        whole = event_line(entry, shown=True)
        read = msgspec.json.decode(whole)
        assert whole == cardlog.canonical(read)
        assert entry.raw in whole
        assert cardlog.leaf(cardlog.canonical(read["event"])).hex() == read["leaf"]
        assert decode(entry.raw) == entry.event


def test_R_P14_a_former_player_sees_the_cards_of_their_seat_and_time_alone() -> None:
    dealt = [entry.event for entry in table(1, 4).entries if entry.event.fact == "CardsDealt"]
    versions = {event.data.seat: event.version for event in dealt}
    for seat in range(4):
        whole = FormerHolder(seat, ((1, 10_000),))
        assert {event.data.seat for event in dealt if visible(event, whole, ())} == {seat}
        before = FormerHolder(seat, ((1, versions[seat] - 1), (versions[seat] + 1, 10_000)))
        assert not any(visible(event, before, ()) for event in dealt)


def test_all_viewers_see_the_whole_hand_after_its_reveal(made: Table) -> None:
    revealed = revealed_ceremonies(entry.event for entry in made.entries)
    for viewer in (None, 0, 1, 2):
        whole = [event_line(entry, shown=True) for entry in made.entries]
        assert event_lines(made.entries, viewer, revealed) == whole


def test_the_state_knows_the_revealed_ceremonies(made: Table) -> None:
    state = EMPTY_STATE
    for version, entry in enumerate(made.entries, 1):
        state = evolve(state, entry.event)
        if version in made.commits:
            told = revealed_ceremonies(entry.event for entry in made.entries[:version])
            assert told == ceremonies_revealed_in(state) - {0}


def test_only_a_reveal_makes_lines_visible(made: Table) -> None:
    facts = {entry.event.fact for entry in made.entries if ceremonies_revealed_by(entry.event)}
    assert facts == {"CeremonyRevealed"}
