"""Disputes, rulings and appeals."""

from typing import Any

from api.people.stored import roles
from api.play.services.positions import write_position
from tests.api.conftest import Caller
from tests.api.disputed_table import give_role
from tests.openapi.walk.games import NOWHERE
from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import Scene

DETAILS = {"accused": {"seat": 1, "trick": 2, "card": "10C"}, "revokes": [20], "draws": []}
OPEN = {"hand": 1, "kind": "score", "text": "The ten was mine.", "details": DETAILS}
RULE = {"decision": "adjust", "changes": [1, -1], "basis": "S34", "standard": "recorded", "text": "So it was."}
DECIDE = {"decision": "upheld", "text": "The log shows it."}


def walk(scene: Scene) -> None:
    """Send the requests: each body twice with one key, the second time changed."""
    ann, bob, cat = (scene[name] for name in ("ann", "bob", "cat"))
    moira, mateo, path = scene["moira"], scene["mateo"], f"/games/{scene.played}/disputes"
    want(403, cat.post(path, OPEN))
    want(409, ann.post(path, OPEN | {"hand": 99}))
    want(400, ann.post(path, OPEN | {"details": {"accused": {"seat": 2}}}))
    opened = _act(ann, path, OPEN)
    scene.follow()
    _queue(scene)
    answer = {"text": "It was mine."}
    want(204, bob.ask("PUT", f"{path}/1/answer", answer))
    want(403, ann.ask("PUT", f"{path}/1/answer", answer))
    want(404, bob.ask("PUT", f"{path}/99/answer", answer))
    want(403, cat.post(f"{path}/1/withdrawal", {}))
    want(404, ann.post(f"{path}/99/withdrawal", {}))
    want(403, bob.post(f"{path}/1/withdrawal", {}))
    _refused(scene, f"{path}/1/ruling", moira, RULE)
    _act(moira, f"{path}/1/ruling", RULE)
    want(409, bob.ask("PUT", f"{path}/1/answer", answer))
    want(403, cat.post(f"{path}/1/appeal", {"text": "No."}))
    want(404, bob.post(f"{path}/99/appeal", {"text": "No."}))
    _act(bob, f"{path}/1/appeal", {"text": "The card was the ten."})
    want(409, bob.post(f"{path}/1/appeal", {"text": "Again."}))
    want(409, moira.post(f"{path}/1/decision", DECIDE))
    want(403, cat.post(f"{path}/1/decision", DECIDE))
    _act(mateo, f"{path}/1/decision", DECIDE)
    scene.follow()
    want(200, moira.get("/disputes?kind=score&clause=S34"))
    want(200, ann.get(path))
    want(200, ann.get(f"{path}/1"))
    want(200, ann.get(f"{path}/1", Accept="text/plain"))
    want(406, ann.get(f"{path}/1", Accept="image/png"))
    want(404, ann.get(f"{path}/99"))
    want(403, ann.delete(f"{path}/1/texts"))
    want(404, moira.delete(f"{path}/99/texts"))
    want(403, moira.delete(f"{path}/1/texts"))
    give_role(scene.app, "dan", roles.MODERATOR)
    want(204, scene["dan"].delete(f"{path}/1/texts"))
    assert opened["dispute"] == 1
    _act(bob, path, OPEN)
    want(412, bob.post(f"{path}/2/withdrawal", {}, If_Match='"1"'))
    want(201, bob.post(f"{path}/2/withdrawal", {}, Idempotency_Key="withdraw"))
    want(422, bob.post(f"{path}/1/withdrawal", {}, Idempotency_Key="withdraw"))
    want(409, bob.post(f"{path}/2/withdrawal", {}))


def _act(caller: Caller, path: str, body: dict[str, Any]) -> Any:
    """Act only after a refusal of an old version; then repeat the key with another body."""
    key = f"dispute-{path}"
    want(412, caller.post(path, body, If_Match='"1"'))
    done = want(201, caller.post(path, body, Idempotency_Key=key))
    want(422, caller.post(path, body | {"text": "Another text."}, Idempotency_Key=key))
    return done


def _refused(scene: Scene, path: str, arbiter: Caller, body: dict[str, Any]) -> None:
    want(403, scene["cat"].post(path, body))
    want(404, arbiter.post(path.replace("/1/", "/99/"), body))
    want(409, arbiter.post(path, body | {"changes": [1]}))


def _queue(scene: Scene) -> None:
    want(200, scene["moira"].get("/disputes"))
    want(403, scene["ann"].get("/disputes"))
    nowhere = write_position(scene.services.secret, [NOWHERE])
    want(409, scene["moira"].get(f"/disputes?wait={nowhere}"))
    move = scene["ann"].post("/games", {"variant": "pitch", "seats": ["ann", "bot:simple"]})
    want(503, scene["moira"].get(f"/disputes?wait={move.headers['Trickbook-Position']}"))
    scene.follow()
