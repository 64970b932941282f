"""Tables that form, invitations, and seats that change hands."""

from api.tables.stored.rulebooks import RulebookStatus
from replay.rulebook_check import GAMES
from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import Scene


def walk(scene: Scene) -> None:
    """Send the requests."""
    _form(scene)
    _invite(scene)
    _cancel(scene)
    _seating(scene)
    _hand_over(scene)
    _take_back(scene)
    _rulebooks(scene)


def _form(scene: Scene) -> None:
    ann, bob, cat = (scene[name] for name in ("ann", "bob", "cat"))
    path = f"/games/{scene.open('ann', 'open', 'open')}"
    want(200, ann.get(path))
    want(409, cat.delete(f"{path}/seats/current"))
    want(412, bob.post(f"{path}/seats", {}, If_Match='"0.99"'))
    want(201, bob.post(f"{path}/seats", {}))
    want(409, cat.post(f"{path}/seats", {"seat": 1}))
    want(204, bob.delete(f"{path}/seats/current"))
    want(403, bob.post(f"{path}/start", {}))
    want(409, ann.post(f"{path}/start", {}))
    want(412, ann.post(f"{path}/start", {"bots": "bot:simple"}, If_Match='"0.99"'))
    want(201, ann.post(f"{path}/start", {"bots": "bot:simple"}))
    want(200, bob.get("/me/questions"))


def _invite(scene: Scene) -> None:
    ann, bob = scene["ann"], scene["bob"]
    path = f"/games/{scene.open('ann', 'open', 'invite')}/invitations"
    want(403, bob.post(path, {}))
    want(403, bob.get(path))
    made = want(201, ann.post(path, {"uses": 1}))
    want(200, scene.stranger.get(f"/invitations/{made['token']}"))
    want(404, scene.stranger.get("/invitations/unknown"))
    want(200, ann.get(path))
    want(403, bob.delete(f"{path}/{made['id']}"))
    want(404, ann.delete(f"{path}/i_0123456789abcdef"))
    want(204, ann.delete(f"{path}/{made['id']}"))


def _cancel(scene: Scene) -> None:
    ann, path = scene["ann"], f"/games/{scene.open('ann', 'open')}"
    want(403, scene["bob"].delete(path))
    want(204, ann.delete(path))
    want(409, ann.delete(path))
    want(409, ann.post(f"{path}/invitations", {}))


def _seating(scene: Scene) -> None:
    ann = scene["ann"]
    want(409, ann.ask("PUT", "/me/seating", {"at_once": False, "friends": ["nobody"]}))
    want(200, ann.ask("PUT", "/me/seating", {"at_once": True, "friends": ["bob"]}))
    want(200, ann.get("/me/seating"))


def _hand_over(scene: Scene) -> None:
    ann, bob, cat, dan = (scene[name] for name in ("ann", "bob", "cat", "dan"))
    path = f"/games/{scene.open('ann', 'bob', 'bot:simple')}/handovers"
    want(409, ann.post(path, {"to": "nobody"}))
    want(403, dan.post(path, {"to": "cat"}))
    for answer, status in (("withdraw", 204), ("decline", 204), ("accept", 204)):
        offer = f"{path}/{want(201, ann.post(path, {'to': 'cat'}))['id']}"
        want(200, cat.get(path))
        want(200, cat.get("/me/handovers"))
        want(409, cat.delete(offer))
        want(409, ann.post(f"{offer}/decline", {}))
        want(409, ann.post(f"{offer}/accept", {}))
        want(status, ann.delete(offer) if answer == "withdraw" else cat.post(f"{offer}/{answer}", {}))
    want(404, cat.post(f"{path}/537cbd82a1f04c55/accept", {}))
    want(201, bob.post(path.replace("/handovers", "/moves"), {"type": "answer_handover", "accept": False}))
    scene.follow()


def _take_back(scene: Scene) -> None:
    ann, bob = scene["ann"], scene["bob"]
    path = f"/games/{scene.open('ann', 'bob', 'bot:simple')}/handovers"
    want(201, ann.post(path, {"to": "bot:simple"}, Idempotency_Key="lend-1"))
    want(422, ann.post(path, {"to": "bot:random"}, Idempotency_Key="lend-1"))
    want(403, scene["cat"].post(f"{path}/return", {}))
    want(409, bob.post(f"{path}/return", {}))
    want(201, bob.post(path.replace("/handovers", "/moves"), {"type": "answer_handover", "accept": True}))
    want(412, ann.post(f"{path}/return", {}, If_Match='"1"'))
    want(201, ann.post(f"{path}/return", {}, Idempotency_Key="back-1"))
    want(422, ann.post(f"{path}/return", {}, Idempotency_Key="lend-1"))


def _rulebooks(scene: Scene) -> None:
    ann, books = scene["ann"], scene.services.accounts.rulebooks
    ours = want(202, ann.post("/rulebooks", {"name": "Ours", "from": "setback", "rules": {"goal": 21}}))["rulebook"]
    want(400, ann.post("/rulebooks", {"name": "Ours", "from": "setback", "rules": {"goal": "21"}}))
    want(409, ann.post("/games", {"rulebook": ours, "seats": ["ann", "bob", "cat"]}))
    books.finish(ours, RulebookStatus.GREEN, GAMES, None, None)
    want(200, scene.stranger.get("/rulebooks"))
    want(200, scene.stranger.get("/rulebooks/choices"))
    want(200, scene.stranger.get(f"/rulebooks/{ours}"))
    want(404, scene.stranger.get(f"/rulebooks/{ours}/game"))
    want(404, scene.stranger.get(f"/rulebooks/{'0' * 64}"))
    want(406, scene.stranger.get(f"/rulebooks/{ours}", Accept="text/csv"))
    want(200, ann.get("/me/rulebooks"))
    want(201, ann.post("/games", {"rulebook": ours[:12], "seats": ["ann", "open", "open"]}))
    history = "".join(line + "\n" for line in ann.get(f"/games/{scene.played}/export").text.splitlines())
    books.finish(ours, RulebookStatus.REFUSED, 3, "Seat 0 is to move, and has no legal move.", history)
    want(200, scene.stranger.get(f"/rulebooks/{ours}/game"))
    want(403, scene["bob"].delete(f"/rulebooks/{ours}"))
    want(404, ann.delete(f"/rulebooks/{'0' * 64}"))
    want(204, ann.delete(f"/rulebooks/{ours}"))
