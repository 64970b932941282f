"""What a player does beside the cards: resigning with a question, keys, autoplay, comments, and the host's changes."""

import re

from playwright.sync_api import Browser, expect

from tests.web.table.hands import focused
from tests.web.table.room import Person, model, opened, page_of, until_free, until_told

SEATS = ["ann", "bot:simple", "bot:simple", "bot:simple"]


def test_resigning_is_asked_for_and_then_ends_the_game(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    with page_of(browser, room, people[0]) as page:
        page.locator(".menu summary").click()
        page.get_by_role("button", name="Resign…").click()
        page.get_by_role("button", name="Cancel").click()
        assert room.public()["status"] == "active"
        page.get_by_role("button", name="Resign…").click()
        page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        expect(page.locator(".headline-text")).to_have_text(re.compile("^bob won with "))


def test_keys_say_what_they_name_and_are_off_while_one_types(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    with page_of(browser, room, people[0]) as page:
        said = page.locator("[data-say]")
        page.wait_for_function("() => !globalThis.table.game.sayTimer")
        page.keyboard.press("s")
        expect(said).to_have_text(re.compile(r"^Scores: ann 0 and bob 0|^Scores: bob 0 and ann 0"))
        page.keyboard.press("t")
        expect(said).to_have_text(re.compile(r"^(Your bid|bob to bid)"))
        page.keyboard.press("c")
        expect(said).to_have_text(re.compile("^No trick has been taken in this hand"))
        page.keyboard.press("h")
        assert (focused(page) or "").startswith("card ")
        page.get_by_role("tab", name="Chat").click()
        page.get_by_label("Message").fill("")
        page.get_by_label("Message").press_sequentially("tsch")
        expect(page.get_by_label("Message")).to_have_value("tsch")
        page.keyboard.press("Enter")
        expect(page.locator(".message")).to_contain_text("tsch")


def test_a_line_of_the_story_can_be_commented_on(browser: Browser, people: list[Person]) -> None:
    room = opened(people[:2], "pitch")
    with page_of(browser, room, people[0]) as page:
        page.get_by_role("tab", name="What happened").click()
        page.locator(".comment").first.click()
        page.get_by_label(re.compile("^Message about “Hand 1: ")).fill("well dealt")
        page.get_by_role("button", name="Send").click()
        expect(page.locator(".message")).to_contain_text("on event ")
        expect(page.locator(".message")).to_contain_text("well dealt")


def test_the_host_changes_a_rule_and_the_page_says_what_and_why(browser: Browser, people: list[Person]) -> None:
    options = {"randomizer": None, "host_changes": True}
    room = opened(people[:1], "corellian", seats=SEATS, options=options)
    with page_of(browser, room, people[0]) as page:
        until_free(page)
        page.locator(".menu summary").click()
        page.get_by_label("Change a rule, as the host").select_option("points:7")
        page.get_by_role("button", name="Change", exact=True).click()
        until_told(page, room.public()["version"])
        assert model(page)["rules"]["points"] == "7"
        expect(page.locator(".story")).to_have_count(0)
        page.get_by_role("tab", name="What happened").click()
        change = "The rules change: version 7. 10 points on offer become 7. The host changed it."
        expect(page.locator(".story .is-change").filter(has_text=change)).to_have_count(1)
