"""Audits, replays, questions, branches and hands."""

from api.web.responses import TEXT
from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import Scene

OF_A_GAME = (
    "audit", "legal?at=14", "revokes", "draws", "score", "clock", "sight", "commits?from=9&to=14",
    "compare?size=9&root=" + "0" * 64, "hands/1/audit", "hands/1/deal", "hands/1/choices",
)  # fmt: skip
"""The questions that are answered as JSON or as text."""
AS_JSON = ("replay?at=14", "hands/1", "hands/1/replay")
BRANCH = {"moves": [], "bots": "simple", "hands": 1, "seat": None}


def walk(scene: Scene) -> None:
    """Send the requests."""
    ann, path = scene["ann"], f"/games/{scene.played}"
    for read in OF_A_GAME:
        want(200, ann.get(f"{path}/{read}"))
        want(200, ann.get(f"{path}/{read}", Accept=TEXT))
    for read in AS_JSON:
        want(200, ann.get(f"{path}/{read}"))
    want(200, ann.get(f"{path}/hands/1/transcript"))
    _hint(scene)
    want(409, ann.get(f"/games/{scene.running}/hands/1/choices"))
    seat = next(each["seat"] for each in ann.get(path).get_json()["seats"] if each["player"] == scene.id_of("ann"))
    want(200, ann.get(f"{path}/hands/1/choices?seat={seat}"))
    want(404, ann.get(f"{path}/hands/1/choices?seat={1 - seat}"))
    at = want(200, ann.get(f"{path}/commits?from=9&to=20"))["commits"][0]["last"]
    want(200, ann.post(f"{path}/branches", BRANCH | {"at": at}))
    want(409, ann.post(f"{path}/branches", BRANCH | {"at": at, "moves": [{"type": "bid", "bid": 99}]}))


def _hint(scene: Scene) -> None:
    """Ask for a hint at a table of practice, and at another one."""
    ann, game = scene["ann"], scene.open("ann", "bot:simple", undo="practice")
    want(200, ann.get(f"/games/{game}/hint"))
    want(409, ann.get(f"/games/{scene.running}/hint"))
    want(403, scene["cat"].get(f"/games/{game}/hint"))
