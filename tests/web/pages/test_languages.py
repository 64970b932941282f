"""The pages in other languages: as the browser asks, or as chosen in the settings."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, expect

from api.pages.game_pages import ABSENT, MAIN
from api.pages.html import LOADING, PAGES, SHELL
from api.pages.languages import DEFINED, ENGLISH, KEY, NAMED, OTHERS, TEXT, defined_in, messages
from api.pages.static_files import FILES, STATIC
from domain.rules.variants import VARIANTS
from tests.web.pages.visitors import Visitor, check_access, visitor

VALUE = re.compile(r"\{(\w+)[}:]")
SAYS = re.compile(r'"((?:[^"\\]|\\.)*)"')
ANY_LANGUAGE = re.compile(r"[^{]*\s[^{]*")
"""An English text of some words, without values, that a page in another language may not show."""
SHOWN = """() => [...document.querySelectorAll("body *:not([lang=en], [lang=en] *)")].flatMap((each) =>
    [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim())
        .concat(each.ariaLabel ?? [], each.title || []))"""
WAITS_FOR_NOBODY = {"cuts": "none"}


def english() -> dict[str, str]:
    """Return the code of each English text by its key: of the scripts, the pages' frame, and their titles."""
    texts = {key: text for html in (SHELL, LOADING, MAIN) for key, text in TEXT.findall(html)}
    texts |= {f"{NAMED}{variant.name}": variant.title for variant in VARIANTS.values()}
    texts |= {f"{NAMED}{variant.name}.says": variant.summary for variant in VARIANTS.values()}
    texts |= {f"title.{name}": page.title for name, page in {**PAGES, "absent": ABSENT}.items()}
    for path in sorted(STATIC.rglob("*.js")):
        source = path.read_text(encoding="utf-8")
        keys = defined_in(source)
        for block in DEFINED.finditer(source):
            starts = [*(found.start() for found in KEY.finditer(block["body"])), len(block["body"])]
            texts |= {next(keys): block["body"][start:end] for start, end in pairwise(starts)}
    return texts


def values(message: object) -> set[str]:
    return set(VALUE.findall(str(message)))


@pytest.mark.parametrize("language", OTHERS)
def test_each_language_has_every_text_with_its_values_and_no_other(language: str) -> None:
    texts, known = english(), messages(language)
    assert len(texts) > 2000, "nothing was found"
    assert set(texts) ^ set(known) == set()
    assert {
        key: values(text) ^ values(known[key]) for key, text in texts.items() if values(text) != values(known[key])
    } == {}


def two_word_texts(language: str) -> Iterator[str]:
    """Yield the English texts of more than one word and without values that have another text in a language."""
    known = messages(language)
    for key, code in english().items():
        said = SAYS.findall(code)[-1:] or [code]
        if ANY_LANGUAGE.fullmatch(said[0]) and isinstance(known[key], str) and known[key] != said[0]:
            yield said[0]


def test_a_browser_gets_its_language_on_every_page_and_no_english_is_left(browser: Browser, home: str) -> None:
    left = {}
    with visitor(browser, home, locale="de-AT") as made:
        made.sign_up("ottilie")
        board = made.open_game("ottilie", "bot:simple", fairness=WAITS_FOR_NOBODY)
        over = made.open_game("ottilie", "bot:simple", fairness=WAITS_FOR_NOBODY)
        made.ask("POST", f"/games/{over}/moves", {"type": "resign"})
        unknown = set(two_word_texts("de"))
        places = ("", "/replay", "/score", "/audit", "/disputes")
        paths = ["/", "/new", "/house-rules", "/first-hand", "/me", "/standings", "/disputes", "/verify", "/app"]
        paths += ["/players/ottilie", f"/games/{board}", *(f"/games/{over}{place}" for place in places)]
        for path in paths:
            page = made.page(path)
            expect(page.locator("html")).to_have_attribute("lang", "de")
            expect(page.locator("main :is(h1, h2)").first).to_be_attached()
            left[path] = unknown & set(page.evaluate(SHOWN))
            page.close()
    assert {path: texts for path, texts in left.items() if texts} == {}


def test_a_person_chooses_a_language_in_the_settings_and_gets_it_back(browser: Browser, home: str) -> None:
    spanish, german = messages("es"), messages("de")
    with visitor(browser, home, locale="es-MX") as made:
        page = made.page("/me")
        expect(page.get_by_role("heading", level=1)).to_have_text(str(spanish["me.settings-title"]))
        page.get_by_label("Deutsch").click()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.get_by_role("heading", level=1)).to_have_text(str(german["me.settings-title"]))
        check_access(page)
        page.goto("/standings")
        expect(page.get_by_role("link", name=str(german["shell.new"]))).to_be_visible()
        page.goto("/me")
        page.get_by_label(str(german["setting.language.auto"])).first.click()
        expect(page.locator("html")).to_have_attribute("lang", "es")
        assert [each["name"] for each in made.context.cookies()] == []


def test_a_missing_page_and_the_own_letters_in_the_lesson_are_in_the_language_of_the_browser(
    browser: Browser, home: str
) -> None:
    with visitor(browser, home, locale="de-DE") as made:
        made.expected.add("404")
        page = made.page("/nothing-here")
        expect(page.locator("main p").first).to_have_text(str(messages("de")["page.absent.says"]))
        page.goto("/first-hand")
        expect(page.locator(".own-area .avatar-letters")).to_have_text("DU")


def test_english_pages_load_no_other_words(stranger: Visitor) -> None:
    page = stranger.page("/rules/pitch")
    expect(page.locator("html")).to_have_attribute("lang", ENGLISH)
    assert not [url for url in stranger.requests if re.search(r"\.(?:de|es)\.js", url)]
    assert not [path for path in FILES if "languages" in path], "a page gets no more texts than it can show"
