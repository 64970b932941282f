"""The page at /verify in a real browser, from a real server: its output, its access by keyboard, its permissions."""

import json
import re
from dataclasses import replace

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from replay.history import export_bytes
from tests.replay.forging import events_of, rewritten
from tests.replay.signing import cut
from tests.web.audit.test_audit_page import hand, states, verdict
from tests.web.engines import STATIC, Chromium
from tests.web.example import KEY, PATH, receipt
from tests.web.forgeries import FORGERIES, forged
from tests.web.games import game
from tests.web.pages.visitors import Visitor, check_access
from tests.web.reading import reports, told
from tests.web.verify.test_fairdeal_js import VECTORS, asked_of, due_of, in_python, random_ceremonies


@pytest.fixture
def page(stranger: Visitor) -> Page:
    return stranger.page("/verify")


def choose(page: Page, data: bytes, name: str = "game.ndjson") -> None:
    page.get_by_label("Export of a game").set_input_files(
        {"name": name, "mimeType": "application/x-ndjson", "buffer": data}
    )


def test_a_sound_game_agrees_with_itself_and_is_shown_hand_by_hand_once_its_file_is_chosen(page: Page) -> None:
    expect(page.get_by_role("status").filter(has_text="No file")).to_have_text("No file has been chosen yet.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Check a game")
    expect(page.locator("#verdict")).to_have_count(0)
    page.get_by_label("Export of a game").set_input_files(PATH)
    expect(verdict(page)).to_have_text("Everything fits")
    expect(page.locator("#verdict")).to_contain_text("No receipt of yours was compared")
    expect(page.locator("#verdict")).to_be_focused()
    right, none = (
        dict.fromkeys(("log", "deals", "play"), "right"),
        dict.fromkeys(("receipts", "rules", "people"), "none"),
    )
    assert states(page) == right | none
    expect(page.locator("#receipts")).to_contain_text("after event 81It fits: the log was the same then.")
    expect(page.locator("#receipts")).to_contain_text("The key that signed it is one that only the file names.")
    expect(page.locator("details.deal")).to_have_count(3)
    hand(page, 2).locator("summary").click()
    expect(hand(page, 2)).to_contain_text("As promised · F2 · ann deals · scored · ann +1 · Dörte +2")
    steps = hand(page, 2).locator(".steps")
    expect(steps).to_contain_text("ann cut with ")
    expect(steps).to_contain_text("which fits the seal from before the promise.")
    expect(steps).to_contain_text("This browser computed its fingerprint: the same as promised.")
    expect(steps.locator(".hands dt")).to_have_text(["ann", "Dörte"])
    expect(steps.locator(".hands .mini")).to_have_count(12)


def test_a_forged_card_is_one_cause_with_its_player_and_its_deal(page: Page) -> None:
    data, _ = forged(FORGERIES["cards in another order"])
    choose(page, data)
    expect(verdict(page)).to_have_text("Something is wrong")
    expect(page.locator(".causes > li > p")).to_have_text(
        ["In the deal of hand 1, the log gives other cards than the seed to: ann."]
    )
    expect(hand(page, 1)).to_contain_text("Not as promised")
    expect(hand(page, 2)).to_contain_text("As promised")
    hand(page, 1).locator("summary").click()
    expect(hand(page, 1).locator(".hands dd").first).to_contain_text("not as in the logThe log says:")
    for number in (2, 3):
        hand(page, number).locator("summary").click()
    expect(page.locator(".steps")).to_have_count(3)
    check_access(page, 360, "dark")


def test_no_receipt_is_marked_as_right_if_something_is_wrong_and_a_file_without_one_is_undecided(page: Page) -> None:
    whole = PATH.read_bytes()
    right = page.locator("[data-check=receipts][data-state=right], #receipts [data-state=right]")
    for old, new, state in ((b"9C", b"8C", "wrong"), (b'"ann"', b'"eve"', "none")):
        choose(page, whole.replace(old, new, 1))
        expect(verdict(page)).to_have_text("Something is wrong")
        expect(page.locator("[data-check=receipts]")).to_have_attribute("data-state", state)
        expect(right).to_have_count(0)
    choose(page, export_bytes(cut(game("cuts"), 60)))
    expect(verdict(page)).to_have_text("This can't be decided")
    expect(page.locator("#verdict")).to_contain_text("it holds no receipt: its end can be missing")
    expect(page.locator("main")).to_contain_text("nothing before the last is missing, changed, or moved")
    choose(page, whole.replace(b"\n", b"\r\n"))
    expect(verdict(page)).to_have_text("Everything fits")
    expect(page.locator("#verdict")).to_contain_text("Only the line ends differ from the server's file (CR LF in")
    expect(right).to_have_count(1)


def test_a_file_that_is_not_an_export_is_refused_and_the_next_files_are_listed_game_by_game(page: Page) -> None:
    choose(page, b"hello\n", "<b>x</b>.txt")
    says = "<b>x</b>.txt can't be checked: its first line isn't the header of an export."
    expect(page.get_by_role("alert")).to_contain_text(says)
    expect(page.locator("#verdict")).to_have_count(0)
    choose(page, PATH.read_bytes())
    expect(verdict(page)).to_have_text("Everything fits")
    expect(page.get_by_role("alert")).to_have_count(0)
    # a file of many games
    data, _ = forged(FORGERIES["cards in another order"])
    choose(page, PATH.read_bytes() + data, "all.ndjson")
    expect(page.locator("#many h2")).to_have_text("2 games: 1 right, 1 wrong, 0 undecided")
    expect(page.locator("#many li").nth(1)).to_contain_text("Board 1, gamerz Pitch: ann and Dörte: Something is wrong")
    expect(page.locator("#verdict")).to_have_count(0)
    page.get_by_role("button", name="Everything fits").focus()
    page.keyboard.press("Enter")
    expect(verdict(page)).to_have_text("Everything fits")
    expect(page.locator("#verdict")).to_be_focused()
    page.get_by_role("button", name="Something is wrong").click()
    expect(verdict(page)).to_have_text("Something is wrong")
    choose(page, PATH.read_bytes())
    expect(verdict(page)).to_have_text("Everything fits")
    expect(page.locator("#many")).to_have_count(0)


def test_keys_json_is_pasted_unchanged_and_a_typo_in_a_key_is_not_a_finding(page: Page) -> None:
    page.get_by_text("Compare with a receipt that you kept").click()
    page.get_by_label("Keys of the server").fill(json.dumps({"keys": [KEY.text], "rotations": []}, indent=1))
    page.get_by_label("Export of a game").set_input_files(PATH)
    expect(verdict(page)).to_have_text("Everything fits")
    expect(page.locator("#receipts")).to_contain_text("A key that you gave signed it.")
    page.get_by_label("Keys of the server").fill(KEY.text[:-4])
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("alert")).to_contain_text(" is invalid: it isn't an Ed25519 key for notes.")
    expect(page.locator("#verdict")).to_have_count(0)


def test_names_and_ids_made_of_markup_are_shown_as_text(page: Page) -> None:
    history = game("cuts")
    header = msgspec.structs.replace(history.header, players={"p0": "<img src=x onerror=alert(1)>"})
    choose(page, export_bytes(replace(history, header=header)))
    expect(page.locator(".game-title")).to_contain_text("<img src=x onerror=alert(1)>")
    events = [{**event, "game": "<b>other</b>"} for event in events_of(history)]
    choose(page, export_bytes(rewritten(history, events)))
    expect(verdict(page)).to_have_text("Something is wrong")
    assert page.locator("#main img, #main script, #main b").count() == 0


def test_a_receipt_and_a_key_that_were_kept_are_checked_with_the_keyboard_alone(page: Page) -> None:
    page.get_by_label("Export of a game").set_input_files(PATH)
    expect(verdict(page)).to_have_text("Everything fits")
    page.get_by_text("Compare with a receipt that you kept").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Receipts or roots")).to_be_focused()
    page.keyboard.insert_text(receipt(game("cuts"), 80))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.insert_text(KEY.text)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    kept = page.locator("#receipts li").nth(1)
    expect(kept).to_contain_text("you kept, after event 80It doesn't fit: the server signed something else.")
    expect(verdict(page)).to_have_text("Something is wrong")
    expect(page.locator(".causes > li")).to_have_count(1)


def test_a_file_that_is_dropped_is_checked(page: Page) -> None:
    given = page.evaluate_handle(
        "(text) => { const t = new DataTransfer(); t.items.add(new File([text], 'd.ndjson')); return t; }",
        PATH.read_text(encoding="utf-8"),
    )
    page.dispatch_event("#drop", "drop", {"dataTransfer": given})
    expect(page.get_by_text("d.ndjson has been checked. Everything fits.")).to_be_visible()


def test_the_page_can_send_nothing_and_run_no_foreign_script_and_no_other_files_are_served(stranger: Visitor) -> None:
    ask = stranger.context.request
    answer = ask.get("/verify")
    policy, html = answer.headers["content-security-policy"], answer.text()
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "connect-src" not in policy
    assert "unsafe" not in policy
    assert {"require-trusted-types-for 'script'", "trusted-types 'none'"} <= set(policy.split("; "))
    assert not re.search(r"<script>|style=|<[^>]* on\w+=", html)
    for name in ("verify-page.js", "../config.py", "%2e%2e%2fconfig.py", "nothing.js", "package.json.bak"):
        assert ask.get(f"/static/{name}").status == 404, name
    script = ask.get("/static/verify.mjs")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert ask.get("/static/verify.mjs", headers={"If-None-Match": script.headers["etag"]}).status == 304


def test_vectors_ceremonies_and_exports_come_out_the_same_in_chromium(browser: Browser) -> None:
    chromium = Chromium(browser)
    asked = [*map(asked_of, VECTORS), *random_ceremonies(100)]
    answers = chromium.run(STATIC, {"do": "ceremonies", "module": "fairdeal.js", "asked": asked})
    assert answers == [*map(due_of, VECTORS), *map(in_python, random_ceremonies(100))]
    data, version = forged(FORGERIES["a taker"])
    right, wrong = reports(chromium, [export_bytes(game("cuts")), data])
    assert (right["ok"], right["receipts"][0]["ok"]) == (True, True)
    assert version in [at for at, _ in told(wrong)]
