"""Random requests to every route, as the description says: no response that it doesn't have. Big: `make contract`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.http.openapi.operations import TAGS
from tests.openapi.random_requests import operations_of, send_requests, tags_of
from tests.openapi.random_streams import open_streaming, read_streams
from tests.openapi.world import World, open_world

EXAMPLES = 2


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("world")) as opened:
        yield opened


@pytest.fixture(scope="module")
def operations(world: World) -> dict[str, Any]:
    return operations_of(world)


@pytest.mark.parametrize("tag", TAGS)
def test_random_requests_get_responses_that_are_described(
    world: World, operations: dict[str, Any], tag: str
) -> None:
    for name in [name for each, name in tags_of(operations) if each == tag]:
        send_requests(world, operations[name], EXAMPLES)


def test_random_requests_for_streams_get_frames_that_are_described(tmp_path: Path) -> None:
    with open_streaming(tmp_path) as server:
        assert read_streams(server, examples=8)["200"] > 0
