"""The pages in other languages: as the browser asks, or as chosen in the settings."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from marshmallow import validate
from playwright.sync_api import Browser, Page, expect

from api import schemas
from api.conduct.services import schemas as conduct_schemas
from api.pages import about
from api.pages.game_pages import ABSENT, MAIN
from api.pages.html import LOADING, PAGES, SHELL
from api.pages.languages import DEFINED, ENGLISH, KEY, LANGUAGES, OTHERS, SAID, TEXT, defined_in, messages
from api.pages.rules import OVERVIEW, SHEETS
from api.pages.static_files import FILES, STATIC
from api.people.services import own_hours
from api.people.services import schemas as people_schemas
from api.tables.services import rulebook_checks, rulebook_document
from api.web.problems import all_problem_types
from domain.rules import consistency, rulebook
from domain.rules.consistency import faults
from domain.rules.variants import VARIANTS
from replay import rulebook_check
from tests.domain.house.test_consistency import FAULTS
from tests.web.pages.visitors import OPEN_ALL, Visitor, check_access, visitor
from tests.web.table.pages import gallery

VALUE = re.compile(r"\{(\w+)[}:]")
ABOUT = Path(about.__file__).read_text(encoding="utf-8").replace("{{{{", "{{").replace("}}}}", "}}")
NUMBER = re.compile(r"\d+")
SAYS = re.compile(r'"((?:[^"\\]|\\.)*)"')
SHOWN = """() => [...document.querySelectorAll("body *:not([lang=en], [lang=en] *)")].flatMap((each) =>
    [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim())
        .concat(each.ariaLabel ?? [], each.title || []))"""
VALUE_NAME = re.compile(r"\{\w+\}")
TWO_WORDS = re.compile("[a-z]{2} .*[a-z]{2}")
IN_OWN_WORDS = """(sentences) => import("/static/base/messages.js").then(({ inOwnWords }) =>
    sentences.map((each) => inOwnWords("fault.", each, (name, value) => `${name}=${value}`)))"""
WAITS_FOR_NOBODY = {"cuts": "none"}


def english() -> dict[str, str]:
    """Return the code of each English text by its key: of the scripts, the pages' frame, and their titles."""
    texts = {key: text for html in (SHELL, LOADING, MAIN, ABOUT) for key, text in TEXT.findall(html)}
    texts |= {f"variant.{variant.name}": variant.title for variant in VARIANTS.values()}
    texts |= {f"variant.{variant.name}.says": variant.summary for variant in VARIANTS.values()}
    texts |= {f"refusal.{slug}": kind.meaning for slug, kind in all_problem_types().items()}
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
    texts |= {key: key for key in messages(OTHERS[0]) if key.startswith(SAID)}
    assert len(texts) > 2000, "nothing was found"
    assert set(texts) ^ set(known) == set()
    assert {
        key: values(text) ^ values(known[key]) for key, text in texts.items() if values(text) != values(known[key])
    } == {}


def sentences(module: ModuleType) -> Iterator[str]:
    """Yield the sentences of a module and their parts, with {} for each value."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    docstrings = {each.value for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    joined = [each for each in ast.walk(tree) if isinstance(each, ast.JoinedStr)]
    parts = {part for each in joined for part in ast.walk(each) if part is not each}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not {node} & (docstrings | parts):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)


@pytest.mark.parametrize("language", OTHERS)
def test_each_sentence_about_a_field_is_one_of_the_server(language: str) -> None:
    modules = (schemas, people_schemas, conduct_schemas, own_hours, rulebook_document)
    found = {VALUE_NAME.sub("{}", text) for module in modules for text in sentences(module)}
    keys = {VALUE_NAME.sub("{}", key.removeprefix("sent.")) for key in messages(language) if key.startswith("sent.")}
    assert keys - found == {VALUE_NAME.sub("{}", validate.Range(0, 1).message_all)}


@pytest.mark.parametrize("language", OTHERS)
def test_each_sentence_that_refuses_house_rules_has_a_text_in_each_language(language: str) -> None:
    modules = (consistency, rulebook, rulebook_check)
    found = {text for module in modules for text in sentences(module) if TWO_WORDS.search(text)}
    keys = {key.removeprefix("fault.") for key in messages(language) if key.startswith("fault.")}
    assert {VALUE_NAME.sub("{}", key) for key in keys} ^ {*found, rulebook_checks.TOO_MUCH} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_each_fault_of_house_rules_is_said_in_each_language_with_its_values(language: str, browser: Browser) -> None:
    faulty = [sentence for _, rules, _ in FAULTS for _, sentence in faults(rules)]
    faulty += [f"With 3 players: {each}" for each in faulty]
    page, complaints = gallery(browser, language=language)
    said = page.evaluate(IN_OWN_WORDS, faulty)
    page.context.close()
    assert [each for each, own in zip(faulty, said, strict=True) if each == own or "{" in own] == []
    for each, own in zip(faulty, said, strict=True):
        assert {*NUMBER.findall(own.replace(".", ""))} <= {*NUMBER.findall(each)}
    assert complaints == []


def english_alone(language: str) -> Iterator[str]:
    """Yield the English texts that no text of a language is: a page in that language may not show them.

    Those with values have another text each time. The server's sentences about options are among them.
    """
    own = {form for message in messages(language).values() for form in forms(message)}
    for code in english().values():
        said = (SAYS.findall(code) or [code])[-1]
        if "{" not in said and said not in own:
            yield said
    for variant in VARIANTS.values():
        for option in variant.options:
            yield from (option.description, *(part.description for part in option.fields))


def forms(message: object) -> Iterator[str]:
    """Yield the texts of a message: one, or one for each plural form."""
    yield from (str(each) for each in (message.values() if isinstance(message, dict) else [message]))


def english_on(page: Page, language: str) -> set[str]:
    shown = {text.removesuffix(".") for text in page.evaluate(SHOWN)}
    return shown & {text.removesuffix(".") for text in english_alone(language)}


@pytest.mark.parametrize(("language", "locale"), [("de", "de-AT"), ("es", "es-MX")])
def test_a_browser_gets_its_language_on_every_page_and_no_english_is_left(
    language: str, locale: str, browser: Browser, home: str
) -> None:
    left = {}
    with visitor(browser, home, locale=locale) as made:
        name = f"ottilie{language}"
        made.sign_up(name)
        board = made.open_game(name, "bot:simple", fairness=WAITS_FOR_NOBODY)
        over = made.open_game(name, "bot:simple", fairness=WAITS_FOR_NOBODY)
        made.ask("POST", f"/games/{over}/moves", {"type": "resign"})
        forming = made.open_game(name, "open", "open", "open", variant="corellian")
        places = ("", "/replay", "/score", "/audit", "/disputes")
        paths = [
            "/",
            "/new",
            "/first-hand",
            "/me",
            "/standings",
            "/disputes",
            "/verify",
            "/app",
            "/rules",
            "/contact",
            "/privacy",
        ]
        paths += [f"/players/{name}", *(f"/games/{each}" for each in (board, forming))]
        paths += [f"/games/{over}{place}" for place in places]
        for path in paths:
            page = made.page(path)
            expect(page.locator("html")).to_have_attribute("lang", language)
            expect(page.locator("main :is(h1, h2)").first).to_be_attached()
            left[path] = english_on(page, language)
            page.close()
    assert {path: texts for path, texts in left.items() if texts} == {}


@pytest.mark.parametrize(("language", "locale"), [("de", "de-CH"), ("es", "es-ES")])
def test_every_game_of_a_new_table_and_of_house_rules_is_in_the_language_of_the_browser(
    language: str, locale: str, browser: Browser, home: str
) -> None:
    left = dict[str, set[str]]()
    with visitor(browser, home, locale=locale) as made:
        new, house = made.page("/new"), made.page("/house-rules")
        for variant in VARIANTS:
            new.locator("#variant").select_option(variant)
            left[f"new {variant}"] = english_on(new, language)
            house.locator("#house-from").select_option(variant)
            house.evaluate(OPEN_ALL)
            left[f"house {variant}"] = english_on(house, language)
    assert {place: texts for place, texts in left.items() if texts} == {}


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


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_the_overview_of_the_games_with_each_game_and_each_number(language: str) -> None:
    def rows(text: str) -> list[str]:
        return [line for line in text.splitlines() if line.startswith("| ")][1:]

    english_rows = rows(SHEETS[OVERVIEW].read_text(encoding="utf-8"))
    own_rows = rows((LANGUAGES / f"rules.{language}.md").read_text(encoding="utf-8"))
    assert len(own_rows) == len(english_rows) == len(VARIANTS)
    for variant, row, own in zip(VARIANTS.values(), english_rows, own_rows, strict=True):
        assert own.startswith(f"| [{messages(language)[f'variant.{variant.name}']}](/rules/{variant.sheet.page}) ")
        assert set(NUMBER.findall(row.partition("|")[2].partition("|")[2])) <= set(NUMBER.findall(own))


def test_apostrophes_are_those_of_ascii_everywhere() -> None:
    texts = [*LANGUAGES.iterdir(), *STATIC.rglob("*.js"), *STATIC.rglob("*.html")]
    assert [path.name for path in texts if "\u2019" in path.read_text(encoding="utf-8")] == []
