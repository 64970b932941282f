"""A few kills of one of two nodes, and a rolling upgrade of both, under load; `make kills` goes on for ten minutes."""

from collections import Counter
from pathlib import Path

import pytest

from tests.campaigns.traffic.caller import Answer, Caller
from tests.campaigns.traffic.checks import faults_of_entries
from tests.campaigns.traffic.load import SEED
from tests.campaigns.two_nodes.campaign import TwoNodes, run_kills
from tests.conftest import Database
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(900)  # processes start slowly on a busy machine
MOVES = 15
"""The moves that are made between two steps of the upgrade."""


def test_canary_an_entry_of_an_inbox_that_is_missed_or_comes_twice_is_reported() -> None:
    items = [{"id": f"1.{at}", "kind": "turn", "game": "g", "version": at} for at in (1, 2, 3)]
    expected = Counter(("turn", "g", at) for at in (1, 2, 3))
    assert faults_of_entries("ann", items, expected) == []
    assert faults_of_entries("ann", items[1:], expected) == ["ann never got [(('turn', 'g', 1), 1)]"]
    assert faults_of_entries("bob", [*items, items[2]], expected) == ["bob got, for no reason, [(('turn', 'g', 3), 1)]"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system has no /proc")
def test_two_nodes_that_are_killed_lose_nothing_and_do_nothing_twice(fresh_postgres: str, tmp_path: Path) -> None:
    """Neither moves nor entries of inboxes nor messages; limits and revocations hold at both."""
    kills = 2
    report = run_kills(Database(fresh_postgres, tmp_path / "data"), tmp_path, SEED, lambda done: done < kills, (0, 0.5))
    assert report.faults == []
    assert (report.kills.total(), report.games >= 2) == (kills, True)
    assert min(report.moves, report.refused, report.entries, report.began) > kills
    assert [line for line in report.summaries if line.startswith("0 ")] == [], "somebody did nothing"


def resign(player: Caller, node: str, game: str, key: str) -> Answer:
    return player.once(node, "POST", f"/games/{game}/moves", {"type": "resign"}, key)


def version_of_fact(player: Caller, game: str) -> int:
    """Return the version of the fact that the player has resigned."""
    items = player.get(f"/games/{game}/events")["items"]
    return next(int(item["event"]["v"]) for item in items if item.get("event", {}).get("fact") == "SeatResigned")


@pytest.mark.slow
def test_two_nodes_are_upgraded_one_after_the_other_while_clients_race(fresh_postgres: str, tmp_path: Path) -> None:
    """Nothing is lost or doubled, and the new release writes its own fact only once the old one is gone."""
    with TwoNodes(Database(fresh_postgres, tmp_path / "data"), tmp_path, SEED) as nodes:
        player, table = nodes.join("fay"), {"variant": "pitch", "seats": ["fay", "bot:simple"]}
        games = [str(player.ask("POST", "/games", table, f"fay-{number}").body["id"]) for number in range(2)]
        for at in range(2):
            nodes.wait_for_moves(MOVES)
            assert nodes.servers[at].stop() == 0
            nodes.replace_server(at, TOMORROW="yes")
            nodes.wait_for_moves(MOVES)
            if at == 0:
                new, old = nodes.urls
                refused, accepted = (resign(player, url, games[0], "first") for url in (new, old))
                assert (refused.status, refused.problem) == (503, "not-ready")
                assert "still runs release" in refused.body["detail"]
                assert accepted.status == 201
        wait_until(
            lambda: resign(player, nodes.urls[0], games[1], "second").status == 201,
            "the new release never writes its fact",
        )
        nodes.wait_for_moves(MOVES)
        assert [version_of_fact(player, game) for game in games] == [1, 2]
        assert nodes.end().faults == []
