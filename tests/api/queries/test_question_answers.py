"""Questions of docs/questions.md about a stored game: the command and the address give one answer."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.conftest import check_problem
from tests.api.live_server import PEOPLE, GameServer, ServedGame, get_json, open_server, write_export

OF_A_HAND = ["revokes", "draws", "score", "clock", "sight"]
NO_HAND = ["0", "-1", "x", "01", "\uff11", "9" * 30, "99", "1&hand=2"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """One server for all these games."""
    with open_server(tmp_path_factory.mktemp("questions")) as found:
        yield found


@pytest.fixture(scope="module")
def over(server: GameServer) -> ServedGame:
    """A finished game of Corellian Pitch with rule changes: one whole hand and a part of another."""
    game = server.open(PEOPLE, "corellian", options={"randomizer": {"when": [1, 5], "end": None}})
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] >= 1)
    game.finish()
    return game


@pytest.fixture(scope="module")
def live(server: GameServer) -> ServedGame:
    """A game of Setback with hand 1 scored and hand 2 in play."""
    game = server.open(PEOPLE, "setback")
    game.play(lambda view: (view["last_hand"] or {"hand": 0})["hand"] >= 1)
    game.play(lambda view: view["phase"] == "play")
    return game


@pytest.mark.parametrize("question", [*OF_A_HAND, "commits"])
def test_a_command_gives_the_answer_of_the_address_for_a_file_and_a_stored_game(
    server: GameServer, over: ServedGame, live: ServedGame, tmp_path: Path, question: str
) -> None:
    for game in (over, live):
        name = write_export(game, tmp_path)
        options = ("--from", "3", "--to", "20") if question == "commits" else ("--hand", "1")
        query = "?from=3&to=20" if question == "commits" else "?hand=1"
        for asked, whole in ((options, query), ((), "")):
            told = get_json(game, f"/{question}{whole}")
            assert {"question", "game", "board", "variant", "findings", "cannot_tell", "code"} <= set(told)
            assert (told["question"], told["game"], told["findings"]) == (question, game.id, [])
            text = server.nobody.get(f"{game.path}/{question}{whole}", Accept="text/plain").text
            for where in (game.id, str(told["board"]), name):
                said, as_json = (server.command("ask", question, where, *asked, *more) for more in ((), ("--json",)))
                assert said.exit_code == as_json.exit_code == told["code"], said.output
                assert json.loads(as_json.stdout) == told
                assert said.stdout.rstrip("\n") == text.rstrip("\n")


MALFORMED = [
    *(f"/{name}?hand={hand}" for name in OF_A_HAND for hand in NO_HAND if hand != "99"),
    *(f"/replay?{query}" for query in ("at=-1", "at=0", "at=100000", "at=1e2", "seat=-1")),
    *(f"/legal?seat=1&at=20&move={move}" for move in ("x" * 5000, "%7B", "%00")),
    *(f"/legal?{query}" for query in ("seat=1&move=blah", "seat=1&move=%7B%22type%22:%22fly%22%7D", "at=9999", "at=0")),
    *("/revokes?hands=1", "/commits?first=1", "/commits?from=9999", "/commits?to=9999", "/commits?from=4&to=2"),
    *("/legal", "/compare", "/compare?root=zz", "/compare?root=" + "AB" * 32),
    *("/hands/1/replay?at=99999", "/hands/1/deal?seed=00", "/commits?from=x", "/commits?to=-1", "/audit?x=1"),
]
MISSING = [
    *(f"/{name}?hand=99" for name in OF_A_HAND),
    *(f"/hands/{hand}" for hand in ("0", "99/audit", "x/deal", "01/deal")),
]


def test_an_invalid_query_is_malformed_and_a_missing_hand_not_found(over: ServedGame) -> None:
    for path in MALFORMED:
        check_problem(over.server.nobody.get(over.path + path), 400, "malformed")
    for path in MISSING:
        check_problem(over.server.nobody.get(over.path + path), 404, "not-found")
