"""The frames of event streams of a real server fit the description."""

import json
from pathlib import Path

from api.config import Config
from tests.api.http.described_client import item_errors
from tests.api.remote_server import RemoteCaller
from tests.api.stream_client import EVENT_STREAM, open_stream
from tests.api.thread_server import serve_in_thread

EVENTS, ITEM = "/api/v1/games/{game}/events", "application/x-ndjson"


def test_each_frame_of_a_stream_fits_its_schema_and_its_data_that_of_an_item(tmp_path: Path) -> None:
    with serve_in_thread(Config(data=tmp_path, hashing="cheapest", seating="at-once")) as server:
        app = server.here.app
        guest = RemoteCaller(server.url).post("/guests", {}).get_json()
        ann = RemoteCaller(server.url, guest["token"])
        game = ann.post("/games", {"variant": "pitch", "seats": [guest["name"], "bot:simple"]}).get_json()["id"]
        with open_stream(ann, game, "?until=7") as stream:
            lines = stream.read()
            retry = int(stream.comments[0].partition(":")[2])
    items = [json.loads(line) for line in lines]
    assert [item["version"] for item in items] == [1, 2, 3, 4, 5, 6, 7]
    for line, item in zip(lines, items, strict=True):
        frame = {"id": str(item["version"]), "data": line.decode()}
        assert item_errors(app, EVENTS, EVENT_STREAM, frame) == []
        assert item_errors(app, EVENTS, ITEM, item) == []
    assert item_errors(app, EVENTS, EVENT_STREAM, {"retry": retry}) == []
    assert item_errors(app, EVENTS, EVENT_STREAM, {"id": "seven"})
    assert item_errors(app, EVENTS, ITEM, items[0] | {"leaf": "?"})
