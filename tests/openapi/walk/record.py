"""Takes the walk, and returns a sample of each response."""

from pathlib import Path

from tests.openapi.walk import (
    conduct,
    disputes,
    games,
    log,
    pages,
    people,
    questions,
    refusals,
    server,
    tables,
)
from tests.openapi.walk.recorder import Key, Sample
from tests.openapi.walk.scene import open_scene
from tests.plugins.chance import seeded_randomness

PARTS = (people, games, tables, log, questions, disputes, conduct, pages, server, refusals)


def record(data: Path) -> dict[Key, Sample]:
    """Send all requests to a new server, and return the first response of each kind."""
    with seeded_randomness("the walk"), open_scene(data) as scene:
        for part in PARTS:
            part.walk(scene)
        return scene.samples
