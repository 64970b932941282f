"""People with browsers of their own, whose pages must not complain, break their policy, or ask another server."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Response

from tests.api.conftest import PASSWORD
from tests.web.engines import PATIENCE_MS, note_complaints

FAILED = re.compile(r"Failed to load resource: (?:net::ERR_.*|the server responded with a status of ([0-9]+).*)")
"""What a browser logs by itself when a request fails."""
REPORTS = """document.addEventListener("securitypolicyviolation",
    (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));"""
TOKEN = re.compile(r"tb_[A-Za-z0-9_-]{43}")


@dataclass
class Visitor:
    """One browser with its own cookies and storage."""

    context: BrowserContext
    home: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    expected: set[str] = field(default_factory=lambda: {"401", "404", "409"})
    """The statuses that a refused request may get."""

    def page(self, path: str = "/") -> Page:
        """Open an address in a new tab."""
        opened = self.context.new_page()
        opened.set_default_timeout(PATIENCE_MS)
        note_complaints(opened, self._note)
        opened.goto(path)
        return opened

    def sign_up(self, name: str) -> None:
        """Make an account, and a session in this browser."""
        page = self.page("/sign-up")
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign up").click()
        page.get_by_role("button", name="I have noted them").click()
        page.wait_for_url(f"{self.home}/")
        page.close()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request from a page of the server, as its scripts do, and return the answer's JSON."""
        page = self.context.pages[-1]
        return page.evaluate(
            """async ([method, path, body]) => {
                const headers = { "Content-Type": "application/json" };
                const sent = body === null ? {} : { body: JSON.stringify(body), headers };
                const answer = await fetch(path, { method, ...sent });
                return answer.status === 204 ? null : answer.json();
            }""",
            [method, path, body],
        )

    def check(self) -> None:
        """Check that nothing went wrong in any tab."""
        assert self.complaints == []

    def _note(self, text: str) -> None:
        failed = FAILED.fullmatch(text)
        if failed is None or failed[1] not in {None, *self.expected}:
            self.complaints.append(text)

    def _read(self, answer: Response) -> None:
        self.requests.append(answer.url)
        if not answer.url.startswith(self.home):
            self.complaints.append(f"asked {answer.url}")


@contextmanager
def visitor(browser: Browser, home: str, **options: Any) -> Iterator[Visitor]:
    """Open a browser of one person, and check its complaints at the end."""
    context = browser.new_context(base_url=home, **options)
    context.add_init_script(REPORTS)
    made = Visitor(context, home)
    context.on("response", made._read)
    try:
        yield made
        made.check()
    finally:
        context.close()


def violations(page: Page) -> list[str]:
    """Return what axe finds wrong, with the first element of each rule."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:160]} {each['nodes'][0]['failureSummary'][:200]}" for each in found
    ]
