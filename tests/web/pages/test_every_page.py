"""The promises of every page: access, narrow windows, sizes, policy, no shift while it loads, no network."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.conftest import PASSWORD
from tests.web.pages.visitors import Visitor, check_access, violations, visitor
from tests.web.played import BOARDS

ADDRESSES = {
    "the lobby": "/",
    "a new table": "/new",
    "house rules": "/house-rules",
    "a first hand": "/first-hand",
    "a table that forms": "/games/{table}",
    "the own account": "/me",
    "a player": "/players/una",
    "signing in": "/sign-in",
    "signing up": "/sign-up",
    "a new password": "/recover",
    "the end of mails": "/mail/unsubscribe/x",
    "the app": "/app",
    "contact": "/contact",
    "privacy": "/privacy",
    "without a network": "/offline",
    "an invitation that is over": "/join#x",
    "a board that isn't there": "/games/999999",
    "the rules": "/rules",
    "a rule sheet": "/rules/corellian",
    "standings": "/standings",
    **{f"scores of {name}": f"/games/{board}/score" for name, board in BOARDS.items()},
}
IN_SHORT = [name for name in ADDRESSES if not name.startswith(("scores of ", "house rules"))] + ["scores of pitch"]
"""One page of scores; `tests/web/house` looks at that of house rules, which is the largest."""
WIDTHS = (360, 768, 1440)
LOADED = "performance.getEntriesByType('resource').map(({ name, transferSize }) => [name, transferSize])"
KEPT = """caches.keys().then((names) => caches.open(names[0]))
    .then((cache) => cache.keys()).then((all) => all.map(({ url }) => url))"""
SHIFT = """new Promise((resolve) => new PerformanceObserver((list, observer) => {
    resolve(list.getEntries().reduce((sum, entry) => sum + (entry.hadRecentInput ? 0 : entry.value), 0));
}).observe({ type: "layout-shift", buffered: true }) || setTimeout(() => resolve(0), 300))"""


@pytest.fixture(scope="session")
def vera(browser: Browser, home: str) -> Iterator[tuple[Visitor, dict[str, str]]]:
    """The browser of a player with a game, a table and a question, and the addresses of all pages."""
    with visitor(browser, home) as made:
        made.sign_up("vera").expected |= {"404", "503"}
        # The page without a network leaves for the lobby once the server answers, in the middle of a check.
        made.context.route("**/health/live", lambda route: route.fulfill(status=503))
        made.open_game("vera", "bot:simple", "bot:simple")
        over = made.open_game("vera", "bot:simple")
        made.ask("POST", f"/games/{over}/moves", {"type": "resign"})
        table = made.open_game("vera", "open", "invite", "bot:simple", variant="blackout")
        yield made, {name: path.format(table=table) for name, path in ADDRESSES.items()}


@pytest.mark.parametrize("name", IN_SHORT)
def test_a_page_is_accessible_in_both_themes_and_fits_320_pixels(
    vera: tuple[Visitor, dict[str, str]], name: str
) -> None:
    made, paths = vera
    page, place = made.page(paths[name]), list(ADDRESSES).index(name)
    check_access(page, WIDTHS[place % 3], "dark" if place % 2 else "light")
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_is_accessible_in_both_themes_at_three_widths(vera: tuple[Visitor, dict[str, str]], name: str) -> None:
    made, paths = vera
    page = made.page(paths[name])
    for width in WIDTHS:
        check_access(page, width)
        check_access(page, width, "dark")
    page.close()


@pytest.mark.slow  # on a busy machine the lobby shifts by 0.05, once in some runs
def test_the_lobby_loads_without_a_shift(stranger: Visitor) -> None:
    assert stranger.page("/").evaluate(SHIFT) <= 0.02


def test_the_lobby_and_a_table_are_small_and_their_files_are_kept(
    stranger: Visitor, vera: tuple[Visitor, dict[str, str]]
) -> None:
    lobby = loaded_by(stranger.page("/"), 70_000, 12)
    again = stranger.page("/new").evaluate(LOADED)
    assert {name for name, size in again if name in lobby and size > 0} == set()
    made, _ = vera
    table = made.open_game("vera", "bot:simple", "bot:simple")
    page = made.context.new_page()
    page.goto(f"/games/{table}")
    expect(page.get_by_role("status").first).to_be_attached()
    loaded_by(page, 140_000, 20)
    page.close()


def loaded_by(page: Page, most_bytes: int, most_requests: int) -> set[str]:
    """Return the files that a page has loaded. All that it has loaded stays below both numbers."""
    sizes = page.evaluate(LOADED)
    document = page.evaluate("performance.getEntriesByType('navigation')[0].transferSize")
    assert document + sum(size for _, size in sizes) <= most_bytes, "\n".join(f"{size} {name}" for name, size in sizes)
    assert 1 + len(sizes) <= most_requests, sizes
    return {name for name, _ in sizes if "/static/" in name}


def test_the_policy_allows_no_foreign_and_no_inline_script_and_programs_get_links(stranger: Visitor) -> None:
    ask = stranger.context.request
    answer = ask.get("/", headers={"Accept": "text/html"})
    policy = answer.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"} <= set(policy)
    assert {"require-trusted-types-for 'script'", "trusted-types 'none'"} <= set(policy)
    assert not re.search(r"<script>| style=|<[^>]* on\w+=", answer.text())
    unchanged = ask.get("/", headers={"Accept": "text/html", "If-None-Match": answer.headers["etag"]})
    assert (unchanged.status, unchanged.headers["content-security-policy"]) == (304, "; ".join(policy))
    assert ask.get("/", headers={"Accept": "*/*"}).json()["name"] == "trickbook"
    body = {"name": "wanda", "password": PASSWORD}
    refused = ask.post("/session", data=body, headers={"Origin": "https://evil.example"})
    assert (refused.status, refused.json()["type"]) == (403, "/problems/cross-site")


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


def test_a_person_at_an_address_without_a_page_gets_one_and_a_program_a_problem(stranger: Visitor) -> None:
    page = stranger.context.new_page()
    for path in ("/help", "/rules/nothing", "/games/7/nothing"):
        answer = page.goto(path)
        assert answer is not None
        assert (answer.status, answer.headers["cache-control"]) == (404, "no-store")
        expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
        for accept in ("*/*", "application/json"):
            problem = page.request.get(path, headers={"Accept": accept})
            assert (problem.status, problem.json()["type"]) == (404, "/problems/not-found")
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="To the lobby").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
