"""Pages for people, their files, and the sessions of browsers."""

from dataclasses import replace

from werkzeug.test import TestResponse

from api.pages.static_files import address_of
from tests.api.conftest import PASSWORD, Caller
from tests.openapi.walk.people import OTHER, WRONG
from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import Scene, recorder_of

PAGES = (
    "/new", "/house-rules", "/first-hand", "/join", "/me", "/sign-in", "/sign-up", "/recover", "/app", "/offline",
    "/contact", "/privacy",
    "/mail/unsubscribe/x", "/players/ann", "/games/1", "/games/1/replay", "/games/1/score", "/games/1/audit",
    "/games/1/disputes", "/games/1/text", "/disputes", "/standings", "/embed/games/1/hands/1",
    "/rules", "/rules/pitch", "/",
)  # fmt: skip
FILES = ("/manifest.webmanifest", "/worker.js", address_of("base/base.css"))
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}


def walk(scene: Scene) -> None:
    """Send the requests."""
    browser = recorder_of(scene.app, scene.samples)
    for path in PAGES:
        page = browser.get(path, headers={"Accept": "text/html"})
        want(200, page)
        again = {"Accept": "text/html", "If-None-Match": page.headers["ETag"]}
        want(304, browser.get(path, headers=again))
    for path in FILES:
        want(200, browser.get(path))
    for path in ("/rules/nothing", "/static/0123456789ab/base/nothing.js", "/embed/games/1/hands/0"):
        want(404, browser.get(path))
    _sessions(scene)


def _sessions(scene: Scene) -> None:
    browser = recorder_of(scene.app, scene.samples)
    sue = scene.stranger.join("sue")
    named = {"name": "sue", "password": PASSWORD}
    [code, *_] = want(201, sue.post("/me/recovery-codes", {"password": PASSWORD}))["recovery_codes"]
    recovery = {"name": "sue", "code": code, "new_password": PASSWORD}

    def post(path: str, body: object, **more: str) -> TestResponse:
        return browser.post(path, json=body, headers=OWN_PAGE, **more)

    want(200, browser.get("/session"))
    want(403, browser.post("/session", json=named))
    want(401, post("/session", named | {"password": WRONG}))
    want(201, post("/session", named))
    want(201, post("/session/guest", {}))
    want(401, post("/session/recovery", recovery | {"code": "abcd-efgh-jkmn-pqrs"}))
    want(201, post("/session/recovery", recovery))
    for path, body in (("guest", {}), ("recovery", recovery), ("restore", named)):
        want(403, post(f"/session/{path}", body, base_url="http://cards.example.org"))
    want(202, _signed_in(scene, named).ask("DELETE", "/me", {"password": PASSWORD}))
    want(401, post("/session/restore", named | {"password": OTHER}))
    want(201, post("/session/restore", named))
    want(204, browser.delete("/session", headers=OWN_PAGE))


def _signed_in(scene: Scene, named: dict[str, str]) -> Caller:
    return replace(scene.stranger, token=want(201, scene.stranger.post("/tokens", named))["token"])
