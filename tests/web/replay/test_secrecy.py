"""The replay of a live game shows no card of another seat: not in its nodes, answers, storage or memory."""

from playwright.sync_api import Browser, Page

from tests.web.replay.pages import moment, replay_page, wait_for
from tests.web.table.room import Person, opened
from tests.web.table.secrecy import hidden_cards, search, search_heap

OPEN_SEATS = "each => [...each.options].filter(({ disabled }) => !disabled).map(({ value }) => value)"
MOVES = 4


def test_the_replay_of_a_live_hand_holds_no_hidden_card(browser: Browser, people: list[Person]) -> None:
    room, viewer, left = opened(people[:2], "pitch"), people[0], iter(range(MOVES))
    version = room.play(lambda _: next(left, None) is None)["version"]
    viewer.got.clear()
    seat = room.seat_of(viewer)
    hidden = hidden_cards([room.view(each)["you"] for each in range(2)], seat)
    assert hidden
    with replay_page(browser, room, viewer, f"?at={version}&seat={0 if seat else 1}") as page:
        for key in ("End", "ArrowLeft", "ArrowUp", "ArrowUp", "Home", "End"):
            page.keyboard.press(key)
            moment(page)
        look_everywhere(page)
        wait_for(page, version)
        assert len(viewer.got) > 3
        search(page, viewer, hidden)
        search_heap(page, hidden)


def look_everywhere(page: Page) -> None:
    """Open what is folded, and go through the eyes that are allowed."""
    for details in page.locator("details").all():
        details.evaluate("each => { each.open = true; }")
    chooser = page.locator("#replay-seat")
    for value in chooser.evaluate(OPEN_SEATS):
        chooser.select_option(value)
        moment(page)
