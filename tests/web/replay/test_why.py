"""A hint at a table of practice, and why a strong bot played as it did, on the page of the replay."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.waiting import wait_for
from tests.web.replay.pages import replay_page
from tests.web.table.room import Person, Room, View, opened, page_of


def until_first_seat_moves(room: Room) -> View:
    """Wait for the moves of the bot, which come with its tick, and return the view."""
    return wait_for(room.public, lambda view: view["turn"]["seats"] == [0] or view["last_hand"])


@pytest.fixture(scope="module")
def practice(people: list[Person]) -> Room:
    """A game with a strong bot, in which the first seat moves."""
    room = opened(people[:1], "pitch", seats=["ann", "bot:strong"], undo="practice")
    until_first_seat_moves(room)
    return room


def test_a_player_gets_a_hint(browser: Browser, practice: Room) -> None:
    with page_of(browser, practice, practice.people[0]) as page:
        page.get_by_role("button", name="Hint").click()
        expect(page.locator("[data-say]")).to_have_text(re.compile("^(Hint: .* best in|You can only)"))


@pytest.mark.slow
def test_the_replay_says_why_the_bot_played_as_it_did(browser: Browser, practice: Room) -> None:
    while not until_first_seat_moves(practice)["last_hand"]:
        practice.move(0)
    bids = ("BidMade", "BidPassed")
    made = [each for each in practice.events() if each["by"] == "bot:strong:1" and each["fact"] in bids]
    with replay_page(browser, practice, practice.people[0], f"?at={made[0]['version']}") as page:
        page.get_by_text("Why this move").click()
        page.get_by_role("button", name="Why did the bot play this?").click()
        expect(page.locator(".replay-why tbody tr")).not_to_have_count(0)
        expect(page.locator("[data-zone=why]")).to_contain_text("Of 100 deals that")
        expect(page.locator("[data-zone=why]")).to_contain_text("The gain is the average of these deals")
        expect(page.locator(".replay-why tbody th", has_text="(chosen)")).to_have_count(1)
