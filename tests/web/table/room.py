"""A real server, players with tokens, and their pages in Chromium."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, Response, Route, ViewportSize
from playwright.sync_api import Error as PlaywrightError

from api.pages.static_files import FILES
from tests.api.conftest import PASSWORD
from tests.api.live_server import last_move
from tests.step_limit import steps
from tests.waiting import wait_until
from tests.web.engines import PATIENCE_MS, note_complaints
from tests.web.table.pages import TYPES

View = dict[str, Any]
AT = "(version) => globalThis.table.game.model.view.version >= version && globalThis.table.game.record.told >= version"
LIVE = "() => globalThis.table?.game.record.isLive"
PACE = """const key = "trickbook.settings";
const isOwnPage = self === top && location.host;
if (isOwnPage && !localStorage.getItem(key)) localStorage.setItem(key, JSON.stringify({ pace: "PACE" }));"""
"""Show what happens at the table in some pace, as a player can choose."""
AT_ONCE = PACE.replace("PACE", "none")
MOUNT = "await mount("
HANDLE = "globalThis.table = "
COOKIE = "trickbook"
MOST_MOVES = 200
POLL_MS = 50
WHOLE_HANDS: dict[str, dict[str, Any]] = {"corellian": {"randomizer": {"end": None}}}
"""The options of a game that chance doesn't end in the middle of a hand, by variant."""


@cache
def connection(url: str) -> httpx.Client:
    """Return the connection that all people of a server share: a new one takes longer than a request."""
    return httpx.Client(base_url=url, timeout=60)


@dataclass
class Person:
    """A player with a token, and what the browser of theirs has got from the server."""

    url: str
    name: str
    id: str = ""
    token: str = ""
    got: list[str] = field(default_factory=list)

    def register(self) -> "Person":
        self.id = self.call("POST", "/users", {"name": self.name, "password": PASSWORD})["id"]
        return self.log_in()

    def log_in(self) -> "Person":
        self.token = self.call("POST", "/tokens", {"name": self.name, "password": PASSWORD})["token"]
        return self

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send a request to the API and return the body of its answer."""
        answer = connection(self.url).request(method, f"/api/v1{path}", json=body, headers=self.headers)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None


def nobody(url: str) -> Person:
    return Person(url, "watcher")


@dataclass
class Room:
    """A game. `seats` are the ids of its players, by seat; those of `people` have tokens."""

    people: list[Person]
    game: str
    board: int
    seats: list[str]

    @property
    def names(self) -> list[str]:
        """The names of the players by seat; a bot's is its id."""
        known = {person.id: person.name for person in self.people}
        return [known.get(player, player) for player in self.seats]

    def view(self, seat: int) -> View:
        seen: View = self.by_seat(seat).call("GET", f"/games/{self.game}/seats/{seat}")
        return seen

    def by_seat(self, seat: int) -> Person:
        return next(person for person in self.people if person.id == self.seats[seat])

    def seat_of(self, person: Person) -> int | None:
        """Return the seat of a player, None of a watcher."""
        return self.seats.index(person.id) if person.id in self.seats else None

    def public(self) -> View:
        seen: View = self.people[0].call("GET", f"/games/{self.game}")
        return seen

    def move(self, seat: int, move: Mapping[str, Any] | None = None) -> View:
        """Make a move of a seat: this one, or a low bid, or the last legal one. Return the answer."""
        chosen = move or last_move(self.view(seat))
        answer: View = self.by_seat(seat).call("POST", f"/games/{self.game}/moves", chosen)
        return answer

    def play(self, is_enough: Callable[[View], object]) -> View:
        """Make moves of whichever seat is to move until the public view is enough, and return that view."""
        view, spent = self.public(), steps(MOST_MOVES)
        while not is_enough(view) and view["status"] == "active":
            next(spent)
            view = self.move(seat_to_move(view))["view"]
        return view

    def events(self) -> list[View]:
        """Return the events as the first player may see them."""
        items = self.people[0].call("GET", f"/games/{self.game}/events")["items"]
        return [item["event"] for item in items if "event" in item]


def opened(people: list[Person], variant: str, seats: list[str] | None = None, **body: object) -> Room:
    """Open a game of these players, or with these seats."""
    names = seats or [person.name for person in people]
    answer = people[0].call("POST", "/games", {"variant": variant, "seats": names, **body})
    seats_now = [one["player"] for one in answer["view"]["seats"]]
    return Room(people, answer["id"], answer["board"], seats_now)


def seat_to_move(view: View) -> int:
    """Return the seat to move. While a card must be called in the middle of a hand, no seat has the turn."""
    seats: list[int] = view["turn"]["seats"] or [view["hand"]["pitcher"]]
    return seats[0]


@contextmanager
def page_of(
    browser: Browser, room: Room, person: Person | None, width: int = 1280, *, away: bool = False, **options: Any
) -> Iterator[Page]:
    """Return the page of a player or a watcher. Unless the server is `away`, it must not complain about anything."""
    complaints = list[str]()
    with context_of(browser, person, width, **options) as context:
        yield tab_of(context, room, person, complaints)
    assert away or complaints == []


@contextmanager
def context_of(
    browser: Browser, person: Person | None, width: int = 1280, height: int = 900, *, pace: str = "none", **options: Any
) -> Iterator[BrowserContext]:
    """Return a browser in which a player has signed in. Its cookie holds the token, which no script sees."""
    size = ViewportSize(width=width, height=height)
    context = browser.new_context(viewport=size, reduced_motion="reduce", **options)
    try:
        context.add_init_script(PACE.replace("PACE", pace))
        if person and person.token:
            context.add_cookies([{"name": COOKIE, "value": person.token, "url": person.url, "httpOnly": True}])
        yield context
    finally:
        context.close()


def tab_of(context: BrowserContext, room: Room, person: Person | None, complaints: list[str] | None = None) -> Page:
    """Open a tab at the table, and wait until it has told what there is to tell."""
    page = watched_tab(context, person, complaints)
    page.goto(f"{room.people[0].url}/games/{room.board}")
    page.wait_for_function(LIVE)
    return page


def watched_tab(context: BrowserContext, person: Person | None, complaints: list[str] | None = None) -> Page:
    """Open an empty tab, from which a test can read what a table's page knows."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.route("**/joined/game.js", _with_handle)
    if complaints is not None:
        note_complaints(page, complaints.append)
    if person:
        page.on("response", lambda response: keep(response, person))
    return page


def _with_handle(route: Route) -> None:
    """Serve the page's script so that a test can read what the page knows."""
    script = FILES["joined/game.js"].body.decode()
    assert script.count(MOUNT) == 1
    route.fulfill(body=script.replace(MOUNT, HANDLE + MOUNT), content_type=TYPES[".js"])


def keep(response: Response, person: Person) -> None:
    """Keep what an answer of the API says. A stream can't be read so; its lines are those of the list."""
    if "/api/" in response.url and "json" in response.headers.get("content-type", ""):
        with suppress(PlaywrightError):  # the page was closed meanwhile
            person.got.append(response.text())


@contextmanager
def suspended(page: Page) -> Iterator[None]:
    """Stop the scripts of a tab wherever they are, as if it slept, and let them go on afterwards."""
    session = page.context.new_cdp_session(page)
    session.send("Debugger.enable")
    session.send("Debugger.pause")
    yield
    session.send("Debugger.disable")


def until(page: Page, condition: Callable[[], object]) -> None:
    """Wait for a condition on what pages did: playwright reports that only while it's called."""

    def look() -> object:
        page.wait_for_timeout(POLL_MS)
        return condition()

    wait_until(look, pause_s=0)


def until_told(page: Page, version: int) -> None:
    """Wait until the page shows and has told everything up to a version."""
    page.wait_for_function(AT, arg=version)


def model(page: Page) -> View:
    """Return the view that the page shows."""
    view: View = json.loads(page.evaluate("() => JSON.stringify(globalThis.table.game.model.view)"))
    return view


FREE = """() => {
  const { view, pending, cutting, busy } = globalThis.table.game.model;
  const hasChoice = view.you.legal.length || view.you.choose;
  return view.status === "finished" || (!pending && !busy && !cutting.busy && hasChoice);
}"""


def until_free(page: Page) -> View:
    """Wait until the player can move or the game is over, and return the view."""
    page.wait_for_function(FREE)
    return model(page)


NEXT = "[data-do=next]"
"""The button that goes on after a hand."""
FREE_OR_NEXT = f"() => document.querySelector('{NEXT}') ? 'next' : ({FREE})() && 'free'"


def until_turn(page: Page) -> View:
    """Wait until the player can move or the game is over, pressing what goes on after a hand. Return the view."""
    while page.wait_for_function(FREE_OR_NEXT).json_value() == "next":
        with suppress(PlaywrightError):  # it goes on by itself meanwhile
            page.click(NEXT, timeout=1000)
    return model(page)
