"""A dispute from a moment of a hand to the decision on the appeal, through the pages alone."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Village
from tests.web.disputes.scene import address
from tests.web.pages.visitors import check_access, visitor
from tests.web.table.room import Room


def ruled_scores(room: Room) -> list[int]:
    """Return the scores with the rulings in force."""
    view = room.public()
    played = [seat["score"] for seat in view["seats"]]
    scores: list[int] = view["ruled"]["scores"] if view["ruled"] else played
    return scores


def open_dispute(page: Page, room: Room) -> int:
    """Accuse bob of the card that the address names, and return the event of the evidence."""
    page.get_by_label("Whom do you accuse?").select_option("bob")
    expect(page.get_by_text("This is attached from the log")).to_be_visible()
    expect(page.locator(".played.disputed")).to_contain_text("bob")
    page.get_by_label("What happened?").fill("bob held a heart.")
    check_access(page)
    page.get_by_role("button", name="Send the dispute").click()
    expect(page.get_by_text("The dispute is open.")).to_be_visible()
    (item,) = room.by_seat(0).call("GET", f"/games/{room.game}/disputes")["items"]
    details = item["opened"]["details"]
    assert (details["accused"]["seat"], details["revokes"]) == (1, [item["opened"]["at_version"]])
    version: int = item["opened"]["at_version"]
    return version


def test_a_dispute_is_opened_ruled_on_appealed_and_decided(browser: Browser, village: Village) -> None:
    room = village.rooms["off suit"]
    cards = room.by_seat(0).call("GET", f"/games/{room.game}/revokes?hand=1")["cards"]
    at = next(card["version"] for card in cards if card["seat"] == 1)
    played, path = ruled_scores(room), address(room)
    with (
        visitor(browser, village.url, village.people["ann"]) as accuser,
        visitor(browser, village.url, village.people["bob"]) as accused,
        visitor(browser, village.url, village.people["rhea"]) as arbiter,
        visitor(browser, village.url, village.people["sol"]) as other,
    ):
        ann, bob = accuser.page(address(room, f"?at={at}&seat=0")), accused.page(path)
        expect(bob.get_by_text("Nothing is disputed in this game.")).to_be_visible()
        assert open_dispute(ann, room) == at
        expect(bob.get_by_text("Waits for an arbiter")).to_be_visible()
        expect(bob.get_by_text("You can read this text when the hand is over.")).to_be_visible()
        assert "bob held a heart" not in bob.content()

        rhea = arbiter.page("/disputes")
        waiting = rhea.locator(f"a[href^='{path}']", has_text="Look")
        expect(waiting).to_be_visible()
        check_access(rhea, scheme="dark")
        waiting.click()
        expect(rhea.get_by_text("bob held a heart.")).to_be_visible()
        rhea.get_by_label("Take back the points of hand 1").check()
        expect(rhea.locator(".preview tbody tr").nth(1).locator("td").last).to_have_text("0")
        rhea.get_by_label("Change the score").check()
        rhea.get_by_label("Points for bob").fill("-2")
        expect(rhea.locator(".preview tbody tr").nth(1).locator("td").nth(1)).to_have_text("\N{MINUS SIGN}2")
        rhea.get_by_label("Your reasons").fill("He could have followed.")
        check_access(rhea)
        rhea.get_by_role("button", name="Give this ruling").click()
        expect(rhea.get_by_text("rhea ruled just now.")).to_be_visible()
        assert ruled_scores(room) == [played[0], played[1] - 2, played[2]]

        expect(ann.get_by_role("heading", name="Scores")).to_be_visible()
        bob.get_by_text("Appeal against the ruling").click()
        bob.get_by_label("Why is the ruling wrong?").fill("I had none.")
        bob.get_by_role("button", name="Appeal", exact=True).click()
        expect(bob.get_by_text("bob appealed just now.")).to_be_visible()
        expect(rhea.get_by_text("You gave this ruling, so another arbiter decides the appeal.")).to_be_visible()

        sol = other.page()
        expect(sol.get_by_role("link", name=re.compile("Disputes [0-9]+ waits? for you"))).to_be_visible()
        sol.goto(path)
        sol.get_by_label("Reverse the ruling").check()
        sol.get_by_role("button", name="Send this decision").click()
        for page in (sol, ann, bob, rhea):
            expect(page.get_by_text("The ruling no longer counts. This is final.")).to_be_visible()
            expect(page.get_by_role("heading", name="Scores")).to_have_count(0)
        assert ruled_scores(room) == played
