"""The threads that follow a table."""

import threading

from api.cli.terminal.followers import TableFollower
from api.cli.terminal.model import Message, TerminalNote

PATIENCE_S = 60
WAITS = {
    "id": "0f8fad5b-d9cb-469f-a165-70867728950e",
    "you": {"seat": 0, "may": ["cut"]},
    "ceremony": {"n": 4, "commit": "9b" * 32, "seals": {}},
}
"""The part of a view in which a deal waits for a cut."""


def test_a_cut_that_is_not_answered_is_said_once() -> None:
    told = list[Message]()
    follower = TableFollower("http://127.0.0.1:9", None, 1, told.append)
    for _ in range(2):
        follower._cut(WAITS)
    (note,) = told
    assert isinstance(note, TerminalNote)
    assert note.text.startswith("Your cut for deal 4 wasn't taken: ")
    assert "can choose among decks" in note.text


def test_a_follower_that_has_stopped_says_nothing_more() -> None:
    """A message that it was about to say must not arrive after the switch to another table."""
    said, goes_on, stops = threading.Event(), threading.Event(), threading.Event()
    order = list[str]()

    def tell(_message: Message) -> None:
        said.set()
        assert goes_on.wait(PATIENCE_S)
        order.append("said")

    follower = TableFollower("http://127.0.0.1:9", None, 1, tell)
    saying = threading.Thread(target=follower._say, args=(TerminalNote("news"),))
    saying.start()
    assert said.wait(PATIENCE_S)

    def stop() -> None:
        stops.set()
        follower.stop()
        order.append("stopped")

    stopping = threading.Thread(target=stop)
    stopping.start()
    assert stops.wait(PATIENCE_S)
    goes_on.set()
    saying.join()
    stopping.join()
    follower._say(TerminalNote("more"))
    assert order == ["said", "stopped"]
