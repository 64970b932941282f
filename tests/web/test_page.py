"""The page at /verify in a real browser, from a real server: its output, its access by keyboard, its permissions."""

import json
import re
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from replay.history import export_bytes
from tests.api.server_process import start_server
from tests.conftest import Database
from tests.replay.forging import events_of, rewritten
from tests.web.engines import STATIC, Chromium, new_page
from tests.web.example import KEY, PATH, receipt
from tests.web.forgeries import FORGERIES, forged
from tests.web.games import game, started
from tests.web.reading import reports, told
from tests.web.test_fairdeal_js import VECTORS, asked_of, due_of, in_python, random_ceremonies


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    with start_server(Database(None, tmp_path_factory.mktemp("data"))) as serving:
        yield serving.url
        assert serving.stop() == 0


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A new page. It must not log anything, break the policy, or call another host."""
    opened, complaints = new_page(browser), list[str]()
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("request", lambda asked: complaints.extend([asked.url] * (not asked.url.startswith(address))))
    opened.goto(f"{address}/verify")
    yield opened
    opened.close()
    assert complaints == []


def choose(page: Page, data: bytes, name: str = "game.ndjson") -> None:
    """Choose a file."""
    page.get_by_label("Export of a game").set_input_files(
        {"name": name, "mimeType": "application/x-ndjson", "buffer": data}
    )


def test_before_a_file_is_chosen_the_page_says_so(page: Page) -> None:
    expect(page.get_by_role("status")).to_have_text("No file has been chosen yet.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Check a game")
    expect(page.locator("#report")).to_be_hidden()


def test_a_sound_game_is_shown_hand_by_hand(page: Page) -> None:
    page.get_by_label("Export of a game").set_input_files(PATH)
    expect(page.get_by_role("heading", level=2)).to_have_text("All is right")
    expect(page.get_by_role("status")).to_have_text("small-game.ndjson has been checked. All is right")
    expect(page.get_by_role("row")).to_have_count(4)
    expect(page.get_by_role("row").nth(2)).to_contain_text("hand 2✓ rightF20, 10scored")
    expect(page.locator("#findings")).to_have_text("Nothing is wrong.")
    expect(page.locator("#receipts")).to_contain_text(
        "The receipt in the file, of event 81: its signature is right, by a key that only this file names"
    )
    expect(page.locator("#report")).to_be_focused()


def test_a_forged_card_is_shown_with_its_event_and_its_deck(page: Page) -> None:
    data, version = forged(FORGERIES["cards in another order"])
    choose(page, data)
    expect(page.get_by_role("heading", level=2)).to_contain_text("Something is wrong: ")
    first = page.locator("#findings li").first
    expect(first).to_have_text(f"Event {version}: seat 0 gets other cards than the seed of ceremony 1 deals")
    expect(page.get_by_role("row").nth(1)).to_contain_text("✗ WRONG")
    expect(page.get_by_role("row").nth(2)).to_contain_text("✓ right")


def test_a_running_game_has_decks_that_are_not_revealed_yet(page: Page) -> None:
    choose(page, export_bytes(started("gamerz Pitch").seen_by(1)))
    expect(page.get_by_role("heading", level=2)).to_have_text("All is right so far; the game is still running")
    expect(page.get_by_role("row").last).to_contain_text("not revealed yet")
    expect(page.locator("#receipts")).to_have_text("None: nothing shows that the game is older than the file.")


def test_a_file_that_is_not_an_export_is_refused_and_the_next_file_is_read(page: Page) -> None:
    choose(page, b"hello\n", "<b>x</b>.txt")
    says = "<b>x</b>.txt can't be checked: its first line isn't the header of an export."
    expect(page.get_by_role("alert")).to_have_text(says)
    expect(page.locator("#report")).to_be_hidden()
    choose(page, PATH.read_bytes())
    expect(page.get_by_role("alert")).to_have_text("")
    expect(page.get_by_role("heading", level=2)).to_have_text("All is right")


def test_a_file_of_many_games_is_listed_game_by_game_and_one_is_chosen(page: Page) -> None:
    data, _ = forged(FORGERIES["cards in another order"])
    choose(page, PATH.read_bytes() + data, "all.ndjson")
    expect(page.get_by_role("heading", level=2)).to_have_text("2 games: 1 right, 1 wrong, 0 undecided")
    expect(page.locator("#games li").nth(1)).to_contain_text("board 1, pitch, ")
    expect(page.locator("#report")).to_be_hidden()
    page.get_by_role("button", name="All is right").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2).nth(1)).to_have_text("All is right")
    expect(page.locator("#report")).to_be_focused()
    page.get_by_role("button", name="Something is wrong").click()
    expect(page.get_by_role("heading", level=2).nth(1)).to_contain_text("Something is wrong: ")
    choose(page, PATH.read_bytes())
    expect(page.get_by_role("heading", level=2)).to_have_text("All is right")


def test_keys_json_is_pasted_unchanged_and_a_typo_in_a_key_is_not_a_finding(page: Page) -> None:
    page.get_by_text("A receipt, a root or keys you have kept").click()
    page.get_by_label("Keys of the server").fill(json.dumps({"keys": [KEY.text], "rotations": []}, indent=1))
    page.get_by_label("Export of a game").set_input_files(PATH)
    expect(page.get_by_role("heading", level=2)).to_have_text("All is right")
    expect(page.locator("#receipts")).to_contain_text("of event 81: its signature is right (key: ")
    page.get_by_label("Keys of the server").fill(KEY.text[:-4])
    page.get_by_role("button", name="Check again").click()
    expect(page.get_by_role("alert")).to_contain_text(" is invalid: it isn't an Ed25519 key for notes.")
    expect(page.locator("#report")).to_be_hidden()


def test_names_and_ids_made_of_markup_are_shown_as_text(page: Page) -> None:
    history = game("cuts")
    events = [{**event, "game": "<img src=x onerror=alert(1)>"} for event in events_of(history)]
    events[1]["data"]["subject"] = "<script>alert(1)</script>"
    choose(page, export_bytes(rewritten(history, events)))
    expect(page.locator("#hands")).to_contain_text("<script>alert(1)</script>")
    assert page.locator("#report img, #report script").count() == 0


def test_a_receipt_and_a_key_that_were_kept_are_checked_with_the_keyboard_alone(page: Page) -> None:
    page.get_by_label("Export of a game").set_input_files(PATH)
    expect(page.get_by_role("heading", level=2)).to_have_text("All is right")
    page.get_by_text("A receipt, a root or keys you have kept").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Receipt, the whole text")).to_be_focused()
    page.keyboard.insert_text(receipt(game("cuts"), 80))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.insert_text(KEY.text)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    kept = page.locator("#receipts li").nth(1)
    expect(kept).to_contain_text("The receipt you kept, of event 80: the log had another root after event 80 (key: ")
    expect(page.get_by_role("heading", level=2)).to_have_text("Something is wrong: 1 finding")


def test_a_file_that_is_dropped_is_checked(page: Page) -> None:
    given = page.evaluate_handle(
        "(text) => { const t = new DataTransfer(); t.items.add(new File([text], 'd.ndjson')); return t; }",
        PATH.read_text(encoding="utf-8"),
    )
    page.dispatch_event("#drop", "drop", {"dataTransfer": given})
    expect(page.get_by_role("status")).to_have_text("d.ndjson has been checked. All is right")


def test_every_field_has_a_name_and_the_page_fits_a_narrow_window(page: Page) -> None:
    unnamed = "els => els.filter(el => !el.labels.length).map(el => el.id)"
    assert page.eval_on_selector_all("input, textarea", unnamed) == []
    page.get_by_label("Export of a game").set_input_files(PATH)
    expect(page.locator("#report")).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_page_can_send_nothing_and_run_no_foreign_script(address: str) -> None:
    with urlopen(f"{address}/verify") as answer:
        policy = str(answer.headers["Content-Security-Policy"])
        html = answer.read().decode()
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "connect-src" not in policy
    assert "unsafe" not in policy
    assert {"require-trusted-types-for 'script'", "trusted-types 'none'"} <= set(policy.split("; "))
    assert "<script>" not in html
    assert "style=" not in html
    assert not re.search(r"<[^>]* on\w+=", html)


def test_other_files_of_the_server_are_not_served(address: str) -> None:
    for name in ("verify.html", "../config.py", "%2e%2e%2fconfig.py", "nothing.js", "package.json.bak"):
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{address}/static/{name}")
    with urlopen(f"{address}/static/verify.mjs") as answer:
        assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
        again = Request(answer.url, headers={"If-None-Match": answer.headers["ETag"]})
    with pytest.raises(HTTPError, match="304"):
        urlopen(again)


def test_vectors_ceremonies_and_exports_come_out_the_same_in_chromium(browser: Browser) -> None:
    chromium = Chromium(browser)
    asked = [*map(asked_of, VECTORS), *random_ceremonies(100)]
    answers = chromium.run(STATIC, {"do": "ceremonies", "module": "fairdeal.js", "asked": asked})
    assert answers == [*map(due_of, VECTORS), *map(in_python, random_ceremonies(100))]
    data, version = forged(FORGERIES["a taker"])
    right, wrong = reports(chromium, [export_bytes(game("cuts")), data])
    assert (right["ok"], right["receipts"][0]["ok"]) == (True, True)
    assert version in [at for at, _ in told(wrong)]
