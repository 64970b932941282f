"""Hostile input at the addresses of disputes: no 5xx, and the log stays as it was."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.conftest import Caller
from tests.api.live_server import GameServer, ServedGame, open_server

ODD: list[Any] = [
    None, True, False, 0, -1, 2**53, 2**63, 10**400, 0.5, 1e2, "", "1", "x" * 10_000, "\u200b1", "\uff11",
    "'; DROP TABLE x; --", "../../etc/passwd", "=cmd|' /C calc'!A0", "<script>", [], [[]], [1] * 1000, {},
    {"size": {}}, {"__proto__": {}}, {"_type_": "int"},
]  # fmt: skip
MAY_BE_NULL = {"basis", "at_version", "evidence", "text"}
RULING: dict[str, Any] = {"decision": "none", "basis": None, "standard": "likely", "text": "x"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server, with an arbiter."""
    with open_server(tmp_path_factory.mktemp("attacks")) as found:
        found.role("rhea", "arbiter")
        yield found


@pytest.fixture(scope="module")
def game(server: GameServer) -> ServedGame:
    """A game with hand 1 scored and ruled on, and hand 2 in play."""
    made = server.open(["ann", "bob", "cat"], options={"win": 21})
    made.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] == 1)
    assert made.seats[0].post(f"{made.path}/disputes", valid_body(made, "disputes")).status_code == 201
    assert made.seats[1].post(f"{made.path}/disputes", valid_body(made, "disputes")).status_code == 201
    assert server["rhea"].post(f"{made.path}/disputes/2/ruling", valid_body(made, "ruling")).status_code == 201
    return made


def valid_body(game: ServedGame, address: str) -> dict[str, Any]:
    """Return a valid body for an address."""
    size, root = game.log
    ruling = RULING | {"decision": "adjust", "changes": [1, 0, 0]}
    bodies: dict[str, dict[str, Any]] = {
        "disputes": {"hand": 1, "at_version": size, "kind": "score", "text": "not so"},
        "ruling": ruling | {"evidence": {"size": size, "root": root}},
        "appeal": {"text": "no"},
        "decision": {"decision": "upheld", "text": "yes"},
    }
    return bodies[address]


def addresses(game: ServedGame) -> list[tuple[Caller, str, str]]:
    """Return (caller, path, name of the body) for each address that writes."""
    rhea = game.server["rhea"]
    return [
        (game.seats[2], f"{game.path}/disputes", "disputes"),
        (rhea, f"{game.path}/disputes/1/ruling", "ruling"),
        (game.seats[0], f"{game.path}/disputes/2/appeal", "appeal"),
        (rhea, f"{game.path}/disputes/2/decision", "decision"),
    ]


def test_no_unexpected_value_of_a_field_is_a_5xx_or_stores_a_fact(game: ServedGame) -> None:
    """Try odd numbers, texts and shapes in every field of every body."""
    before = game.log
    for caller, path, name in addresses(game):
        for key, value in valid_body(game, name).items():
            for odd in ODD:
                said = key == "text" and isinstance(odd, str) and 0 < len(odd) <= 2000
                if said or odd == value or (odd is None and key in MAY_BE_NULL):
                    continue
                answer = caller.post(path, valid_body(game, name) | {key: odd})
                assert answer.status_code in (400, 404, 409), (name, key, odd, answer.text)
                assert answer.content_type == "application/problem+json"
    assert game.log == before
