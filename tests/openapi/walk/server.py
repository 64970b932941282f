"""The server itself: links, health, problems, this description, and its pages."""

from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import Scene

PLAIN = ("/", "/health/live", "/health/ready", "/metrics", "/problems/must-follow")
FILES = ("/verify", "/static/verify.js", "/openapi.json", "/openapi-3.1.json", "/docs", "/docs/docs.js")
MISSING = ("/static/nothing.js", "/docs/nothing.js", "/problems/nothing")


def walk(scene: Scene) -> None:
    """Send the requests."""
    for path in PLAIN:
        want(200, scene.stranger.get(path))
    for path in FILES:
        answer = scene.stranger.get(path)
        want(200, answer)
        want(304, scene.stranger.get(path, If_None_Match=answer.headers["ETag"]))
    for path in MISSING:
        want(404, scene.stranger.get(path))
    far = {"REMOTE_ADDR": "203.0.113.9"}
    want(403, scene.stranger.client.get("/metrics", environ_overrides=far))
