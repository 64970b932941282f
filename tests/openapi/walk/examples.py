"""Examples for the description, from the responses of the walk."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from api.web.responses import EVENT_STREAM, JSON, NDJSON
from tests.openapi.walk.recorder import Key, Sample
from tests.routes import ROUTES

WITHOUT = ("description.", "verify_page.", "pages.", "rules.", "static_files.")
"""Endpoints whose responses are files."""
LINES = {NDJSON: 3, "text/plain": 60}
"""How many lines an example has at most."""
HTML = "text/html"
SHORT_LINES = {"metrics.scrape": 6}
SHORT_LISTS = ("items", "events")
MOST_ITEMS = 3
Examples = dict[str, dict[str, Any]]


def examples_from(samples: Mapping[Key, Sample]) -> Examples:
    """Return the examples of each endpoint, by status and content type: JSON values, or texts."""
    found: Examples = {}
    for endpoint, key, example in sorted(_examples(samples), key=lambda each: each[:2]):
        found.setdefault(endpoint, {})[key] = example
    return found


def described_contents() -> Iterator[tuple[str, int, str]]:
    """Yield each content type of each response that should have an example."""
    for endpoint, declared in ROUTES.items():
        if not endpoint.startswith(WITHOUT):
            for answer in declared.answers:
                bodies = [content.media for content in answer.contents if content.media != HTML]
                yield from ((endpoint, answer.status, media) for media in bodies)


def _examples(samples: Mapping[Key, Sample]) -> Iterator[tuple[str, str, Any]]:
    for endpoint, status, media in described_contents():
        if media == EVENT_STREAM:
            value = json.loads(samples[endpoint, status, JSON].body)
            items = value["items"][:MOST_ITEMS] if "items" in value else [value]
            yield endpoint, f"{status} {media}", "".join(map(_frame, items))
        else:
            yield endpoint, f"{status} {media}", _example(endpoint, media, samples[endpoint, status, media].body)


def _example(endpoint: str, media: str, body: bytes) -> Any:
    if media == JSON:
        return _shortened(json.loads(body))
    lines = body.decode().splitlines(keepends=True)
    most = SHORT_LINES.get(endpoint, LINES[media])
    return "".join(lines if len(lines) <= most else [*lines[: most - 1], lines[-1]])


def _shortened(value: Any) -> Any:
    """Return a JSON value whose lists of items and events are short."""
    if not isinstance(value, dict):
        return value
    return {
        name: each[:MOST_ITEMS] if name in SHORT_LISTS and isinstance(each, list) else each
        for name, each in value.items()
    }


def _frame(item: Mapping[str, Any]) -> str:
    """Return the frame in which a stream sends an item of a game or of an inbox, or a rulebook."""
    data = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
    at = item["games"] if "rulebook" in item else item.get("version")
    head = f"id: {item['id']}\nevent: {item['kind']}\n" if "kind" in item else f"id: {at}\n"
    return f"{head}data: {data}\n\n"
