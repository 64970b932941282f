"""No request of a page of a game fails, for any visitor: a page asks only for what is there."""

import pytest
from playwright.sync_api import Page, Request, Response, expect

from tests.step_limit import steps
from tests.web.engines import PATIENCE_MS
from tests.web.pages.visitors import Visitor
from tests.web.played import RULED
from tests.web.table.room import Person

PARTS = ("", "/replay", "/score", "/audit", "/disputes", "/text")
PAUSE_MS = 100
QUIET = 3
"""Looks in a row at which a page waits for nothing."""
SLOW = pytest.mark.slow


class Requests:
    """The requests of a page that have no answer yet, and those that failed. Streams have no end."""

    def __init__(self, page: Page) -> None:
        self.waiting: set[Request] = set()
        self.failed: list[str] = []
        page.on("request", self._begin)
        page.on("requestfinished", self._end)
        page.on("requestfailed", self._end)
        page.on("response", self._note)

    def _begin(self, request: Request) -> None:
        self.waiting.add(request)

    def _end(self, request: Request) -> None:
        self.waiting.discard(request)

    def _note(self, answer: Response) -> None:
        if "text/event-stream" in answer.headers.get("content-type", ""):
            self.waiting.discard(answer.request)
        if answer.status >= 400:
            self.failed.append(f"{answer.status} {answer.url}")


@pytest.mark.parametrize("whose", ["the player's", "a stranger's"])
@pytest.mark.parametrize("game", ["live", *(pytest.param(each, marks=SLOW) for each in ("over", "blind", "forming"))])
def test_no_request_of_a_page_fails(stranger: Visitor, people: list[Person], game: str, whose: str) -> None:
    rita = Visitor(stranger.context, stranger.home).sign_in(people[0])
    board = {
        "over": lambda: RULED,
        "live": lambda: rita.open_game("ann", "bot:simple"),
        "blind": lambda: rita.open_game("ann", *["bot:simple"] * 3, variant="blackout"),
        "forming": lambda: rita.open_game("ann", "open", "invite", "bot:simple", variant="setback"),
    }[game]()
    if whose == "a stranger's":
        stranger.context.clear_cookies()
    page = stranger.context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    requests = Requests(page)
    for part in PARTS:
        page.goto(f"/games/{board}{part}")
        expect(page.locator("h1, .table-page").first).to_be_attached()
        expect(page.locator(".loading")).to_have_count(0)
        spent, quiet = steps(600), 0
        while quiet < QUIET:
            next(spent)
            page.wait_for_timeout(PAUSE_MS)
            quiet = 0 if requests.waiting else quiet + 1
        requests.waiting.clear()
    assert requests.failed == []
