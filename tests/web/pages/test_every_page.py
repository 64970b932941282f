"""What holds on every page: access, narrow windows, sizes, policy, no shift while it loads, no network."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.conftest import PASSWORD
from tests.web.pages.visitors import Visitor, violations, visitor

ADDRESSES = {
    "the lobby": "/",
    "a new table": "/new",
    "a table that forms": "/games/{table}",
    "the own account": "/me",
    "a player": "/players/vera",
    "signing in": "/sign-in",
    "signing up": "/sign-up",
    "a new password": "/recover",
    "the end of mails": "/mail/unsubscribe/x",
    "the app": "/app",
    "without a network": "/offline",
    "an invitation that is over": "/join#x",
    "a board that isn't there": "/games/999999",
    "the rules": "/rules",
    "a rule sheet": "/rules/corellian",
}
WIDTHS = (360, 768, 1440)
KEPT = """caches.keys().then((names) => caches.open(names[0]))
    .then((cache) => cache.keys()).then((all) => all.map(({ url }) => url))"""
SHIFT = """new Promise((resolve) => new PerformanceObserver((list, observer) => {
    resolve(list.getEntries().reduce((sum, entry) => sum + (entry.hadRecentInput ? 0 : entry.value), 0));
}).observe({ type: "layout-shift", buffered: true }) || setTimeout(() => resolve(0), 300))"""


@pytest.fixture(scope="module")
def vera(browser: Browser, home: str) -> Iterator[tuple[Visitor, dict[str, str]]]:
    """Return the browser of a player with a game, a table and a question, and the addresses of all pages."""
    with visitor(browser, home) as made:
        made.sign_up("vera")
        made.page()
        made.ask("POST", "/api/v1/games", {"variant": "pitch", "seats": ["vera", "bot:simple", "bot:simple"]})
        over = made.ask("POST", "/api/v1/games", {"variant": "pitch", "seats": ["vera", "bot:simple"]})["board"]
        made.ask("POST", f"/api/v1/games/{over}/moves", {"type": "resign"})
        table = made.ask(
            "POST", "/api/v1/games", {"variant": "blackout", "seats": ["vera", "open", "invite", "bot:simple"]}
        )
        yield made, {name: path.format(table=table["board"]) for name, path in ADDRESSES.items()}


def open_page(made: Visitor, path: str) -> Page:
    """Open a page, and wait until its content is there."""
    page = made.page(path)
    expect(page.locator(".loading")).to_have_count(0)
    return page


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_is_accessible_and_fits_320_pixels(vera: tuple[Visitor, dict[str, str]], name: str) -> None:
    made, paths = vera
    page = open_page(made, paths[name])
    place = list(ADDRESSES).index(name)
    page.emulate_media(color_scheme=("light", "dark")[place % 2])
    page.set_viewport_size({"width": WIDTHS[place % 3], "height": 800})
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert page.locator("h1").count() == 1
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_is_accessible_in_both_themes_at_three_widths(
    vera: tuple[Visitor, dict[str, str]], name: str, width: int, scheme: str
) -> None:
    made, paths = vera
    page = open_page(made, paths[name])
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 900})
    for details in page.locator("details").all():
        details.evaluate("each => { each.open = true; }")
    assert violations(page) == []
    page.close()


def test_nothing_shifts_while_the_lobby_loads(stranger: Visitor) -> None:
    page = open_page(stranger, "/")
    assert page.evaluate(SHIFT) <= 0.02


def test_the_first_load_is_small_and_its_files_are_kept(stranger: Visitor) -> None:
    page = open_page(stranger, "/")
    sizes = page.evaluate(
        "performance.getEntriesByType('resource').map(({ name, transferSize }) => [name, transferSize])"
    )
    document = page.evaluate("performance.getEntriesByType('navigation')[0].transferSize")
    assert document + sum(size for _, size in sizes) < 100_000
    again = open_page(stranger, "/new")
    loaded = again.evaluate(
        "performance.getEntriesByType('resource').map(({ name, transferSize }) => [name, transferSize])"
    )
    known = {name for name, _ in sizes if "/static/" in name}
    assert {name for name, size in loaded if name in known and size > 0} == set()


def test_the_policy_allows_no_foreign_and_no_inline_script(stranger: Visitor) -> None:
    page = stranger.page("/")
    answer = page.request.get(stranger.home + "/", headers={"Accept": "text/html"})
    policy = answer.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"} <= set(policy)
    assert {"require-trusted-types-for 'script'", "trusted-types 'none'"} <= set(policy)
    html = answer.text()
    assert not re.search(r"<script>| style=|<[^>]* on\w+=", html)
    unchanged = page.request.get(
        stranger.home + "/", headers={"Accept": "text/html", "If-None-Match": answer.headers["etag"]}
    )
    assert (unchanged.status, unchanged.headers["content-security-policy"]) == (304, "; ".join(policy))


def test_markup_in_a_name_stays_text(stranger: Visitor) -> None:
    page = stranger.page("/players/%3Cimg%20src=x%20onerror=alert(1)%3E")
    expect(page.get_by_role("heading", level=1)).to_have_text("<img src=x onerror=alert(1)>")


def test_a_page_is_shown_without_a_network_only_after_a_click(stranger: Visitor) -> None:
    page = stranger.page("/app")
    assert page.evaluate("navigator.serviceWorker.getRegistration()") is None
    page.get_by_role("button", name="Keep a page for offline").click()
    expect(page.get_by_text("Kept.")).to_be_visible()
    page.goto("/")
    stranger.context.set_offline(True)
    page.goto("/new")
    expect(page.get_by_role("heading", level=1)).to_have_text("You're offline")
    stranger.context.set_offline(False)
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    kept = page.evaluate(KEPT)
    assert not any("/api/" in url or "/session" in url for url in kept)


def test_a_server_that_is_away_is_said_and_found_again(stranger: Visitor) -> None:
    page = stranger.context.new_page()
    page.route("**/session", lambda route: route.abort())
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("The server can't be reached")
    page.unroute("**/session")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def test_programs_still_get_links_and_browsers_the_lobby(stranger: Visitor) -> None:
    page = stranger.page("/")
    assert page.request.get(stranger.home + "/", headers={"Accept": "*/*"}).json()["name"] == "trickbook"
    body = {"name": "wanda", "password": PASSWORD}
    refused = page.request.post(stranger.home + "/session", data=body, headers={"Origin": "https://evil.example"})
    assert (refused.status, refused.json()["type"]) == (403, "/problems/cross-site")


@pytest.mark.parametrize("path", ["/help", "/rules/nothing", "/games/7/nothing"])
def test_a_person_at_an_address_without_a_page_gets_one_and_a_program_a_problem(stranger: Visitor, path: str) -> None:
    page = stranger.context.new_page()
    answer = page.goto(path)
    assert answer is not None
    assert (answer.status, answer.headers["cache-control"]) == (404, "no-store")
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert violations(page) == []
    for accept in ("*/*", "application/json"):
        problem = page.request.get(stranger.home + path, headers={"Accept": accept})
        assert (problem.status, problem.json()["type"]) == (404, "/problems/not-found")
    page.get_by_role("link", name="To the lobby").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
