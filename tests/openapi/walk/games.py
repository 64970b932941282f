"""Games: opening, the lobby, views, command lines and moves."""

from typing import Any

from api.play.services.positions import write_position
from domain.store.log import LogPosition
from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import PITCH, Scene

NOWHERE = LogPosition(0, 2**62, "0" * 8)
PLAYER = "/players/ann"
LISTS = (
    "/games?limit=50",
    "/games/{game}/scoreboard?",
    "/standings?variant=pitch",
    f"{PLAYER}/standings?period=all",
    f"{PLAYER}/history?limit=50",
    f"{PLAYER}/against/bob?",
    "/ratings?variant=pitch&kind=two",
    "/ratings/changes?variant=pitch",
    f"{PLAYER}/ratings?limit=50",
)


def walk(scene: Scene) -> None:
    """Send the requests."""
    want(200, scene.stranger.get("/variants"))
    _open(scene)
    _rematch(scene)
    _views(scene)
    _lists(scene)
    _command_lines(scene)
    _moves(scene)


def _open(scene: Scene) -> None:
    ann, body = scene["ann"], PITCH | {"seats": ["ann", "bot:simple"]}
    want(409, ann.post("/games", body | {"seats": ["ann", "nobody"]}))
    want(201, ann.post("/games", body, Idempotency_Key="opening-1"))
    want(422, ann.post("/games", body | {"reveal": "game"}, Idempotency_Key="opening-1"))


def _rematch(scene: Scene) -> None:
    ann, path = scene["ann"], "/games/{}/rematch"
    want(409, ann.post(path.format(scene.running), {}))
    want(403, scene["cat"].post(path.format(scene.played), {}))
    want(403, scene["cat"].post("/games", {"rematch_of": scene.played}))
    want(404, ann.post("/games", {"rematch_of": "999"}))
    want(201, ann.post(path.format(scene.played), {}, Idempotency_Key="again-1"))
    want(422, ann.post(path.format(scene.played), {"expires_s": 3600}, Idempotency_Key="again-1"))


def _views(scene: Scene) -> None:
    for path in (f"/games/{scene.running}", f"/games/{scene.running}/seats/0"):
        seen = scene["ann"].get(path)
        want(200, seen)
        want(304, scene["ann"].get(path, If_None_Match=seen.headers["ETag"]))
    want(200, scene["ann"].get(f"/games/{scene.running}/presence"))
    want(403, scene["cat"].get(f"/games/{scene.running}/presence"))


def _lists(scene: Scene) -> None:
    secret = scene.services.secret
    scene.follow()
    for path in (each.format(game=scene.running) for each in LISTS):
        want(200, scene.stranger.get(path))
        want(409, scene.stranger.get(f"{path}&wait={write_position(secret, [NOWHERE])}"))
    want(200, scene.stranger.get("/games?status=forming"))
    for path in (
        "/players/nobody/standings",
        "/players/nobody/history",
        "/players/nobody/against/ann",
        "/players/nobody/ratings",
    ):
        want(404, scene.stranger.get(path))


def _command_lines(scene: Scene) -> None:
    board = want(200, scene.stranger.get(f"/games/{scene.running}"))["board"]
    line = {"line": f"pitch show {board}"}
    want(200, scene["ann"].post("/commands", line))
    want(200, scene["ann"].post("/commands", line, Accept="text/plain"))
    want(406, scene["ann"].post("/commands", line, Accept="image/png"))


def _moves(scene: Scene) -> None:
    game = scene.running
    [seat] = want(200, scene.stranger.get(f"/games/{game}"))["turn"]["seats"]
    mover = scene[("ann", "bob")[seat]]
    legal: list[Any] = want(200, mover.get(f"/games/{game}/seats/{seat}"))["you"]["legal"]
    want(409, mover.post(f"/games/{game}/moves", {"type": "bid", "bid": 99}))
    want(403, scene["cat"].post(f"/games/{game}/moves", legal[0]))
    moved = mover.post(f"/games/{game}/moves", legal[-1], Idempotency_Key="move-1")
    want(201, moved)
    want(422, mover.post(f"/games/{game}/moves", {"type": "resign"}, Idempotency_Key="move-1"))
    for path in (each.format(game=game) for each in LISTS):
        want(503, scene.stranger.get(f"{path}&wait={moved.headers['Trickbook-Position']}"))
    scene.follow()
