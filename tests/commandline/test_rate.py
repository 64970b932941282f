"""`trickbook rate` works out from exports what the server's lists say."""

import json
from pathlib import Path
from typing import Any

from tests.api.live_server import GameServer, open_server
from tests.commands import run
from tests.conftest import Database


def play(server: GameServer) -> None:
    """Play games of people: of two, of three with a scored hand, and of partners."""
    game = server.open(["ann", "bob", "cat"], options={"win": 21})
    game.play_hand()
    game.finish()
    server.open(["ann", "bob"]).finish()
    server.open(["ann", "bob", "cat", "eve"], "setback").finish()
    server.open(["ann", "bot:simple"]).finish()
    server.follow()


def listed(server: GameServer, names: list[str]) -> dict[tuple[str, str, str], dict[str, Any]]:
    found = {}
    for name in names:
        body = server.nobody.get(f"/players/{name}/ratings").get_json()
        for each in body["ratings"]:
            found[each["variant"], each["kind"], name] = each | {"player": body["player"], "name": name}
    return found


def test_exports_give_the_numbers_of_the_server(database: Database, tmp_path: Path) -> None:
    # given games on a server, and their exports in a file
    with open_server(tmp_path / "data", database.url) as server:
        play(server)
        wanted = listed(server, ["ann", "bob", "cat", "eve"])
        file = tmp_path / "games.ndjson"
        boards = [item["id"] for item in server.nobody.get("/games?limit=50").get_json()["items"]]
        file.write_bytes(b"".join(server.nobody.get(f"/games/{game}/export").data for game in boards))
    # then the program alone says the same
    found = json.loads(run("rate", str(file), "--json").stdout)
    assert {(each["variant"], each["kind"], each["name"]): each for each in found} == wanted
    assert wanted
    text = run("rate", str(file)).stdout
    assert "setback partners" in text
    assert "provisional (2 of 20)" in text


def test_a_file_that_is_no_whole_export_is_named(tmp_path: Path) -> None:
    whole = (Path(__file__).parents[2] / "docs/examples/small-game.ndjson").read_bytes()
    file = tmp_path / "broken.ndjson"
    for content, says in {
        b"": "",
        b"nonsense\n": "",
        b'{"format":"trickbook-export/9"}\n': "",
        whole[: len(whole) // 2]: "board 1",
    }.items():
        file.write_bytes(content)
        answer = run("rate", str(file))
        assert (answer.exit_code, "broken.ndjson" in answer.stderr, says in answer.stderr) == (2, True, True)
    answer = run("rate", str(tmp_path / "absent.ndjson"))
    assert (answer.exit_code, "absent.ndjson" in answer.stderr) == (2, True)
