"""People who dispute, rule and look on, each with a browser that must not complain."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import httpx
from playwright.sync_api import Browser, Page

from tests.web.engines import PATIENCE_MS
from tests.web.pages.visitors import REPORTS, violations
from tests.web.table.room import Person, Room, context_of, opened

NAMES = ("ann", "bob", "rhea", "sol", "mod", "eve")
BOT = 2
Scheme = Literal["light", "dark"]
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@dataclass
class Scene:
    """The server's people by name."""

    url: str
    people: dict[str, Person]

    def __getitem__(self, name: str) -> Person:
        return self.people[name]

    @contextmanager
    def page(self, browser: Browser, name: str | None, path: str, refusals: int = 0) -> Iterator[Page]:
        """Return the page of a person (None: of a stranger). The server refuses `refusals` of its requests."""
        complaints = list[str]()
        with context_of(browser, None if name is None else self.people[name]) as context:
            context.add_init_script(REPORTS)
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(self.url + path)
            yield page
        assert len(complaints) == refusals, complaints


def played_game(scene: Scene) -> Room:
    """Return a game of ann, bob and a bot, played until hand 2 is dealt."""
    room = opened([scene["ann"], scene["bob"]], "pitch", ["ann", "bob", "bot:simple"], options={"win": 21})
    while room.public()["last_hand"] is None:
        for seat in room.public()["turn"]["seats"]:
            if seat != BOT:
                room.move(seat)
    return room


def address(room: Room, more: str = "") -> str:
    """Return the address of the disputes of a game."""
    return f"/games/{room.board}/disputes{more}"


def contest(room: Room, seat: int = 0, **more: object) -> None:
    """Dispute hand 1 over the API."""
    body = {"hand": 1, "kind": "conduct", "text": "bob looked into my cards"} | more
    room.by_seat(seat).call("POST", f"/games/{room.game}/disputes", body)


def erase_texts(room: Room, moderator: Person) -> None:
    """Erase the texts of dispute 1."""
    path = f"{moderator.url}/api/v1/games/{room.game}/disputes/1/texts"
    assert httpx.delete(path, headers=moderator.headers, timeout=60).status_code == 204


def check_access(page: Page, schemes: Sequence[Scheme] = ("light", "dark")) -> None:
    """Check that a page is accessible in these themes, and fits into 320 pixels."""
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate(OVERFLOW) == 0
    page.set_viewport_size({"width": 1280, "height": 900})
