"""Stepping through a game: keys, slider, links, seats, cards and their reasons."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.pages.visitors import check_access
from tests.web.replay.pages import address, facts, moment, replay_page, wait_for
from tests.web.table.room import Person, Room, opened
from tests.web.table.spoken import words


def test_keys_step_by_event_by_trick_and_to_both_ends_and_each_has_a_button(
    browser: Browser, room: Room, people: list[Person]
) -> None:
    played, taken = facts(room, "CardPlayed"), facts(room, "TrickTaken")
    with replay_page(browser, room, people[0], f"?at={played[0]['version']}") as page:
        page.keyboard.press("ArrowRight")
        wait_for(page, played[1]["version"])
        assert address(page)["at"] == str(played[1]["version"])
        names = ["You" if seat == room.seat_of(people[0]) else name for seat, name in enumerate(room.names)]
        name, card = names[played[1]["data"]["seat"]], words(played[1]["data"]["card"])
        expect(page.locator("[data-say]")).to_contain_text(f"Trick 1: {name}, {card}.")
        for key, at in (
            ("ArrowLeft", played[0]["version"]),
            ("ArrowDown", taken[0]["version"]),
            ("ArrowDown", taken[1]["version"]),
            ("ArrowUp", taken[0]["version"]),
            ("End", room.public()["version"]),
            ("Home", 1),
        ):
            page.keyboard.press(key)
            wait_for(page, at)
        page.get_by_role("button", name="to the end (End)").click()
        wait_for(page, room.public()["version"])
        page.locator("#replay-seat").focus()
        page.keyboard.press("Home")  # keys are off in fields
        assert moment(page) == room.public()["version"]
        page.get_by_role("button", name="to the beginning (Home)").click()
        wait_for(page, 1)


def test_a_key_can_be_changed_and_dull_events_are_skipped_and_a_lost_network_is_said(
    browser: Browser, room: Room, people: list[Person]
) -> None:
    first_bid = facts(room, "BidMade", "BidPassed")[0]["version"]
    dealt = facts(room, "HandDealt")[0]["version"]
    with replay_page(browser, room, people[0], f"?at={first_bid}") as page:
        page.keyboard.press("ArrowLeft")
        wait_for(page, dealt)
        page.get_by_label("Skip events").uncheck()
        page.keyboard.press("ArrowRight")
        wait_for(page, dealt + 1)
        page.context.set_offline(True)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".alert")).to_contain_text("can't be reached")
        page.context.set_offline(False)
        expect(page.locator(".alert")).to_have_count(0)
        assert moment(page) == dealt + 2
        page.get_by_text("Keys", exact=True).click()
        page.get_by_role("button", name="Change to the end").click()
        page.keyboard.press("e")
        page.keyboard.press("e")
        wait_for(page, room.public()["version"])
        expect(page.get_by_role("button", name="to the end (e)")).to_be_visible()


def test_a_link_is_a_position_and_back_goes_to_where_one_jumped_from(
    browser: Browser, room: Room, people: list[Person]
) -> None:
    scored = facts(room, "HandScored")[0]["version"]
    at, seat = facts(room, "CardPlayed")[3]["version"], 2
    may = ["clipboard-read", "clipboard-write"]
    with replay_page(browser, room, people[0], f"?at={at}&seat={seat}", permissions=may) as page:
        expect(page.locator("#replay-seat")).to_have_value(str(seat))
        expect(page.locator(".own-area .seat-name")).to_have_text(room.names[seat])
        page.get_by_role("button", name="Copy link").click()
        expect(page.locator("[data-say]")).to_have_text("The link to this moment is copied.")
        assert page.evaluate("navigator.clipboard.readText()") == page.url
        dispute = page.get_by_role("link", name="Dispute from here").get_attribute("href")
        assert dispute == f"/games/{room.board}/disputes?at={at}&seat={seat}"
        page.keyboard.press("End")
        page.get_by_role("button", name="Last points").click()
        wait_for(page, scored)
        page.go_back()
        wait_for(page, room.public()["version"])
        page.go_forward()
        wait_for(page, scored)


def test_a_card_leads_to_the_event_that_played_it_and_to_the_one_that_dealt_it(
    browser: Browser, room: Room, people: list[Person]
) -> None:
    played = facts(room, "CardPlayed")
    at, card = played[0]["version"], played[2]["data"]["card"]
    with replay_page(browser, room, people[0], f"?at={at}&seat={played[2]['data']['seat']}") as page:
        page.locator(f".own-card[data-card='{card}']").click()
        wait_for(page, played[2]["version"])
        page.locator(f".trick .card-button[data-card='{card}']").click()
        expect(page.locator(".replay-now")).to_have_text(re.compile(f"gets .*{words(card)}"))
        page.get_by_role("button", name="played in event").click()
        wait_for(page, played[2]["version"])


def illegal_moment(room: Room) -> tuple[int, int, str, dict[str, Any]]:
    """Return a moment of the first hand, a seat, a card that it couldn't play then, and why."""
    for event in facts(room, "CardPlayed"):
        at, seat = event["version"] - 1, event["data"]["seat"]
        asked = room.people[0].call("GET", f"/games/{room.game}/legal?at={at}&seat={seat}")
        legal = {move.get("card") for move in asked["legal"]}
        for card in asked["cards"]:
            if asked["turn"] == [seat] and card not in legal:
                path = f"/games/{room.game}/legal?at={at}&seat={seat}&move={card}"
                return at, seat, card, room.people[0].call("GET", path)["tried"]
    pytest.fail("every card of the hand could be played")


def test_cards_that_were_illegal_are_grey_with_the_reason_and_its_clause_and_a_frame_marks_the_event_that_is_shown(
    browser: Browser, room: Room, people: list[Person]
) -> None:
    at, seat, card, why = illegal_moment(room)
    with replay_page(browser, room, people[0], f"?at={at}&seat={seat}") as page:
        expect(page.locator(f".own-card[data-card='{card}']")).to_have_class(re.compile("dull"))
        reasons = page.locator(".replay-reasons")
        expect(reasons).to_contain_text(why["says"])
        expect(reasons.get_by_role("img", name=words(card))).to_be_visible()
        clause = reasons.get_by_role("link", name=why["clauses"][0])
        expect(clause).to_have_attribute("href", f"/rules/pitch#{why['clauses'][0]}")
        check_access(page)
        # with the colors of the system, too
        page.emulate_media(forced_colors="active")
        frames = page.locator(".replay-events button").evaluate_all(
            "all => all.map((each) => [each.ariaCurrent, getComputedStyle(each).outlineStyle])"
        )
        assert {current for current, style in frames if style == "solid"} == {"step"}
        assert [style for current, style in frames if current] == ["solid"]


def test_a_live_hand_is_shown_as_the_own_seat_and_as_everybody_saw_it(
    browser: Browser, room: Room, people: list[Person]
) -> None:
    own = room.seats.index(people[0].id)
    other = 1 if own == 0 else 0
    with replay_page(browser, room, people[0], f"?at={room.public()['version']}&seat={other}") as page:
        expect(page.locator(".replay-note")).to_have_text(re.compile("aren't open to you"))
        assert address(page)["seat"] == "none"
        closed = page.locator("#replay-seat option[disabled]")
        expect(closed).to_have_count(len(room.seats) - 1)
        page.locator("#replay-seat").select_option(str(own))
        expect(page.locator(".own-card")).to_have_count(len(room.view(own)["you"]["cards"]))
        assert page.get_by_role("button", name="What if").get_attribute("aria-disabled") == "true"
        page.get_by_text("Embed this hand").click()
        expect(page.get_by_text("can be embedded once it's over")).to_be_visible()


def test_a_new_move_of_a_live_game_lengthens_its_replay(browser: Browser, people: list[Person]) -> None:
    live = opened(people[:2], "pitch")
    with replay_page(browser, live, people[0]) as page:
        assert moment(page) == live.public()["version"]
        live.move(live.public()["turn"]["seats"][0])
        expect(page.locator(".replay-slider")).to_have_attribute("max", str(live.public()["version"]))
        page.keyboard.press("End")
        wait_for(page, live.public()["version"])


def test_all_hands_lie_open_once_everybody_may_see_them_and_not_before(
    browser: Browser, room: Room, people: list[Person]
) -> None:
    first = facts(room, "CardPlayed")[0]["version"]
    with replay_page(browser, room, None, f"?at={first}") as page:
        expect(page.locator(".seen-card")).to_have_count(3 * 6 - 1)
        page.get_by_label("Show all hands").uncheck()
        expect(page.locator(".seen-card")).to_have_count(0)
        page.get_by_label("Show all hands").check()
        page.keyboard.press("End")
        wait_for(page, room.public()["version"])
        expect(page.get_by_label("Show all hands (once the hand is over)")).to_be_disabled()
        expect(page.locator(".seen-card")).to_have_count(0)


def test_a_replay_plays_by_itself_until_it_is_stopped_with_the_hand_in_view(
    browser: Browser, room: Room, people: list[Person]
) -> None:
    played = facts(room, "CardPlayed")
    with replay_page(browser, room, people[0], f"?at={played[0]['version']}") as page:
        page.set_viewport_size({"width": 1280, "height": 800})
        assert page.locator(".zone-hand").evaluate("(hand) => hand.getBoundingClientRect().bottom <= innerHeight")
        page.get_by_label("Speed").select_option("fast")
        page.keyboard.press("p")
        expect(page.get_by_role("button", name="pause (p)")).to_be_visible()
        wait_for(page, played[2]["version"])
        page.get_by_role("button", name="pause (p)").click()
        expect(page.get_by_role("button", name="play by itself (p)")).to_be_visible()
