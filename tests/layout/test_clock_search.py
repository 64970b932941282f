"""Nothing in the product asks another clock than the held one, unless a list says why."""

import pytest

from tests.layout.clock_search import IN_PAGES, LISTED, LISTED_PAGES, findings, findings_in_pages, found_in, listed


def test_nothing_asks_another_clock_unless_it_is_listed_with_a_reason() -> None:
    found = list(findings())
    assert [f"{place}:{line}: {what}" for place, line, what in found if not listed(place)] == []
    assert [each for each in LISTED if not any(place.startswith(each) for place, _, _ in found)] == [], "take it off"


def test_no_page_asks_the_clock_of_the_browser_unless_it_is_listed_with_a_reason() -> None:
    assert IN_PAGES.search("const until = Date.now() + 1000;")
    found = list(findings_in_pages())
    assert [f"{place}:{line}" for place, line in found if place not in LISTED_PAGES] == []
    assert LISTED_PAGES.keys() == {place for place, _ in found}, "take it off"


@pytest.mark.parametrize(
    "source",
    [
        "import time\ndef f(): return int(time.time())",
        "from time import time_ns",
        "def f(): return datetime.now(UTC)",
        "def f(): return date.today()",
        "import datetime\ndef f(): return datetime.datetime.now()",
        "import time as clock",
        "from datetime import datetime as moment",
        "def f(response): response.set_cookie('a', 'b', 60)",
        "counts = limits.storage.MemoryStorage()",
        "def f(clock=machine_time): ...",
        "def f(path): return path.stat().st_mtime",
        'PRUNE = "DELETE FROM counts WHERE expires < now()"',
        "EXPIRES = \"SELECT datetime('now')\"",
        'EXPIRES = "SELECT datetime()"',
    ],
)
def test_canary_each_kind_of_reader_is_found(source: str) -> None:
    assert list(found_in(source)) != []


def test_a_counter_and_the_held_clock_are_no_readers() -> None:
    source = '"""now()"""\nfrom time import monotonic\ndef f(database, clock): return database.now(), clock.now()'
    assert list(found_in(source)) == []
