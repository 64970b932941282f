"""No request of a page of a game fails, for any visitor: a page asks only for what is there."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Request, Response, expect

from tests.step_limit import steps
from tests.web.engines import PATIENCE_MS
from tests.web.pages.visitors import Visitor, visitor

PARTS = ("", "/replay", "/score", "/audit", "/disputes", "/text")
QUIET = 3
BOTS = ["bot:simple", "bot:simple", "bot:simple"]


@pytest.fixture(scope="module")
def player(browser: Browser, home: str) -> Iterator[tuple[Visitor, dict[str, int]]]:
    """Return the browser of a player, and the boards of their games."""
    with visitor(browser, home) as made:
        made.sign_up("rita")
        made.page()
        yield (
            made,
            {
                "live": board_of(made, "pitch"),
                "over": resigned(made, board_of(made, "pitch")),
                "blind": board_of(made, "blackout"),
                "forming": board_of(made, "setback", ["rita", "open", "invite", "bot:simple"]),
            },
        )


def board_of(made: Visitor, variant: str, seats: list[str] | None = None) -> int:
    """Open a game and return its board."""
    body = {"variant": variant, "seats": seats or ["rita", *BOTS]}
    board: int = made.ask("POST", "/api/v1/games", body)["board"]
    return board


def resigned(made: Visitor, board: int) -> int:
    """Let the player leave a game."""
    made.ask("POST", f"/api/v1/games/{board}/moves", {"type": "resign"})
    return board


class Tab:
    """A page, its requests without an answer yet, and those that failed. Streams have no end."""

    def __init__(self, made: Visitor, path: str) -> None:
        self.page = made.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.waiting: set[Request] = set()
        self.failed: list[str] = []
        self.page.on("request", self._begin)
        self.page.on("requestfinished", self._end)
        self.page.on("requestfailed", self._end)
        self.page.on("response", self._note)
        self.page.goto(path)

    def _begin(self, request: Request) -> None:
        self.waiting.add(request)

    def _end(self, request: Request) -> None:
        self.waiting.discard(request)

    def _note(self, answer: Response) -> None:
        if "text/event-stream" in answer.headers.get("content-type", ""):
            self.waiting.discard(answer.request)
        if answer.status >= 400:
            self.failed.append(f"{answer.status} {answer.url}")

    def until_quiet(self) -> None:
        """Wait until the page shows its content, and has nothing more to ask at three looks in a row."""
        expect(self.page.locator("h1, .table-page").first).to_be_attached()
        expect(self.page.locator(".loading")).to_have_count(0)
        spent, quiet = steps(600), 0
        while quiet < QUIET:
            next(spent)
            self.page.wait_for_timeout(200)
            quiet = 0 if self.waiting else quiet + 1


@pytest.mark.parametrize("game", ["live", "over", "blind", "forming"])
@pytest.mark.parametrize("whose", ["the player's", "a stranger's"])
def test_no_request_of_a_page_fails(
    player: tuple[Visitor, dict[str, int]], stranger: Visitor, game: str, whose: str
) -> None:
    made, boards = player
    tabs = [Tab(made if whose == "the player's" else stranger, f"/games/{boards[game]}{part}") for part in PARTS]
    for tab in tabs:
        tab.until_quiet()
    assert [each for tab in tabs for each in tab.failed] == []
    for tab in tabs:
        tab.page.close()
