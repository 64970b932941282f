"""Events, exports, receipts, proofs, the inbox and webhooks."""

from werkzeug.test import TestResponse

from api.play.services.event_stream import ENVIRON_KEY, WAITED_KEY
from api.web.responses import EVENT_STREAM, NDJSON, TEXT
from domain.protocols.signed_notes import parse_note
from tests.api.conftest import Caller
from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import Scene
from tests.replay.signing import WITNESS

HOOK = {"url": "https://bot.cards.net/inbox", "kinds": ["turn"]}


def walk(scene: Scene) -> None:
    """Send the requests."""
    _events(scene)
    _receipts(scene)
    _inbox(scene)


def _stream(caller: Caller, path: str) -> TestResponse:
    """Ask for a stream as a server would that sends streams."""
    headers = {"Accept": EVENT_STREAM, "Authorization": f"Bearer {caller.token}"}
    able = {ENVIRON_KEY: None, WAITED_KEY: False}
    return caller.client.get(f"/api/v1{path}", headers=headers, environ_overrides=able)


def _events(scene: Scene) -> None:
    ann, path = scene["ann"], f"/games/{scene.played}"
    want(200, ann.get(f"{path}/events?limit=3"))
    want(200, ann.get(f"{path}/events?limit=3", Accept=NDJSON))
    want(204, _stream(ann, f"{path}/events?after=3&until=3"))
    want(200, ann.get(f"{path}/export"))
    want(200, ann.get("/exports/games?status=finished"))
    want(406, ann.get("/exports/games", Accept="image/png"))


def _receipts(scene: Scene) -> None:
    ann, path = scene["ann"], f"/games/{scene.played}"
    want(404, ann.get(f"/games/{scene.running}/receipt"))
    size = want(201, ann.post(f"{path}/receipts", {}))["size"]
    want(201, ann.post(f"{path}/receipts", {}, Accept=TEXT))
    want(403, scene["cat"].post(f"{path}/receipts", {}))
    _cosignatures(scene, size)
    for read in ("receipt", "proofs/inclusion?version=7", f"proofs/consistency?first=5&second={size}"):
        want(200, ann.get(f"{path}/{read}"))
        want(200, ann.get(f"{path}/{read}", Accept=TEXT))
    want(200, scene.stranger.get("/.well-known/trickbook/keys"))


def _cosignatures(scene: Scene, size: int) -> None:
    path = f"/games/{scene.played}"
    plain = parse_note(want(200, scene["ann"].get(f"{path}/receipt"))["note"])
    body = {"size": size, "lines": [WITNESS.signature(plain.body).line.rstrip("\n")]}
    want(201, scene.stranger.post(f"{path}/cosignatures", body))
    want(201, scene.stranger.post(f"{path}/cosignatures", body, Accept=TEXT))
    want(400, scene.stranger.post(f"{path}/cosignatures", body | {"lines": ["x"]}))


def _inbox(scene: Scene) -> None:
    ann = scene["ann"]
    scene.follow()
    seen = want(200, ann.get("/me/events?limit=3"))
    want(204, _stream(ann, f"/me/events?after={seen['last']}&until={seen['last']}"))
    want(406, ann.get("/me/events", Accept="image/png"))
    made = want(201, ann.post("/me/webhooks", HOOK))
    want(409, ann.post("/me/webhooks", HOOK))
    want(200, ann.get("/me/webhooks"))
    want(202, ann.post(f"/me/webhooks/{made['id']}/test", {}))
    want(204, ann.delete(f"/me/webhooks/{made['id']}"))
    want(404, ann.post(f"/me/webhooks/{made['id']}/test", {}))
    want(404, ann.delete(f"/me/webhooks/{made['id']}"))
