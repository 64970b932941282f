"""An address on the own network without encryption: the page warns, and plays without checks and seals."""

import re

from playwright.sync_api import Browser, expect

from tests.web.conftest import LAN_HOST
from tests.web.pages.visitors import choose_game, visitor
from tests.web.table.room import Person


def test_a_page_on_the_own_network_warns_and_plays_and_each_tab_follows_by_itself(browser: Browser, home: str) -> None:
    with visitor(browser, f"http://{LAN_HOST}:{home.rsplit(':', 1)[1]}") as guest:
        page, other = guest.page(), guest.page("/rules")
        assert page.evaluate("navigator.locks") is None
        expect(page.locator("#banner")).to_contain_text("This address isn't encrypted")
        choose_game(page, re.compile("^Setback Three"))
        page.get_by_role("button", name="Play now").click()
        expect(page.locator(".zone-alerts")).to_contain_text("Without https, this browser can't check the record")
        expect(page.locator(".ask.cut")).to_contain_text("the browser can't seal a cut")
        expect(page.get_by_role("button", name=re.compile("Pass|Bid 2")).first).to_be_visible()  # a dealer may not pass
        other.goto("/")
        expect(other).to_have_title("(1) Play cards · trickbook")
        player = Person(home, "", token=guest.token)
        name = player.call("GET", "/me")["name"]
        player.call("POST", "/games", {"variant": "pitch", "seats": [name, "bot:simple"]})
        expect(other).to_have_title("(2) Play cards · trickbook")
