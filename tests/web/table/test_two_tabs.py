"""Two tabs share one stream: a tab that sleeps, a lost network and a killed server stop neither of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.api.server_process import start_server
from tests.conftest import Database
from tests.web.table.room import Person, Room, context_of, opened, suspended, tab_of, until, until_told
from tests.web.table.spoken import LISTEN
from tests.web.table.test_recovery import SEATS, TWICE, at_play, plays

ASK = "() => document.dispatchEvent(new Event('visibilitychange'))"
HEARD = "(texts) => texts.every((text) => globalThis.spoken.join(' ').includes(text))"
RECONNECTING = "The tabs of this browser lost touch with each other. The page is reconnecting."
BACK = "Connected again. The page follows the game."


@dataclass
class Tab:
    """A tab, and its streams of a game that are open."""

    page: Page
    streams: list[Request] = field(default_factory=list)

    def listen(self) -> None:
        """Follow the streams that the tab opens and closes from now on."""
        self.page.on("request", self._begin)
        self.page.on("requestfinished", self._end)
        self.page.on("requestfailed", self._end)

    def _begin(self, request: Request) -> None:
        if is_stream(request):
            self.streams.append(request)

    def _end(self, request: Request) -> None:
        if request in self.streams:
            self.streams.remove(request)


def is_stream(request: Request) -> bool:
    return request.resource_type == "eventsource" and "/games/" in request.url


@contextmanager
def two_tabs(browser: Browser, room: Room, person: Person) -> Iterator[tuple[Tab, Tab]]:
    """Open two tabs at the table. The first has the streams for both."""
    with context_of(browser, person) as context:
        tabs = Tab(tab_of(context, room, person)), Tab(tab_of(context, room, person))
        for tab in tabs:
            tab.listen()
            tab.page.evaluate(LISTEN)
        yield tabs


def any_move(room: Room) -> None:
    room.move(room.public()["turn"]["seats"][0])


def until_newest(room: Room, *tabs: Tab) -> None:
    for tab in tabs:
        until_told(tab.page, room.public()["version"])


def until_streams(tab: Tab, count: int) -> None:
    """Wait until the tab has this number of open streams: the browser reports a closed one a little later."""
    until(tab.page, lambda: len(tab.streams) == count)


def click_twice(tabs: tuple[Tab, Tab]) -> None:
    """Play the same card in both tabs, twice in each."""
    name = tabs[0].page.locator(".own-card.lit").first.get_attribute("data-card")
    for tab in tabs:
        tab.page.evaluate(TWICE, f".own-card[data-card='{name}']")


def until_answered(*tabs: Tab) -> None:
    for tab in tabs:
        tab.page.wait_for_function("() => !globalThis.table.game.sender.pending")


def test_a_tab_takes_the_streams_over_from_one_that_sleeps(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    with two_tabs(browser, room, people[0]) as (first, other):
        with suspended(first.page):
            other.page.evaluate(ASK)
            other.page.wait_for_function(HEARD, arg=[RECONNECTING, BACK])
            any_move(room)
            until_newest(room, other)
            until_streams(other, 1)
        first.page.wait_for_function(HEARD, arg=[RECONNECTING, BACK])
        any_move(room)
        until_newest(room, first, other)
        until_streams(first, 0)
        until_streams(other, 1)


def test_a_server_that_is_killed_in_the_middle_of_a_move_plays_it_once(browser: Browser, tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log, start_server(Database(None, tmp_path), stderr=log) as first:
        people = [Person(first.url, "ann").register()]
        room = opened(people, "pitch", seats=SEATS)
        with two_tabs(browser, room, people[0]) as tabs:
            at_play(room, tabs[0].page)
            until_newest(room, *tabs)
            before = plays(room)

            def do_and_die(route: Route) -> None:
                route.fetch()  # the server does it, and is killed before it answers
                first.kill()
                route.abort()

            def lose(route: Route) -> None:
                until(tabs[1].page, lambda: first.process.poll() is not None)  # on its way until the server is killed
                route.abort()

            tabs[0].page.route("**/moves", do_and_die, times=1)
            tabs[1].page.route("**/moves", lose, times=1)
            click_twice((tabs[1], tabs[0]))  # a tab that knows of the first move has no card to click on
            for tab in tabs:
                expect(tab.page.locator(".zone-alerts")).to_contain_text("Not sent yet: play the ")
            port = first.url.rsplit(":", 1)[1]
            with start_server(Database(None, tmp_path), "--port", port, stderr=log) as second:
                until_answered(*tabs)
                until_newest(room, *tabs)
                for tab in tabs:
                    expect(tab.page.locator(".zone-alerts")).to_be_empty()
                assert len(plays(room)) == len(before) + 1
                assert second.stop() == 0
