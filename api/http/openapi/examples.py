"""Examples of responses, which `make examples` recorded from a server."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from api.http.responses import JSON

JsonObject = dict[str, Any]
FILE = Path(__file__).with_name("examples.json")


@lru_cache(maxsize=1)
def recorded_examples() -> dict[str, JsonObject]:
    """Return the examples by endpoint, and then by status and content type: JSON values, or texts."""
    found: dict[str, JsonObject] = json.loads(FILE.read_bytes())
    return found


def example_of(endpoint: str, status: int, media: str, *, newest: bool) -> JsonObject:
    """Return the fields of a content object for its example; none for a file."""
    example = recorded_examples().get(endpoint, {}).get(f"{status} {media}")
    if example is None:
        return {}
    if media == JSON:
        return {"example": example}
    return {"examples": {"recorded": {"serializedValue" if newest else "value": example}}}
