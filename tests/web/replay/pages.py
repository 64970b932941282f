"""Pages of a replay in Chromium, which must not complain, and what they show."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page, expect

from tests.web.pages.visitors import visitor
from tests.web.table.room import Person, Room, keep

MOMENT = re.compile(r"Event (\d+) of (\d+)")


def facts(room: Room, *names: str) -> list[dict[str, Any]]:
    """Return the events with these facts, as a player may see them."""
    return [event for event in room.events() if event["fact"] in names]


@contextmanager
def replay_page(browser: Browser, room: Room, person: Person | None, query: str = "", **options: Any) -> Iterator[Page]:
    """Open the replay of a game as a player, or as a watcher."""
    with visitor(browser, room.people[0].url, person, reduced_motion="reduce", **options) as made:
        made.expected.add("404")  # of a moment whose seat isn't open to this person
        if person is not None:
            made.context.on("response", lambda response: keep(response, person))
        page = made.page(f"/games/{room.board}/replay{query}")
        expect(page.locator(".replay-now")).to_have_text(MOMENT)
        yield page


def moment(page: Page) -> int:
    """Return the event that the page shows, once its table is there."""
    expect(page.locator(".replay-page")).to_have_attribute("aria-busy", "false")
    found = MOMENT.search(page.locator(".replay-now").inner_text())
    assert found
    return int(found[1])


def wait_for(page: Page, at: int) -> None:
    expect(page.locator(".replay-now")).to_have_text(re.compile(rf"Event {at} of"))
    expect(page.locator(".replay-page")).to_have_attribute("aria-busy", "false")


def address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}
