"""Nothing in the product asks another clock than the held one, unless a list says why."""

from tests.layout.clock_search import IN_PAGES, LISTED, LISTED_PAGES, findings, findings_in_pages, listed


def test_nothing_asks_another_clock_unless_it_is_listed_with_a_reason() -> None:
    found = list(findings())
    assert [f"{place}:{line}: {what}" for place, line, what in found if not listed(place)] == []
    assert [each for each in LISTED if not any(place.startswith(each) for place, _, _ in found)] == [], "take it off"


def test_no_page_asks_the_clock_of_the_browser_unless_it_is_listed_with_a_reason() -> None:
    assert IN_PAGES.search("const until = Date.now() + 1000;")
    found = list(findings_in_pages())
    assert [f"{place}:{line}" for place, line in found if place not in LISTED_PAGES] == []
    assert LISTED_PAGES.keys() == {place for place, _ in found}, "take it off"
