"""Branches: a revealed hand played on with other moves, and the way back."""

import re

from playwright.sync_api import Browser, expect

from tests.web.replay.pages import facts, replay_page, wait_for
from tests.web.table.room import Person, Room
from tests.web.table.spoken import words

MINUS = "\N{MINUS SIGN}"


def test_another_move_is_played_on_in_a_sandbox_and_nothing_of_it_stays(
    browser: Browser, room: Room, people: list[Person]
) -> None:
    bid = facts(room, "BidMade", "BidPassed")[0]
    at, version = bid["version"] - 1, room.public()["version"]
    with replay_page(browser, room, people[0], f"?at={at}") as page:
        page.get_by_role("button", name="What if").click()
        expect(page.get_by_role("region", name="What if? A sandbox")).to_be_visible()
        page.get_by_role("button", name="Bid 4", exact=True).click()
        assert bid["data"]["seat"] == room.seat_of(people[0])
        expect(page.locator("[data-say]")).to_have_text(re.compile("you bid 4"))
        page.get_by_role("button", name="Let bots play on").click()
        expect(page.locator(".sandbox-now")).to_contain_text("The hand is over.")
        table = page.get_by_role("region", name="Scores of the hand")
        expect(table.get_by_role("row")).to_have_count(3)
        played = facts(room, "HandScored")[0]["data"]["changes"]
        shown = table.get_by_role("row", name="As it was played").get_by_role("cell").all_inner_texts()
        assert [int(text.replace(MINUS, "-")) for text in shown] == played
        page.keyboard.press("Escape")
        wait_for(page, at)
    # a card is chosen from the hand of the seat to move, and taken back
    lead = facts(room, "CardPlayed")[0]
    at = facts(room, "TrumpPitched")[0]["version"] - 1
    with replay_page(browser, room, people[0], f"?at={at}") as page:
        page.get_by_role("button", name="What if").click()
        name = "You" if lead["data"]["seat"] == room.seat_of(people[0]) else room.names[lead["data"]["seat"]]
        expect(page.locator(".own-area .seat-name")).to_have_text(name)
        other = page.locator(".own-card.lit:not([data-card='" + lead["data"]["card"] + "'])").first
        card = str(other.get_attribute("data-card"))
        other.click()
        expect(page.locator(".sandbox-now")).to_contain_text(words(card))
        page.get_by_role("button", name="Take back").click()
        expect(page.locator(f".own-card.lit[data-card='{card}']")).to_be_visible()
        page.get_by_role("button", name="Back to the game").click()
        wait_for(page, at)
    assert room.public()["version"] == version
