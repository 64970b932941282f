"""A node whose caches are full soon, and which leaks on request: `... soak.node_program serve`.

A node keeps up to 1,000 games in memory. With fewer, these caches are full after the warm-up and don't look like a
leak: `SOAK_CACHED_GAMES` says how many. With `SOAK_LEAK_BYTES`, each request leaves that many bytes behind, as a
control.
"""

import os
from typing import cast

from flask import Flask

from api.app import create_app
from api.config import Config
from api.server import processes
from domain.store import Games
from projections.views.cache import ViewCache
from tests.campaigns.two_nodes.node_program import run

CACHED_GAMES = "SOAK_CACHED_GAMES"
LEAK_BYTES = "SOAK_LEAK_BYTES"
KEPT: list[bytearray] = []


def keep_few_games(number: int) -> None:
    """Let each cache hold that many games."""
    cast("dict[str, int]", Games.__init__.__kwdefaults__)["cache"] = number
    ViewCache.__init__.__defaults__ = (number,)


def leak(size: int) -> None:
    """Let each request leave `size` bytes behind."""

    def create_leaking_app(config: Config) -> Flask:
        app = create_app(config)
        app.before_request(lambda: KEPT.append(bytearray(size)))
        return app

    vars(processes)["create_app"] = create_leaking_app


if __name__ == "__main__":
    keep_few_games(int(os.environ.get(CACHED_GAMES, "20")))
    if size := int(os.environ.get(LEAK_BYTES, "0")):
        leak(size)
    run()
