"""Non-interference of chats: who may not read a message can't tell whether it was written."""

import re
from typing import Any

from flask import Flask

from tests.conduct.conftest import Court, open_court

FOUR = {"variant": "setback", "seats": ["ann", "bob", "cat", "dan"], "fairness": {"cuts": "open", "window_s": 600}}
IDS = re.compile(r"m_[0-9a-f]{24}|p_[0-9a-f]{24}|2[0-9]{3}-[0-9T:.-]*Z")
MESSAGES: tuple[tuple[str, str, str], ...] = (
    ("ann", "table", "to all"), ("ann", "partner", "to cat"), ("eve", "watchers", "to watchers"),
    ("bob", "partner", "to dan"), ("dan", "table", "from dan"), ("fay", "watchers", "from fay"),
)  # fmt: skip
"""Author, channel and text."""
READERS = {
    "ann": {"to all", "to cat", "from dan"},
    "bob": {"to all", "to dan", "from dan"},
    "cat": {"to all", "to cat", "from dan"},
    "dan": {"to all", "to dan", "from dan"},
    "eve": {"to all", "to watchers", "from dan", "from fay"},
    "mateo": {"to all", "to watchers", "from dan", "from fay"},
}
QUERIES = ("", "?limit=1", "?limit=2", "?limit=500")


def tables(app: Flask) -> Court:
    """Return a court whose table waits for cuts, so that every channel is open."""
    return open_court(app, **FOUR)


def shown(court: Court, name: str) -> list[tuple[int, str, dict[str, str]]]:
    """Return all that somebody gets from the chat, with ids and times left out, and the headers."""
    answers = [court[name].get(court.chat + query) for query in QUERIES]
    answers.append(court[name].get(court.chat + "?after=m_" + "0" * 24))
    return [(answer.status_code, IDS.sub("*", answer.text), headers(answer)) for answer in answers]


def headers(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name != "X-Request-Id"}


def test_a_reader_gets_the_same_bytes_whether_the_others_have_written_or_not(app: Flask) -> None:
    court = tables(app)
    for author, channel, text in MESSAGES:
        court.wrote(author, text, to=channel)
    for reader, texts in READERS.items():
        other = Court(court.app, court.people, opened(court))
        for author, channel, text in MESSAGES:
            if text in texts:
                other.wrote(author, text, to=channel)
        assert set(court.texts(reader)) == texts
        assert shown(court, reader) == shown(other, reader)


def opened(court: Court) -> str:
    """Return another game of the same players."""
    return str(court["ann"].post("/games", FOUR).get_json()["id"])


def test_a_block_changes_no_answer_to_the_blocked_player(app: Flask) -> None:
    court = tables(app)
    other = Court(court.app, court.people, opened(court))
    before = [IDS.sub("*", other.write("bob", text).text) for text in ("one", "two")]
    court["ann"].ask("PUT", "/me/blocks/bob")
    assert [IDS.sub("*", court.write("bob", text).text) for text in ("one", "two")] == before
    assert shown(court, "bob") == shown(other, "bob")
