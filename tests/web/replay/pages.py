"""Pages of a replay in Chromium, which must not complain, and what they show."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.engines import PATIENCE_MS
from tests.web.pages.visitors import FAILED, REPORTS
from tests.web.table.room import Person, Room, _keep, context_of

MOMENT = re.compile(r"Event (\d+) of (\d+)")


@contextmanager
def replay_page(
    browser: Browser, room: Room, person: Person | None, query: str = "", width: int = 1280, **options: Any
) -> Iterator[Page]:
    """Open the replay of a game as a player, or as a watcher."""
    with context_of(browser, person, width, **options) as context, tab(context, person) as page:
        page.goto(f"{room.people[0].url}/games/{room.board}/replay{query}")
        expect(page.locator(".replay-now")).to_have_text(MOMENT)
        yield page


@contextmanager
def tab(context: BrowserContext, person: Person | None = None) -> Iterator[Page]:
    """Open a tab that must not complain; what it gets is kept with the person."""
    complaints = list[str]()
    context.add_init_script(REPORTS)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: None if FAILED.fullmatch(message.text) else complaints.append(message.text))
    if person is not None:
        page.on("response", lambda response: _keep(response, person))
    yield page
    assert complaints == []


def moment(page: Page) -> int:
    """Return the event that the page shows, once its table is there."""
    expect(page.locator(".replay-page")).to_have_attribute("aria-busy", "false")
    found = MOMENT.search(page.locator(".replay-now").inner_text())
    assert found
    return int(found[1])


def wait_for(page: Page, at: int) -> None:
    """Wait until the page shows an event."""
    expect(page.locator(".replay-now")).to_have_text(re.compile(rf"Event {at} of"))
    expect(page.locator(".replay-page")).to_have_attribute("aria-busy", "false")


def address(page: Page) -> dict[str, str]:
    """Return what the address says of the moment."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}
