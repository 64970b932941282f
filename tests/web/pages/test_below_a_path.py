"""TRICKBOOK_URL with a path, in a browser: every page works below it, and asks for nothing outside of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from api.config import Config
from api.config.limits import NO_LIMITS
from tests.api.conftest import PASSWORD
from tests.api.thread_server import serve_in_thread
from tests.ports import free_port
from tests.web.pages.test_accounts import fill_in
from tests.web.pages.visitors import Visitor, visitor

PAGES = (
    "rules/pitch", "disputes", "new", "players/una", "mail/unsubscribe/x", "verify", "embed/games/1/hands/1",
    *(f"games/1/{part}" for part in ("replay", "score", "audit", "disputes", "text")),
)  # fmt: skip
OWN_LINKS = "all => all.map(each => each.getAttribute('href')).filter(each => each.startsWith('/'))"
WORKERS = """async () => [(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    (await Promise.all((await caches.keys()).map((name) => caches.open(name)))).length]"""
NEXT = """import(document.querySelector("script[type=module]").src.replace(/joined.*/, "account/account.js"))
    .then(({ nextPage }) => ["#/me", "", "#/.//evil.example", "#//evil.example"].map((hash) => nextPage(hash)))"""


@pytest.fixture
def una(browser: Browser, tmp_path: Path) -> Iterator[Visitor]:
    """The browser of somebody who has never been at a server below a path."""
    port = free_port()
    home = f"http://127.0.0.1:{port}/cards"
    config = Config(data=tmp_path, url=home, hashing="cheapest", limits=NO_LIMITS)
    with serve_in_thread(config, port), visitor(browser, f"{home}/") as made:
        yield made


def test_a_visitor_registers_plays_and_sees_every_page_and_nothing_asks_outside_the_path(una: Visitor) -> None:
    page = una.page("sign-in#/new")
    page.get_by_role("link", name="New here? Sign up").click()
    fill_in(page, "una", PASSWORD)
    page.get_by_role("button", name="I have noted them").click()
    expect(page).to_have_url(f"{una.home}new")
    page.locator(".brand").click()
    page.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(f"{una.home}games/1")
    with page.expect_response("**/moves") as answer:
        page.get_by_role("button", name="Pass").click()
    assert answer.value.status == 201
    una.expected.add("409")  # what the page does by itself, such as a cut, can come after the end
    una.ask("POST", "/games/1/moves", {"type": "resign"})
    expect(page).to_have_title(re.compile("over|won", re.IGNORECASE))  # the event stream brought it
    una.expected.add("404")
    for path in PAGES:
        page.goto(path)
        expect(page.locator("h1").first).to_be_attached()
        expect(page.locator(".loading")).to_have_count(0)
        links = page.locator("a[href]").evaluate_all(OWN_LINKS)
        assert [link for link in links if not link.startswith("/cards/")] == [], path
    page.goto("app")
    page.get_by_role("button", name="Keep a page for offline").click()
    expect(page.get_by_text("Kept.")).to_be_visible()
    assert page.evaluate(WORKERS) == [[una.home], 1]
    page.goto("me")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page).to_have_url(una.home)
    assert una.context.cookies() == []
    page.goto("sign-in#/standings")
    assert page.evaluate(NEXT) == [f"{una.home}{path}" for path in ("me", "", "", "")]
    fill_in(page, "una", PASSWORD)
    expect(page).to_have_url(f"{una.home}standings")
    assert [(each["name"], each["path"]) for each in una.context.cookies()] == [("trickbook", "/cards")]
    expect(page.get_by_role("link", name=re.compile("una"))).to_have_attribute("href", "/cards/me")
