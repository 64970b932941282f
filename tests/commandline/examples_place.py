"""A folder in which every example of the help runs: a store with games, people and reports, and files from it."""

import json
from pathlib import Path

from api.people.stored import roles
from tests.api.conftest import PASSWORD, services_of
from tests.api.live_server import GameServer, ServedGame, open_server
from tests.api.ops.test_quarantine import STRANGE_GAME, spoil_with_event_of_unknown_game
from tests.commands import run
from tests.conftest import Database

REPORT, STEP, TOKEN = "r_0123456789abcdef01234567", "s_0123456789abcdef01234567", "287d9257e2e3"
RULEBOOK = "5d41402a"
"""Ids in the examples: the store has others, which differ from run to run."""


def make_place(folder: Path) -> dict[str, str]:
    """Fill the folder; return what stands in the store for each id of the examples."""
    with open_server(folder / "data") as server:
        game = play_game(server, folder)
        assert server["ann"].post("/games", {"variant": "pitch", "seats": ["ann", "open"]}).status_code == 201
        posted = server["ann"].post("/rulebooks", {"name": "Ours", "from": "setback", "rules": {"goal": 21}})
        assert posted.status_code == 202
        ids = moderate(server) | {RULEBOOK: posted.get_json()["rulebook"][:8]}
        write_papers(server, game, folder)
        services_of(server.app).followers.catch_up()
    for name in ("new", "cur", "tmp"):
        (folder / "Maildir" / name).mkdir(parents=True)
    assert run("store", "backup", str(folder / "backup" / "2026-11-21"), at=server.config).exit_code == 0
    return ids


def play_game(server: GameServer, folder: Path) -> ServedGame:
    """Play a hand of board 1, keep what was told then, and end the game with two disputes, one of them ruled on."""
    game = server.open(["ann", "bob", "cat"])
    game.play_hand()
    (folder / "earlier.ndjson").write_bytes(game.export())
    (folder / "earlier.txt").write_text(server.command("receipt", "print", "1").stdout, encoding="utf-8")
    game.finish()
    contested = {"kind": "revoke", "hand": 1, "at_version": game.log[0], "text": "bob had a club"}
    assert server["ann"].post(f"{game.path}/disputes", contested).status_code == 201
    assert server["cat"].post(f"{game.path}/disputes", contested).status_code == 201
    ruling = {"decision": "none", "standard": "recorded", "text": "bob had none"}
    assert server.role("rhea", roles.ARBITER).post(f"{game.path}/disputes/2/ruling", ruling).status_code == 201
    return game


def moderate(server: GameServer) -> dict[str, str]:
    """Report bob, and warn cat, who appeals, and let gus leave; return the ids that the examples stand for."""
    for name in ("mo", "moira"):
        server.role(name, roles.MODERATOR)
    for about in ("cat", "bob"):
        report = {"about": about, "kind": "abuse", "text": "insults"}
        assert server["ann"].post("/reports", report).status_code == 201
    of_cat, of_bob = (
        each["report"] for each in json.loads(server.command("moderation", "reports", "--by", "mo", "--json").stdout)
    )
    for words in (("claim", of_cat), ("rule", of_cat, "warn", "--reason", "Insults"), ("claim", of_bob)):
        assert server.command("moderation", *words, "--by", "moira" if of_cat in words else "mo").exit_code == 0
    (step,) = server["cat"].get("/me/standing").get_json()["steps"]
    assert server["cat"].post("/me/appeals", {"step": step["step"], "text": "a joke"}).status_code == 201
    assert server["gus"].ask("DELETE", "/me", {"password": PASSWORD}).status_code == 202
    (token, *_) = json.loads(server.command("access", "tokens", "ann", "--json").stdout)
    return {REPORT: of_bob, STEP: step["step"], TOKEN: token["id"]}


def write_papers(server: GameServer, game: ServedGame, folder: Path) -> None:
    """Write the files that the examples read."""
    (folder / "game.ndjson").write_bytes(game.export())
    for file, words in (
        ("receipt.txt", ("receipt", "print", "1")),
        ("keys.json", ("keys", "show", "--json")),
        ("log.ndjson", ("moderation", "log")),
        ("rulebook.json", ("rulebook", "new", "--from", "setback")),
    ):
        done = server.command(*words)
        assert done.exit_code == 0, done.output
        (folder / file).write_text(done.stdout, encoding="utf-8")


def put_a_game_into_quarantine(data: Path) -> None:
    """Put a game into quarantine: one whose first event is missing."""
    with open_server(data) as server:
        with (data.parent / "game.ndjson").open(encoding="utf-8") as export:
            game = json.loads(next(export))["game"]
        spoil_with_event_of_unknown_game(Database(None, data), game)
        services_of(server.app).followers.catch_up()
    listed = run("store", "quarantine", "list", "--data", str(data)).stdout
    assert STRANGE_GAME in listed, listed
