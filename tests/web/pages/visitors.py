"""People with browsers of their own, whose pages must not complain, break their policy, or ask another server."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from tests.web.engines import PATIENCE_MS, note_complaints
from tests.web.table.room import AT_ONCE, COOKIE, Person

FAILED = re.compile(r"Failed to load resource: (?:net::ERR_.*|the server responded with a status of ([0-9]+).*)")
"""The line that a browser logs by itself when a request fails."""
REPORTS = """document.addEventListener("securitypolicyviolation",
    (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
TOKEN = re.compile(r"tb_[A-Za-z0-9_-]{43}")


@dataclass
class Visitor:
    """One browser with its own cookies and storage."""

    context: BrowserContext
    home: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    expected: set[str] = field(default_factory=set)
    """The statuses that a refused request may get."""
    others: list[str] = field(default_factory=list)
    """Addresses of other sites that this browser may ask."""

    def page(self, path: str = "/") -> Page:
        """Open an address in a new tab, and wait until its content is there."""
        opened = self.context.new_page()
        opened.set_default_timeout(PATIENCE_MS)
        note_complaints(opened, self._note)
        opened.goto(path)
        expect(opened.locator(".loading")).to_have_count(0)
        return opened

    def sign_up(self, name: str) -> "Visitor":
        """Make an account, and a session in this browser."""
        return self.sign_in(Person(self.home, name).register())

    def sign_in(self, person: Person) -> "Visitor":
        self.context.add_cookies([{"name": COOKIE, "value": person.token, "url": self.home, "httpOnly": True}])
        return self

    @property
    def token(self) -> str:
        """The token in the cookie of the session, if there is one."""
        return next((str(each["value"]) for each in self.context.cookies() if each["name"] == COOKIE), "")

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request to the API as this browser's person, and return the answer's JSON."""
        return Person(self.home, "", token=self.token).call(method, path, body)

    def open_game(self, *seats: str, **more: Any) -> int:
        """Open a game of Pitch, or of another variant, and return its board."""
        board: int = self.ask("POST", "/games", {"variant": "pitch", "seats": seats, **more})["board"]
        return board

    def check(self) -> None:
        """Check that nothing went wrong in any tab."""
        assert self.complaints == [], self.complaints

    def _note(self, text: str) -> None:
        failed = FAILED.fullmatch(text)
        if failed is None or failed[1] not in {None, *self.expected}:
            self.complaints.append(text)

    def _read(self, answer: Response) -> None:
        self.requests.append(answer.url)
        if not answer.url.startswith((self.home, *self.others)):
            self.complaints.append(f"asked {answer.url}")


@contextmanager
def visitor(browser: Browser, home: str, person: Person | None = None, **options: Any) -> Iterator[Visitor]:
    """Open a browser of one person or of a stranger, and check its complaints at the end."""
    context = browser.new_context(base_url=home, **options)
    context.add_init_script(REPORTS)
    context.add_init_script(AT_ONCE)
    made = Visitor(context, home)
    if person is not None and person.token:
        made.sign_in(person)
    context.on("response", made._read)
    try:
        yield made
        made.check()
    finally:
        context.close()


OPEN_ALL = "() => document.querySelectorAll('details').forEach((each) => { each.open = true; })"
VIOLATIONS = {"resultTypes": ["violations"]}
CONTRASTS = VIOLATIONS | {"runOnly": ["color-contrast"]}
NOT_CONTRASTS: dict[str, Any] = {**VIOLATIONS, "rules": {"color-contrast": {"enabled": False}}}
"""All rules but the one that takes two thirds of the time."""
RUN_AXE = "([where, options]) => axe.run(where ?? document, options).then(({ violations }) => violations)"
Scheme = Literal["light", "dark"]


def violations(page: Page, options: dict[str, Any] = VIOLATIONS, where: str | None = None) -> list[str]:
    """Return what axe finds wrong on a page, or in a part of it, with the first element of each rule."""
    if page.evaluate("typeof axe") == "undefined":  # to read it takes as long as to look at a small page
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(RUN_AXE, [where, options])
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:160]} {each['nodes'][0]['failureSummary'][:200]}" for each in found
    ]


def check_access(page: Page, width: int = 1280, scheme: Scheme = "light") -> None:
    """Check that a page, with all parts open, is accessible at a width in a theme, in the other one by its contrasts.

    It must also fit into a window of 320 pixels, and have one heading.
    """
    page.evaluate(OPEN_ALL)
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
    assert violations(page, CONTRASTS) == []
    page.emulate_media(color_scheme=scheme)
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate(OVERFLOW) == 0
    assert page.locator("h1").count() == 1
    page.set_viewport_size({"width": width, "height": 800})


def choose_game(page: Page, name: str | re.Pattern[str]) -> None:
    """Choose a game in the lobby. It may be among those that fewer people play."""
    page.locator(".more-games > summary").click()
    page.get_by_role("radio", name=name).check()
