"""My moves, on the page of the replay: own moves beside the strong bot's choices, once the game is over."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.conftest import Village
from tests.web.replay.pages import replay_page
from tests.web.table.room import Person, Room

LINK = re.compile(r"\?at=\d+&seat=\d#what-if$")


@pytest.mark.slow
def test_own_moves_are_compared_and_the_worst_leads_into_the_what_if(
    browser: Browser, village: Village, people: list[Person]
) -> None:
    with replay_page(browser, village.rooms["over"], people[0], "#my-moves") as page:
        page.get_by_role("button", name="Compare my moves").click()
        panel = page.locator("[data-zone=my-moves]")
        expect(panel).to_contain_text(re.compile(r"of your \d+ moves"))
        panel.get_by_text("All my moves").click()
        moves = panel.locator("details li")
        expect(moves).not_to_have_count(0)
        link = panel.get_by_role("link").first
        expect(link).to_have_attribute("href", LINK)
        link.click()
        expect(page.get_by_role("region", name="What if? A sandbox")).to_be_visible()


def test_before_the_end_there_is_nothing_to_compare_and_a_watcher_has_no_moves(
    browser: Browser, room: Room, people: list[Person]
) -> None:
    with replay_page(browser, room, people[0]) as page:
        page.get_by_text("My moves", exact=True).click()
        expect(page.locator("[data-zone=my-moves]")).to_contain_text("When the game is over")
        expect(page.get_by_role("button", name="Compare my moves")).to_have_count(0)
    with replay_page(browser, room, None) as page:
        expect(page.get_by_text("My moves", exact=True)).to_have_count(0)
