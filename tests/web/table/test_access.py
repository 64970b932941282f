"""Axe finds no fault at the table in any phase, light and dark, on a phone and on a wide screen."""

import pytest
from playwright.sync_api import Page

from tests.web.pages.visitors import violations
from tests.web.table.pages import show
from tests.web.table.recorded import MADE, PLAYED, one_of_each

LOOKS = [(360, "light"), (1440, "dark")]
IN_SHORT = {
    "Pitch": ("auction bid pass turn", "story"),
    "Blackout": ("auction bid turn blind", "scores"),
    "Corellian": ("play delay vote deferred", "talk"),
    "Corellian host": ("discarding discard turn many many", "scores"),
    "Cuts": ("waiting cuts", "scores"),
    "disputes": ("over ruled disputed ruled", "scores"),
}
"""One moment of each game for every run; the others are slow."""
THEME = """(theme) => {
  document.documentElement.dataset.theme = theme;
}"""
OPEN = "() => { document.querySelector('details').open = true; }"


def look(page: Page, width: int, theme: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate(THEME, theme)


@pytest.mark.parametrize("name", IN_SHORT)
def test_axe_finds_nothing_wrong(name: str, page: Page) -> None:
    kind, tab = IN_SHORT[name]
    look(page, *LOOKS[list(IN_SHORT).index(name) % 2])
    show(page, one_of_each(name)[kind], tab=tab)
    page.evaluate(OPEN)
    assert violations(page) == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("width_and_theme", LOOKS, ids=lambda look: f"{look[0]} {look[1]}")
@pytest.mark.parametrize("name", [*PLAYED, *MADE])
def test_axe_finds_nothing_wrong_in_any_phase(name: str, page: Page, width_and_theme: tuple[int, str]) -> None:
    look(page, *width_and_theme)
    for kind, moment in one_of_each(name).items():
        show(page, moment, tab="story")
        assert violations(page) == [], kind
