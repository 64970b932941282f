"""A hint at a table of practice, and why a strong bot played as it did, on the page of the replay."""

import re
import time

from playwright.sync_api import Browser, expect

from tests.step_limit import steps
from tests.web.replay.pages import replay_page
from tests.web.table.room import Person, Room, opened, page_of


def play_a_hand(room: Room) -> None:
    """Let the first seat play its last legal moves, and wait for the bot's tick in between, until a hand is over."""
    spent = steps(400)
    while not (view := room.public())["last_hand"]:
        next(spent)
        if view["turn"]["seats"] == [0]:
            room.move(0)
        else:
            time.sleep(0.1)


def test_a_hint_and_then_why_the_bot_played_as_it_did(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:1], "pitch", seats=["ann", "bot:strong"], undo="practice")
    spent = steps(300)
    while room.public()["turn"]["seats"] != [0]:
        next(spent)
        time.sleep(0.1)
    with page_of(browser, room, people[0]) as page:
        page.get_by_role("button", name="Hint").click()
        expect(page.locator("[data-say]")).to_have_text(re.compile("^(Hint: .* best in|You can only)"))
    play_a_hand(room)
    made = [each for each in room.events() if each["by"] == "bot:strong:1" and each["fact"] in ("BidMade", "BidPassed")]
    at = made[0]["version"]
    with replay_page(browser, room, people[0], f"?at={at}") as page:
        page.get_by_text("Why this move").click()
        page.get_by_role("button", name="Why did the bot play this?").click()
        expect(page.locator(".replay-why tbody tr")).not_to_have_count(0)
        expect(page.locator("[data-zone=why]")).to_contain_text("Of 100 deals that")
        expect(page.locator("[data-zone=why]")).to_contain_text("The gain is the average of these deals")
        expect(page.locator(".replay-why tbody th", has_text="(chosen)")).to_have_count(1)
