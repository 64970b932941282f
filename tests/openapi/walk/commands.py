"""Command lines."""

from tests.openapi.walk.recorder import want
from tests.openapi.walk.scene import Scene


def walk(scene: Scene) -> None:
    """Send the requests."""
    board = want(200, scene.stranger.get(f"/games/{scene.running}"))["board"]
    line = {"line": f"pitch show {board}"}
    want(200, scene["ann"].post("/commands", line))
    want(200, scene["ann"].post("/commands", line, Accept="text/plain"))
    want(406, scene["ann"].post("/commands", line, Accept="image/png"))
