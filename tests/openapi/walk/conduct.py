"""Blocks, chat, reports and moderation."""

from tests.api.conftest import Caller
from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import Scene, moderator

LATER = "2035-01-01T00:00:00Z"


def walk(scene: Scene) -> None:
    """Send the requests."""
    _blocks(scene)
    _chat(scene)
    _messages(scene)
    _judge(scene)


def _blocks(scene: Scene) -> None:
    ann = scene["ann"]
    want(404, ann.ask("PUT", "/me/blocks/nobody"))
    want(409, ann.ask("PUT", "/me/blocks/ann"))
    want(204, ann.ask("PUT", "/me/blocks/dan"))
    want(200, ann.get("/me/blocks"))
    want(204, ann.delete("/me/blocks/dan"))


def _chat(scene: Scene) -> None:
    ann, path = scene["ann"], f"/games/{scene.played}/chat"
    message = want(201, ann.post(path, {"text": "Well played."}, Idempotency_Key="chat-1"))["id"]
    want(422, ann.post(path, {"text": "Well played!"}, Idempotency_Key="chat-1"))
    want(200, ann.get(path))
    want(403, scene["cat"].post(path, {"text": "Hello.", "to": "table"}))
    want(403, scene["bob"].delete(f"{path}/{message}"))
    want(204, ann.delete(f"{path}/{message}"))
    quiet = scene.open("ann", "bob", chat="between-hands")
    want(409, ann.post(f"/games/{quiet}/chat", {"text": "Hello."}))
    scene.follow()


def _messages(scene: Scene) -> None:
    ann, moira = scene["ann"], moderator(scene, "moira")
    body = {"to": ["bob"], "text": "A game tonight?"}
    want(201, ann.post("/messages", body, Idempotency_Key="message-1"))
    want(422, ann.post("/messages", body | {"text": "Now?"}, Idempotency_Key="message-1"))
    want(404, ann.post("/messages", body | {"to": ["nobody"]}))
    want(409, ann.post("/messages", body | {"to": ["ann"]}))
    hello = {"text": "The server moves on Sunday."}
    want(201, moira.post("/broadcasts", hello, Idempotency_Key="broadcast-1"))
    want(422, moira.post("/broadcasts", {"text": "It stays."}, Idempotency_Key="broadcast-1"))
    want(403, ann.post("/broadcasts", hello))
    want(200, ann.get("/messages"))
    scene.follow()


def _report(caller: Caller, about: str) -> str:
    return str(want(201, caller.post("/reports", {"about": about, "kind": "abuse", "text": "Insults."}))["report"])


def _judge(scene: Scene) -> None:
    ann, bob, moira, mateo = scene["ann"], scene["bob"], moderator(scene, "moira"), moderator(scene, "mateo")
    report = _report(ann, "bob")
    want(409, ann.post("/reports", {"about": "bob", "kind": "abuse", "text": "Again."}))
    want(404, ann.post("/reports", {"about": "nobody", "kind": "abuse", "text": "Insults."}))
    want(200, ann.get("/me/reports"))
    path = f"/moderation/reports/{report}"
    want(200, moira.get("/moderation/reports"))
    ruling = {"step": "mute", "until": LATER, "reason": "Insults aren't welcome."}
    want(409, moira.post(f"{path}/ruling", ruling))
    want(200, moira.post(f"{path}/claim", {}))
    want(409, mateo.post(f"{path}/claim", {}))
    step = want(201, moira.post(f"{path}/ruling", ruling))["step"]
    want(403, bob.post(f"/games/{scene.played}/chat", {"text": "Hello."}))
    want(403, bob.post("/messages", {"to": ["ann"], "text": "Hello."}))
    want(200, bob.get("/me/standing"))
    appeal = {"step": step, "text": "It was somebody else."}
    want(404, ann.post("/me/appeals", appeal))
    want(201, bob.post("/me/appeals", appeal))
    want(409, bob.post("/me/appeals", appeal))
    want(200, mateo.get("/moderation/appeals"))
    decision = {"decision": "reversed", "reason": "It was somebody else."}
    want(404, moira.post(f"/moderation/appeals/{step}/decision", decision))
    want(403, ann.post(f"/moderation/appeals/{step}/decision", decision))
    want(201, mateo.post(f"/moderation/appeals/{step}/decision", decision))
    want(409, mateo.post(f"/moderation/appeals/{step}/decision", decision))
    _not_theirs(scene, moira)
    want(200, scene.stranger.get("/moderation/log"))


def _not_theirs(scene: Scene, moira: Caller) -> None:
    """A report about a moderator isn't theirs to judge, and a player judges none."""
    ruling = {"step": "none", "reason": "Nothing happened."}
    path = f"/moderation/reports/{_report(scene['ann'], 'moira')}"
    for caller, status in ((moira, 404), (scene["ann"], 403)):
        want(status, caller.post(f"{path}/claim", {}))
        want(status, caller.post(f"{path}/ruling", ruling))
    for queue in ("/moderation/reports", "/moderation/appeals"):
        want(403, scene["ann"].get(queue))
