"""Pages of the log are read once for all lists, adapt to the time that folding takes, and come when commits do."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from domain.store import Games
from domain.store.log import LogPage, Numbers, Positions
from projections.followers.log_pages import FIRST_EVENTS, PAGE_S, LogPages
from tests.projections.playing_stored import Play

PATIENCE = 60
QUICK_S = PAGE_S / 2


def test_lists_at_the_same_positions_share_a_page(games: Games, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    play.open()
    pages, sizes, read = LogPages(games, 4000), list[int](), games.log.read

    def read_and_count(after: Positions, limit: int, upto: Numbers | None = None) -> LogPage:
        sizes.append(limit)
        return read(after, limit, upto)

    monkeypatch.setattr(games.log, "read", read_and_count)
    page = pages.read(())
    assert pages.read(()) is page
    assert pages.read(page.end).rows == []
    assert sizes == [FIRST_EVENTS] * 2
    pages.forget()
    assert pages.read(()) is not page
    assert LogPages(games, 4000).read((), pages.last).rows == page.rows  # nobody has asked the log yet


def sizes_after(pages: LogPages, *folded: tuple[int, float]) -> list[int]:
    """Return the sizes of pages after each of them took its time."""
    sizes = []
    for events, seconds in folded:
        pages.note_time(events, seconds)
        sizes.append(pages._size)
    return sizes


def test_pages_grow_while_they_are_full_and_quick_and_are_halved_if_they_take_long(games: Games) -> None:
    grown = [(500, QUICK_S), (1000, QUICK_S), (5, QUICK_S), (2000, QUICK_S), (4000, QUICK_S)]
    assert sizes_after(LogPages(games, 4000), *grown) == [1000, 2000, 2000, 4000, 4000]
    halved = [(500, QUICK_S), (1000, QUICK_S), (2000, 1.0), (1000, 1.0), (500, 1.0)]
    assert sizes_after(LogPages(games, 4000), *halved) == [1000, 2000, 1000, FIRST_EVENTS, FIRST_EVENTS]
    assert sizes_after(LogPages(games, 10), (10, 1.0)) == [10]


def test_a_wait_ends_with_a_commit(games: Games, play: Play) -> None:
    play.open()
    pages, stop, seen = LogPages(games, 4000), threading.Event(), games.log.last_numbers()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(pages.await_commit, seen, PATIENCE, stop)
        play.open(2, board=2)
        waiting.result(PATIENCE / 2)
    assert sum(pages.last) > sum(seen)


def test_a_wait_ends_at_its_time_when_it_is_stopped_and_if_nobody_wants_a_page(games: Games) -> None:
    pages, stop = LogPages(games, 4000), threading.Event()
    pages.await_commit((), 0.01, stop)
    pages.await_commit(None, PATIENCE, stop)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(pages.await_commit, (), PATIENCE, stop)
        stop.set()
        waiting.result(PATIENCE / 2)
