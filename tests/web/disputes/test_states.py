"""What the pages say to whom: refusals, erased texts, a server that is away, and nothing of hidden cards."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.disputes.scene import Scene, address, contest, erase_texts, played_game
from tests.web.table.room import Room, opened

CARD_NAME = re.compile(r"(two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|ace) of (clubs|\w+s)")


@pytest.fixture(scope="module")
def over(scene: Scene) -> Room:
    """A game whose first hand ann disputes."""
    room = played_game(scene)
    contest(room, details={"accused": {"seat": 1}})
    return room


def test_a_stranger_and_other_players_read_why_they_can_do_nothing(browser: Browser, scene: Scene, over: Room) -> None:
    with scene.page(browser, None, address(over)) as page:
        expect(page.get_by_text("Only a player of this game can open a dispute. If you played here")).to_be_visible()
        expect(page.get_by_text("Only the players of this game and arbiters can read the text.")).to_be_visible()
    with scene.page(browser, "eve", address(over)) as page:
        expect(page.get_by_text("you didn't play here")).to_be_visible()
        expect(page.get_by_text("An arbiter who doesn't play in this game rules on it.")).to_be_visible()
        assert "looked into" not in page.content()
        page.goto(scene.url + "/disputes")
        expect(page.get_by_text("Disputes wait here for arbiters, and you aren't one.")).to_be_visible()
    with scene.page(browser, None, "/disputes") as page:
        expect(page.get_by_text("Sign in as an arbiter")).to_be_visible()


def test_a_refusal_is_shown_in_the_servers_words_and_the_text_stays(browser: Browser, scene: Scene, over: Room) -> None:
    with scene.page(browser, "bob", address(over), refusals=1) as page:
        page.get_by_role("button", name="Open a dispute").click()
        page.get_by_role("button", name="Send the dispute").click()
        expect(page.get_by_text("Fill this in.")).to_be_visible()
        page.get_by_label("What happened?").fill("The score is wrong.")
        page.get_by_label("What is it about?").select_option("The score")
        page.get_by_label("Which hand?").select_option("Hand 1")
        contest(over, seat=1)
        page.get_by_role("button", name="Send the dispute").click()
        expect(page.get_by_text("You have already contested hand 1.")).to_be_visible()
        expect(page.get_by_label("What happened?")).to_have_value("The score is wrong.")


def test_an_erased_text_is_shown_as_erased(browser: Browser, scene: Scene, over: Room) -> None:
    with scene.page(browser, "ann", address(over)) as page:
        dispute = page.locator("#dispute-1")
        expect(dispute.get_by_text("bob looked into my cards")).to_be_visible()
        expect(dispute.get_by_text("Accused: bob")).to_be_visible()
        erase_texts(over, scene["mod"])
        page.reload()
        expect(dispute.get_by_text("A moderator has erased this text.")).to_be_visible()
        expect(dispute.get_by_text("Accused: bob")).to_have_count(0)


def test_a_live_hand_shows_no_card_that_was_not_played_and_can_be_dealt_again(browser: Browser, scene: Scene) -> None:
    room = opened([scene["ann"], scene["bob"]], "pitch", ["ann", "bob", "bot:simple"], options={"win": 21})
    contest(room, kind="revoke")
    for name in ("bob", "rhea"):
        with scene.page(browser, name, address(room)) as page:
            expect(page.get_by_text("Nobody can see yet whether a card could have followed")).to_be_visible()
            assert CARD_NAME.search(page.inner_text("main")) is None
            assert page.locator(".card").count() == 0
    with scene.page(browser, "rhea", address(room, "#dispute-1")) as page:
        expect(page.get_by_label("Change the score")).to_be_disabled()
        page.get_by_label("Deal hand 1 again").check()
        page.get_by_label("Your reasons").fill("The cards were seen.")
        page.get_by_role("button", name="Give this ruling").click()
        expect(page.get_by_text("Hand 1 was dealt again.")).to_be_visible()
    assert room.public()["hand"]["redeal"] == 1


def test_a_server_that_is_away_is_said_and_found_again(browser: Browser, scene: Scene, over: Room) -> None:
    with scene.page(browser, "ann", "/rules", refusals=1) as page:
        page.route(
            "**/api/v1/games/*", lambda route: route.fulfill(status=503, json={"detail": "Closed for a moment."})
        )
        page.goto(scene.url + address(over))
        expect(page.get_by_text("Closed for a moment.")).to_be_visible()
        page.unroute("**/api/v1/games/*")
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_text("Dispute 1: hand 1")).to_be_visible()
