"""A table that waits for cuts waits for the people who may still cut, in the lobby as in its view."""

import pytest

from projections.lists.lobby import LOBBY, fold
from projections.storage.memory_rows import MemoryRows
from projections.views.seat import ViewFold, view_json
from tests.replay.variety import of


@pytest.mark.parametrize("name", ["Pitch with open cuts", "Setback with sealed cuts", "Corellian with sealed cuts"])
def test_the_lobby_and_the_view_wait_for_the_people_who_can_still_cut(name: str) -> None:
    waited = 0
    for seed in (1, 3):
        made = of(name, seed).hands(2)
        if seed == 3 and not made.over:
            made.resign(made.game.state.persons[0])
        rows, seen = MemoryRows(LOBBY), ViewFold(None)
        for entry in made.entries:
            fold(rows, entry.event)
            seen.add(entry.event)
            shown = view_json(seen, "")
            seats = range(len(shown["seats"]))
            rows_of = [rows.get("seats", entry.event.game, seat) or {} for seat in seats]
            cutting = shown["ceremony"]["waits_for"] if shown["ceremony"] else []
            if cutting and seen.is_commit_end:
                waited += 1
                assert [seat for seat in seats if rows_of[seat]["waiting"]] == cutting
            elif seen.is_commit_end:
                left = [seat for seat in shown["turn"]["seats"] if shown["seats"][seat]["state"] == "in"]
                assert [seat for seat in seats if rows_of[seat]["waiting"]] == left
    assert waited > 5
