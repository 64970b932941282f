"""A browser's session at a real server: its other processes know it, and streams end with it."""

from threading import Thread

import httpx

from tests.api.conftest import PASSWORD
from tests.api.server_process import ServerProcess

LIZ = {"name": "liz-of-a-browser", "password": PASSWORD}
PATIENCE_S = 60.0


def test_a_session_counts_in_every_process_and_its_stream_ends_with_it(shared_server: ServerProcess) -> None:
    own_page = {"Sec-Fetch-Site": "same-origin"}
    with httpx.Client(base_url=shared_server.url, headers=own_page, timeout=PATIENCE_S) as browser:
        assert browser.post("/api/v1/users", json=LIZ).status_code == 201
        assert browser.post("/session", json=LIZ).status_code == 201
        table = {"variant": "pitch", "seats": [LIZ["name"], "bot:simple"]}
        game = browser.post("/api/v1/games", json=table).json()["id"]
        assert browser.get("/api/v1/me/export").json()["user"][0]["name"] == LIZ["name"]  # another process answers
        events = [f"/api/v1/games/{game}/events", "/api/v1/me/events"]
        cards = browser.get(events[0], params={"after": 4, "until": 5}).json()["items"][0]["event"]["data"]["cards"]
        assert len(cards) == 6
        with browser.stream("GET", events[1], headers={"Accept": "text/event-stream"}) as stream:
            lines = stream.iter_lines()
            assert next(lines).startswith("retry: ")
            ends = Thread(target=lambda: browser.delete("/session"))
            ends.start()
            assert sum(1 for _ in lines) > 0  # the stream ends, so this does
            ends.join()
        assert browser.get("/session").json()["player"] is None
