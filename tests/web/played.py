"""The people and the games of the server for all pages, played in this process before that server starts.

What they draw follows from the fixture, so the cards are the same in each run.
"""

from typing import Any

from tests.api.arbiters import created, give_ruling, open_dispute
from tests.api.live_server import GameServer, ServedGame
from tests.web.table.room import Person, Room

NAMES = ("ann", "bob", "cyd", "dee", "eve", "una", "vic", "wes", "xia")
"""People without a role. Games of the last four count in lists: of them, other tests open none."""
ROLES = {"rhea": "arbiter", "sol": "arbiter", "mod": "moderator"}
HANDS = 2
CHANGES = {"randomizer": {"when": [1, 2], "end": [1, 10_000]}}
BOARDS = {"pitch": 1, "setback": 2, "blackout": 3, "corellian": 4}
"""The boards of finished games of una, vic, wes and xia."""
RULED = 6
"""The board of a finished game with a ruling that moves ratings."""
BOT = "bot:simple"


def play_games(server: GameServer) -> tuple[dict[str, Person], dict[str, Room]]:
    """Register everybody and play the games. Return both by name."""
    for name, role in ROLES.items():
        server.role(name, role)
    people = {name: person_of(server, name) for name in (*NAMES, *ROLES)}
    play_counted_games(server)
    games = {
        "second hand": server.open(["ann", "bob", "cyd"]),
        "live": server.open(["ann", BOT, BOT]),
        "over": server.open(["ann", BOT, BOT]),
        "off suit": off_suit(server),
        "disputed": server.open(["ann", "bob", BOT], options={"win": 21}),
        "alone": server.open(["ann", BOT], options={"win": 7}),
    }
    for name in ("live", "over", "disputed", "alone"):
        games[name].play_hand()
    games["second hand"].play(lambda view: view["last_hand"] and view["phase"] == "play")
    games["over"].finish()
    created(open_dispute(games["disputed"], 0, details={"accused": {"seat": 1}}))
    rooms = {name: room_of(game, people) for name, game in games.items()}
    server.follow()
    return people, rooms


def play_counted_games(server: GameServer) -> None:
    """Play a game of each variant, one of them with a ruling, and a private one; then two that are ruled on."""
    pitch = play_hands(server, ["una", "vic", "wes"], "pitch", {"win": 21})
    created(open_dispute(pitch, 0, hand=pitch.public["last_hand"]["hand"]))
    created(give_ruling(pitch, "rhea", "adjust", changes=[4, -3, 0]))
    for variant, options in (("setback", {}), ("blackout", {}), ("corellian", CHANGES)):
        play_hands(server, ["una", "vic", "wes", "xia"], variant, options)
    private = {"variant": "pitch", "seats": ["una", "vic"], "watch": {"public": False}}
    hidden = created(server["una"].post("/games", private))["id"]
    created(server["vic"].post(f"/games/{hidden}/moves", {"type": "resign"}))
    ruled = server.open(["wes", "xia"], options={"win": 7})
    ruled.play(lambda view: view["status"] == "finished")
    created(open_dispute(ruled, 0, hand=ruled.public["last_hand"]["hand"]))
    changes = [-30, 30] if ruled.public["result"]["winners"] == [0] else [30, -30]
    created(give_ruling(ruled, "rhea", "adjust", changes=changes))


def play_hands(server: GameServer, names: list[str], variant: str, options: dict[str, Any]) -> ServedGame:
    """Play until `HANDS` hands are scored (one that is thrown in isn't), and let everybody but one resign."""
    game = server.open(names, variant, options=options)
    while scored_hands(game) < HANDS:
        game.play_hand()
    game.finish()
    return game


def scored_hands(game: ServedGame) -> int:
    game.server.follow()
    return len(game.server.nobody.get(f"{game.path}/scoreboard").get_json()["hands"])


def off_suit(server: GameServer) -> ServedGame:
    """Return a game in whose first hand bob once didn't follow suit."""
    while True:
        game = server.open(["ann", "bob", BOT], options={"win": 21})
        game.play_hand()
        if any(card["seat"] == 1 for card in revokes(game)):
            return game


def revokes(game: ServedGame) -> list[dict[str, Any]]:
    """Return the cards of the first hand that weren't of the suit led."""
    found: list[dict[str, Any]] = game.seats[0].get(f"{game.path}/revokes?hand=1").get_json()["cards"]
    return found


def person_of(server: GameServer, name: str) -> Person:
    """Register somebody whom everybody may seat without a question."""
    caller = server[name]
    assert caller.ask("PUT", "/me/seating", {"at_once": True}).status_code == 200
    return Person("", name, caller.get("/me").get_json()["id"], str(caller.token))


def room_of(game: ServedGame, people: dict[str, Person]) -> Room:
    view = game.public
    seats = [sitting["player"] for sitting in view["seats"]]
    return Room([each for each in people.values() if each.id in seats], game.id, view["board"], seats)
