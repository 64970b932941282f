"""The page of house rules: write them, see what is wrong, let them be checked, open a table, and share them."""

import re

from playwright.sync_api import Page, expect

from tests.web.engines import PATIENCE_MS
from tests.web.pages.visitors import NOT_CONTRASTS, OPEN_ALL, OVERFLOW, Visitor, check_access, violations

BOARD = re.compile(r".*/games/[1-9][0-9]*$")
UNEXPLAINED = """(choices) => choices.filter((each) => !(each.querySelector("strong")?.textContent
    && each.querySelector(".says p")?.textContent && each.querySelector("input, select"))
).map((each) => each.dataset.choice)"""
ADDRESS = re.compile(r".*/house-rules#([0-9a-f]{64})$")


def opened(page: Page, group: str) -> None:
    """Open a group of choices by the keyboard."""
    summary = page.locator(f"#group-{group} > summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"#group-{group}")).to_have_attribute("open", "")


def short_rules(page: Page, name: str) -> None:
    """Write rules of which 200 games take a second."""
    page.get_by_label("Begin with").select_option("pitch")
    for count in "34567":
        page.get_by_role("checkbox", name=count, exact=True).uncheck()
    opened(page, "deal")
    page.get_by_label("Cards dealt to each player", exact=True).fill("1")
    opened(page, "end")
    page.get_by_label("Points to win the game", exact=True).fill("2")
    page.get_by_label("Name", exact=True).fill(name)


def test_rules_are_written_checked_played_and_shared(stranger: Visitor, friend: Visitor) -> None:
    page = stranger.sign_up("wilma").page("/house-rules")
    short_rules(page, "Wilma's small game")
    words = page.get_by_role("region", name="In plain words")
    changed = [re.compile(each) for each in ("For 2 players", "dealt one card", "first to reach 2 points")]
    expect(words.locator("li.new")).to_have_text(changed)
    page.get_by_role("button", name="Check these rules").click()
    expect(page).to_have_url(ADDRESS)
    expect(page.get_by_role("heading", level=1)).to_have_text("Wilma's small game")
    expect(page.get_by_role("strong").filter(has_text="These rules work.")).to_be_visible(timeout=3 * PATIENCE_MS)
    check_access(page, 360)
    shared = page.get_by_label("The link to these rules").input_value()
    assert ADDRESS.match(shared)
    page.get_by_role("link", name="Make a table").click()
    expect(page.get_by_label("Which game?").locator("option:checked")).to_have_text("Wilma's small game")
    expect(page.get_by_label("How many players?")).to_have_value("2")
    seat = page.get_by_label("Seat 2", exact=True)
    expect(seat).to_have_value("invite")
    seat.select_option("open")
    page.get_by_role("button", name="Make the table").click()
    expect(page).to_have_url(BOARD)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Wilma's small game, board")
    other = friend.page("/")
    expect(other.get_by_role("link", name=re.compile("^Wilma's small game, board"))).to_be_visible()
    page.get_by_role("button", name="Start now").click()
    page.get_by_role("button", name="Wilma's small game").click()
    rules = page.get_by_role("link", name="All rules, clause by clause")
    expect(rules).to_have_attribute("href", shared.removeprefix(stranger.home))
    other.goto(shared)
    expect(other.get_by_role("heading", level=1)).to_have_text("Wilma's small game")
    expect(other.get_by_text("Everybody is dealt one card.")).to_be_visible()
    other.get_by_role("button", name="Change these rules").click()
    expect(other.get_by_label("Begin with").locator("option:checked")).to_have_text("Wilma's small game")
    expect(other.get_by_role("region", name="In plain words").locator("li.new")).to_have_count(0)
    other.go_back()
    expect(other.get_by_role("heading", level=1)).to_have_text("Wilma's small game")
    expect(other.get_by_role("button", name="Erase my name and text")).to_have_count(0)
    page.goto(shared)
    page.get_by_role("button", name="Erase my name and text").click()
    page.get_by_role("button", name="Press once more").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("House rules without a name")


def test_what_is_wrong_stands_at_its_choice_or_is_a_sentence(stranger: Visitor) -> None:
    stranger.expected.add("400")
    page = stranger.sign_up("xenia").page("/house-rules")
    opened(page, "end")
    page.get_by_label("Points to win the game", exact=True).fill("20000")
    page.get_by_label("Name", exact=True).fill(" ")
    page.get_by_role("button", name="Check these rules").click()
    goal = page.get_by_label("Points to win the game", exact=True)
    expect(goal).to_have_attribute("aria-invalid", "true")
    expect(goal).to_be_focused()
    expect(page.locator("#rule-goal-fault")).to_contain_text("10000")
    expect(page.locator("#house-name-fault")).not_to_be_empty()
    check_access(page)
    goal.fill("11")
    page.get_by_label("Name", exact=True).fill("Too many cards")
    page.get_by_label("Cards dealt to each player", exact=True).fill("9")
    page.get_by_role("button", name="Check these rules").click()
    expect(page.get_by_role("alert").filter(has_text="needs 54 cards; this deck has 52")).to_be_visible()
    expect(goal).not_to_have_attribute("aria-invalid", "true")


def test_one_choice_takes_others_with_it_and_is_taken_back(stranger: Visitor) -> None:
    page = stranger.page("/house-rules")
    page.get_by_label("Begin with").select_option("setback")
    opened(page, "deal")
    page.get_by_label("Two jokers", exact=True).select_option("yes")
    words = page.get_by_role("region", name="In plain words")
    expect(words).to_contain_text("The deck has 54 cards, with jokers.")
    expect(words).to_contain_text("A K Q J joker 10 9")
    opened(page, "trump")
    page.get_by_label("Trump is", exact=True).select_option("always the same suit")
    expect(page.get_by_label("The suit that is always trump", exact=True)).to_have_value("4")
    expect(page.locator("#group-trump .group-count")).to_have_text("2 changed")
    page.get_by_role("button", name="Take back: Two jokers").click()
    expect(words).to_contain_text("The deck has 52 cards, without jokers.")
    expect(words).not_to_contain_text("joker 10")


def test_points_are_added_moved_and_removed_by_the_keyboard(stranger: Visitor) -> None:
    page = stranger.page("/house-rules")
    page.get_by_label("Begin with").select_option("setback")
    opened(page, "points")
    page.get_by_role("button", name="Add a point").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Add a point")).to_be_focused()
    page.get_by_label("Point 5: rank").select_option("three")
    page.get_by_label("Point 5: suit").select_option("of the off suit")
    page.get_by_label("Point 5: worth").fill("3")
    page.get_by_role("button", name="Move point 5 up").press("Enter")
    page.get_by_role("button", name="Remove point 1").press("Enter")
    said = page.get_by_role("region", name="In plain words").locator("li.of-points")
    expect(said).to_have_text([re.compile(each) for each in ("^Low", "^Jack", "^Off three.*3 points", "^Game")])
    expect(page.get_by_role("region", name="In plain words")).to_contain_text(
        "The three of the other suit of trump's color"
    )


def test_every_choice_is_shown_with_a_label_a_sentence_and_a_control_and_fits_a_phone(stranger: Visitor) -> None:
    page = stranger.page("/house-rules")
    for game in ("corellian", "oh-hell-minus", "ten-point-five"):
        page.get_by_label("Begin with").select_option(game)
        if game == "corellian":
            check_access(page, 360, "dark")
        page.set_viewport_size({"width": 320, "height": 640})
        page.evaluate(OPEN_ALL)
        assert page.evaluate(OVERFLOW) == 0
        assert violations(page, NOT_CONTRASTS) == []  # the colors are those of the first game
        assert page.locator("[data-choice]:not([hidden])").evaluate_all(UNEXPLAINED) == []
