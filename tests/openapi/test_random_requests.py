"""Random requests to every route, as the description says: no response that it doesn't have. Big: `make contract`."""

from collections.abc import Iterator
from typing import Any

import pytest

from api.description.document import TAGS
from tests.openapi.random_requests import operations_of, send_requests
from tests.openapi.world import World, open_world

SLOW = (pytest.mark.slow, pytest.mark.timeout(3600))
CASES = [(2, "tables"), (2, "questions"), *(pytest.param(100, tag, marks=SLOW) for tag in TAGS)]
"""Random requests for each operation of a tag; `test_statuses.py` sends chosen ones to every route."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("world")) as opened:
        yield opened


@pytest.fixture(scope="module")
def operations(world: World) -> dict[str, Any]:
    return operations_of(world)


@pytest.mark.parametrize(("examples", "tag"), CASES)
def test_random_requests_get_responses_that_are_described(
    world: World, operations: dict[str, Any], examples: int, tag: str
) -> None:
    for operation in operations.values():
        if operation.definition.raw["tags"] == [tag]:
            send_requests(world, operation, examples)
