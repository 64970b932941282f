"""A first hand: a recorded hand that a newcomer plays, offered once, one thing at a time."""

from playwright.sync_api import Page, expect

from tests.generators.first_hand import FILE, recorded_hand, script
from tests.web.pages.visitors import Visitor, check_access

OFFER = "New to Pitch? Play a first hand"
PARTS = 15
CARDS = {5: "AH", 7: "KH", 9: "4D", 11: "JH", 13: "7C", 14: "9C"}
"""The parts in which a card is played, and which."""
HURRY = "const wait = setTimeout; globalThis.setTimeout = (then, ms, ...more) => wait(then, ms / 20, ...more);"
"""The others play a card in each 0.8 seconds."""


def test_the_recorded_hand_is_what_the_command_writes() -> None:
    assert FILE.read_text(encoding="utf-8") == script(recorded_hand())


def test_a_guest_plays_it_to_its_end_and_it_is_offered_once(stranger: Visitor) -> None:
    stranger.context.add_init_script(HURRY)
    page = stranger.page("/")
    page.get_by_role("link", name=OFFER).click()
    for part in range(1, PARTS):
        reach(page, part)
        if part == 3:
            page.get_by_role("button", name="Bid 2", exact=True).click()
        elif part in CARDS:
            page.locator(f'.own-card[data-card="{CARDS[part]}"]').click()
        else:
            page.get_by_role("button", name="Next").click()
    reach(page, PARTS)
    expect(page.locator(".lesson-words")).to_contain_text("You won 3 points, and bid 2")
    expect(page.locator(".own-area .seat-score")).to_contain_text("3")
    check_access(page, 390)
    page.get_by_role("link", name="Play a game").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    expect(page.get_by_role("link", name=OFFER)).to_have_count(0)


def test_another_card_is_not_played_and_it_can_be_left(stranger: Visitor) -> None:
    stranger.context.add_init_script(HURRY)
    page = stranger.page("/first-hand")
    for part in (1, 2):
        reach(page, part)
        page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Bid 3", exact=True).click()
    expect(page.locator(".lesson-note")).to_contain_text("this hand is played already")
    reach(page, 3)
    page.get_by_role("link", name="Leave").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def reach(page: Page, part: int) -> None:
    expect(page.locator(".lesson-place")).to_have_text(f"{part} of {PARTS}")
