"""The pages' words for each viewer: refusals, erased texts, a server that is away, and nothing of hidden cards."""

import re

from playwright.sync_api import Browser, expect

from tests.web.conftest import Village
from tests.web.disputes.scene import address, contest
from tests.web.pages.visitors import visitor
from tests.web.table.room import opened

CARD_NAME = re.compile(r"(two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace) of (clubs|\w+s)")


def test_strangers_and_other_players_read_why_they_can_do_nothing_and_the_accuser_reads_an_erased_text_as_erased(
    browser: Browser, village: Village
) -> None:
    room = village.rooms["disputed"]
    with visitor(browser, village.url) as made:
        page = made.page(address(room))
        expect(page.get_by_text("Only a player of this game can open a dispute. If you played here")).to_be_visible()
        text = page.locator("#dispute-1").get_by_text("Only the players of this game and arbiters can read the text.")
        expect(text).to_be_visible()
        page.goto("/disputes")
        expect(page.get_by_text("Sign in as an arbiter")).to_be_visible()
    with visitor(browser, village.url, village.people["eve"]) as made:
        page = made.page(address(room))
        expect(page.get_by_text("you didn't play here")).to_be_visible()
        hint = page.locator("#dispute-1").get_by_text("An arbiter who doesn't play in this game rules on it.")
        expect(hint).to_be_visible()
        assert "looked into" not in page.content()
        page.goto("/disputes")
        expect(page.get_by_text("Disputes wait here for arbiters, and you aren't one.")).to_be_visible()
    with visitor(browser, village.url, village.people["ann"]) as made:
        page = made.page(address(room))
        dispute = page.locator("#dispute-1")
        expect(dispute.get_by_text("bob looked into my cards")).to_be_visible()
        expect(dispute.get_by_text("Accused: bob")).to_be_visible()
        village.people["mod"].call("DELETE", f"/games/{room.game}/disputes/1/texts")
        page.reload()
        expect(dispute.get_by_text("A moderator has erased this text.")).to_be_visible()
        expect(dispute.get_by_text("Accused: bob")).to_have_count(0)


def test_a_server_that_is_away_is_found_again_and_its_refusal_is_shown_while_the_text_stays(
    browser: Browser, village: Village
) -> None:
    room = village.rooms["disputed"]
    with visitor(browser, village.url, village.people["bob"]) as made:
        made.expected |= {"409", "503"}
        page, closed = made.page("about:blank"), {"detail": "Closed for a moment."}
        page.route("**/api/v1/games/*", lambda route: route.fulfill(status=503, json=closed))
        page.goto(address(room))
        expect(page.get_by_text("Closed for a moment.")).to_be_visible()
        page.unroute("**/api/v1/games/*")
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_text("Dispute 1: hand 1")).to_be_visible()
        page.get_by_role("button", name="Open a dispute").click()
        page.get_by_role("button", name="Send the dispute").click()
        expect(page.get_by_text("Fill this in.")).to_be_visible()
        page.get_by_label("What happened?").fill("The score is wrong.")
        page.get_by_label("What is it about?").select_option("The score")
        page.get_by_label("Which hand?").select_option("Hand 1")
        expect(page.locator(".evidence li").first).to_contain_text(
            re.compile("bob took (the|no) .* The points follow from the cards")
        )
        contest(room, seat=1)
        page.get_by_role("button", name="Send the dispute").click()
        expect(page.get_by_text("You have already contested hand 1.")).to_be_visible()
        expect(page.get_by_label("What happened?")).to_have_value("The score is wrong.")
        own = page.locator("article.dispute", has_text="Withdraw this dispute")
        number = own.get_attribute("id")
        own.get_by_text("Withdraw this dispute").click()
        own.get_by_role("button", name="Withdraw", exact=True).click()
        expect(page.get_by_text("The dispute is withdrawn.")).to_be_visible()
        expect(page.locator(f"#{number}").get_by_text("Withdrawn", exact=True)).to_be_visible()


def test_a_live_hand_shows_no_card_that_was_not_played_and_can_be_dealt_again(
    browser: Browser, village: Village
) -> None:
    room = opened([village.people["ann"], village.people["bob"]], "pitch", ["ann", "bob", "bot:simple"])
    contest(room, kind="revoke")
    with (
        visitor(browser, village.url, village.people["bob"]) as accused,
        visitor(browser, village.url, village.people["rhea"]) as arbiter,
    ):
        page, rhea = accused.page(address(room)), arbiter.page(address(room, "#dispute-1"))
        for each in (page, rhea):
            expect(each.get_by_text("Nobody can see yet whether a card could have followed")).to_be_visible()
            assert CARD_NAME.search(each.inner_text("main")) is None
            assert each.locator(".card").count() == 0
        expect(rhea.get_by_label("Change the score")).to_be_disabled()
        rhea.get_by_label("Deal hand 1 again").check()
        rhea.get_by_label("Your reasons").fill("The cards were seen.")
        rhea.get_by_role("button", name="Give this ruling").click()
        expect(rhea.get_by_text("Hand 1 was dealt again.")).to_be_visible()
    assert room.public()["hand"]["redeal"] == 1
