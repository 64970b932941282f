"""No test draws without a seed or waits for a time to pass, unless a list says why."""

from tests.layout.chance_search import LISTED, findings, found_in, listed

SAMPLES = {
    "from time import sleep\ndef test_a(): sleep(0.1)": "sleep",
    "async def test_a(): await asyncio.sleep(0)": None,
    "CODE = 'import time; time.sleep(1)'": "sleep in a text",
    "def test_a(): Random().random()": "Random without a seed",
    "def test_a(): Random(7).random()": None,
    "def test_a(): secrets.SystemRandom()": "SystemRandom",
    "def test_a(): os.urandom(8)": "urandom",
    "GAME = str(uuid4())": "uuid4 while the module is imported",
    "def test_a(): uuid4()": None,
    "def test_a(): until = time.monotonic() + 1": None,
    "def test_a(): name = f'ann {time.time_ns()}'": "a name from the clock",
}


def test_nothing_draws_or_pauses_unless_it_is_listed_with_a_reason() -> None:
    found = list(findings())
    assert [f"{path}:{line}: {what}" for path, line, what in found if not listed(path)] == []
    assert [each for each in LISTED if not any(path.startswith(each) for path, _, _ in found)] == [], "take it off"


def test_each_kind_of_draw_and_pause_is_found() -> None:
    for source, what in SAMPLES.items():
        assert [kind for _, kind in found_in(source)] == ([] if what is None else [what]), source
