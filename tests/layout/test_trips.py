"""The way of a request through the code doesn't get longer."""

from pathlib import Path

from tests.layout.calls import floor_of
from tests.layout.trips import move, open_server

MODULES_AT_MOST, CLIMBS_AT_MOST = 59, 0
"""Lower them when the way gets shorter."""


def test_the_way_of_a_posted_card_gets_no_longer(tmp_path: Path) -> None:
    with open_server(tmp_path, "move") as server:
        trip = move(server)
    assert len(trip.modules) <= MODULES_AT_MOST, trip.modules
    assert len(trip.climbs) <= CLIMBS_AT_MOST, [f"{caller} -> {called}" for caller, called in trip.climbs]


def test_a_part_of_a_feature_is_on_the_floor_of_such_parts() -> None:
    upwards = "api.mail.stored.levels", "api.container", "api.web.problems", "api.mail.incoming", "api.mail.routes"
    assert sorted(upwards, key=floor_of) == list(upwards)
