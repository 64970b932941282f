"""Signing up, in and out, a guest's name, a new password, and settings of a browser."""

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.api.conftest import PASSWORD
from tests.web.pages.visitors import Visitor
from tests.web.table.room import Person

OTHER = "violet otter lantern"


def fill_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")


def test_a_name_is_signed_up_after_faults_at_their_fields_and_signed_out_and_in(stranger: Visitor) -> None:
    stranger.expected |= {"400", "401"}
    page = stranger.page("/sign-up")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    fill_in(page, "table", "short")
    expect(page.locator("#field-password-fault")).to_have_text("At least 8 characters.")
    fill_in(page, "table", PASSWORD)
    expect(page.locator("#field-name-fault")).not_to_be_empty()
    fill_in(page, "lena", PASSWORD)
    expect(page.get_by_role("listitem")).to_have_count(8)
    page.get_by_role("button", name="I have noted them").click()
    expect(page).to_have_url(f"{stranger.home}/")
    page.goto("/me")
    expect(page.locator("#account")).to_contain_text("lena")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator("#account")).to_contain_text("Sign in")
    page.goto("/sign-in#/new")
    fill_in(page, "lena", "wrong password")
    expect(page.get_by_role("alert")).to_contain_text("name")
    fill_in(page, "lena", PASSWORD)
    expect(page).to_have_url(re.compile("/new$"))


def test_the_page_after_signing_in_is_always_our_own(stranger: Visitor) -> None:
    stranger.sign_up("mona")
    for target in ("https://evil.example/x", "/.//evil.example"):
        page = stranger.page(f"/sign-in#{target}")
        fill_in(page, "mona", PASSWORD)
        expect(page).to_have_url(f"{stranger.home}/")


def test_a_guest_takes_a_name_and_keeps_the_game(stranger: Visitor) -> None:
    page = stranger.page()
    page.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(re.compile("/games/"))
    page.goto("/me")
    page.get_by_role("link", name="Take a name").click()
    page.get_by_label("Name").fill("nora")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Keep my games").click()
    expect(page.get_by_role("listitem")).to_have_count(8)
    page.get_by_role("button", name="I have noted them").click()
    expect(page.locator("#account")).to_contain_text("nora")
    page.goto("/")
    own = page.get_by_role("list").filter(has_text=re.compile("Your turn|waits for"))
    expect(own.first).to_be_visible()  # Play now may have found somebody else's table


def test_a_new_password_ends_other_sessions_and_keeps_this_one(stranger: Visitor, friend: Visitor) -> None:
    stranger.sign_up("olga")
    other = friend.sign_in(Person(friend.home, "olga").log_in()).page("/rules")
    expect(other.locator("#account")).to_contain_text("olga")
    page = stranger.page("/me")
    page.locator("summary", has_text="Password").first.click()
    page.get_by_label("Present password").fill(PASSWORD)
    page.get_by_label("New password").fill(OTHER)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("Your password is changed.")).to_be_visible()
    page.reload()
    expect(page.locator("#account")).to_contain_text("olga")
    other.reload()
    expect(other.locator("#account")).to_contain_text("Sign in")


def test_settings_hold_in_all_tabs_and_after_a_reload_without_a_flash(stranger: Visitor) -> None:
    page, other = stranger.page("/me"), stranger.page("/rules")
    page.get_by_label("Dark").check()
    page.get_by_label("Four colors").check()
    for tab in (page, other):
        expect(tab.locator("html")).to_have_attribute("data-theme", "dark")
        expect(tab.locator("html")).to_have_attribute("data-colors", "four")
    page.reload()
    expect(page.get_by_label("Dark")).to_be_checked()
    page.locator("summary", has_text="Keys").click()
    page.get_by_role("button", name="Change last trick").click()
    page.keyboard.press("x")
    expect(page.get_by_role("listitem").filter(has_text="last trick")).to_contain_text("x")


def test_a_player_sets_their_hours_and_later_vacations_stay(stranger: Visitor) -> None:
    stranger.sign_up("pola").expected.add("400")
    page = stranger.page("/me")
    page.get_by_text("Nights, weekends and vacation").click()
    page.get_by_label("Time zone").fill("Moon/Crater")
    page.get_by_role("button", name="Keep my hours").click()
    expect(page.get_by_text("Must be the name of a time zone")).to_be_visible()
    page.get_by_label("Time zone").fill("Europe/Berlin")
    page.get_by_label("My night begins at").fill("22:00")
    page.get_by_label("My night ends at").fill("07:00")
    page.get_by_label("My clock stands still on Saturdays and Sundays").check()
    page.get_by_role("button", name="Keep my hours").click()
    expect(page.get_by_text("Your hours are kept.")).to_be_visible()
    night = {"start": "22:00", "end": "07:00"}
    hours = {"zone": "Europe/Berlin", "night": night, "weekends": True, "vacation": list[object]()}
    assert hours.items() <= stranger.ask("GET", "/me/hours").items()
    today = datetime.now(UTC).date()
    first, second = (str(today + timedelta(days)) for days in (20, 40))
    hours["vacation"] = [{"first": first, "last": first}, {"first": second, "last": second}]
    stranger.ask("PUT", "/me/hours", hours | {"weekends": False})
    page.reload()
    page.get_by_text("Nights, weekends and vacation").click()
    expect(page.get_by_text(f"which stay as they are: {second} to {second}")).to_be_visible()
    page.get_by_label("My clock stands still on Saturdays and Sundays").check()
    page.get_by_role("button", name="Keep my hours").click()
    expect(page.get_by_text("Your hours are kept.")).to_be_visible()
    assert hours.items() <= stranger.ask("GET", "/me/hours").items()


def test_a_token_for_a_program_is_made_and_ended(stranger: Visitor) -> None:
    stranger.sign_up("petra")
    page = stranger.page("/me")
    page.locator("summary", has_text="A token for a program").click()
    page.get_by_label("What is it for?").fill("my bot")
    page.locator("#field-token-password").fill(PASSWORD)
    page.get_by_role("button", name="Make a token").click()
    expect(page.locator("code")).to_have_text(re.compile("^tb_"))
    page.get_by_role("button", name="End my bot").click()
    expect(page.get_by_text("my bot")).to_have_count(0)
