"""A small campaign, and leaks that it must find: a check that can't fail would show nothing."""

from collections.abc import Iterator
from typing import Any

import pytest

from api.accounts.tables import table_lists
from api.services.conduct.chat import Chat, ChatPlace
from api.services.event_stream import read_page
from api.services.watching.gate import GameAccess, GameGate
from domain.state import State
from domain.store import NoSuchGame
from projections.views.audience import event_lines, viewer_of
from tests.campaigns.worlds.asking import classified
from tests.campaigns.worlds.campaign import Stage, open_stage, run_campaign, run_forming
from tests.values import replace

WORLDS, TABLES = 120, 20
SEARCHED = 400
"""Enough worlds to find each leak below."""


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    """Two servers in this process."""
    with open_stage() as opened:
        yield opened


def test_every_route_that_reads_is_asked_or_shows_no_game(stage: Stage) -> None:
    assert classified(stage.server.app) == (set(), set())


@pytest.mark.parametrize("part", [pytest.param(part, marks=pytest.mark.slow if part else ()) for part in range(4)])
def test_worlds_that_differ_in_what_a_viewer_may_not_know_give_them_the_same_bytes(stage: Stage, part: int) -> None:
    tally = run_campaign(stage, WORLDS // 4, f"part {part}")
    assert tally.differences == []
    assert (tally.worlds, tally.alike) == (WORLDS // 4, tally.requests)
    assert {"seat", "spectator"} < tally.by["viewer"].keys()
    assert {200, 400, 403, 404, 409} < tally.statuses.keys()


def test_tables_before_the_deal_that_differ_in_what_a_viewer_may_not_know_look_the_same(stage: Stage) -> None:
    tally = run_forming(stage, TABLES)
    assert tally.differences == []
    assert (tally.worlds, tally.alike) == (TABLES, tally.requests)


def leaks(stage: Stage, seed: int = 0) -> list[str]:
    """Return what a campaign finds first; `seed` is one that finds it soon."""
    return run_campaign(stage, SEARCHED, f"leak {seed}", until_found=True).differences


def test_canary_a_list_of_events_with_the_cards_of_seat_0_is_found(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_of_seat_0(entries: Any, _viewer: object, revealed: Any) -> list[bytes]:
        return event_lines(entries, 0, revealed)

    monkeypatch.setattr("api.routes.events.event_lines", all_of_seat_0)
    found = leaks(stage)
    assert found
    assert all("/events" in each for each in found)


@pytest.mark.slow
def test_frames_with_the_cards_of_a_lent_seat_for_those_who_left_it_are_found(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_times(state: State, player: str | None) -> Any:
        viewer = viewer_of(state, player)
        return getattr(viewer, "seat", viewer)

    monkeypatch.setattr("api.services.watching.gate.viewer_of", without_times)
    assert any("former holder" in each or "as spectator" in each for each in leaks(stage))


@pytest.mark.slow
def test_an_etag_that_counts_what_is_late_is_found(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = GameGate.access

    def access(gate: GameGate, game: str, player: str | None) -> GameAccess:
        found = judged(gate, game, player)
        return replace(found, state=replace(found.state, version=found.log_version))

    monkeypatch.setattr(GameGate, "access", access)
    assert any("late" in each for each in leaks(stage))


@pytest.mark.slow
def test_a_chat_with_the_texts_between_partners_for_those_who_left_is_found(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = Chat.reader

    def reader(chat: Chat, place: ChatPlace, **how: bool) -> Any:
        found = reads(chat, place, **how)
        return replace(found, channels=["table", "partner", "watchers"], side=None) if place.seat is None else found

    monkeypatch.setattr(Chat, "reader", reader)
    found = leaks(stage, 10)
    assert found
    assert all("/chat" in each for each in found)


@pytest.mark.slow
def test_a_private_game_that_answers_outsiders_in_other_words_is_found(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    judges = GameGate.judge

    def judge(gate: GameGate, state: State, player: str | None) -> Any:
        try:
            return judges(gate, state, player)
        except NoSuchGame:
            return None, False

    monkeypatch.setattr(GameGate, "judge", judge)
    assert any("as outsider" in each for each in leaks(stage))


@pytest.mark.slow
def test_an_event_stream_that_is_not_late_is_found(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(gate: GameGate, game: str, player: str | None, after: int) -> Any:
        page = read_page(gate, game, player, after)
        return replace(page, frames=(*page.frames, ((0, 0), b": %d\n\n" % page.log_head[1])))

    monkeypatch.setattr("tests.campaigns.worlds.asking.read_page", at_once)
    assert any("event-stream" in each for each in leaks(stage))


@pytest.mark.slow
def test_a_table_that_names_whom_it_asks_is_found(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.http.tables.forming_tables.shown_to", lambda table, _: table)
    found = run_forming(stage, TABLES, until_found=True).differences
    assert any("outsider of" in each for each in found)


@pytest.mark.slow
def test_a_table_that_is_gone_after_a_block_is_found(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who blocks the opener must look like one who doesn't answer."""
    usual = table_lists._visible

    def blocked(viewer: str | None, **how: bool) -> tuple[str, list[Any]]:
        where, values = usual(viewer, **how)
        return f"({where} AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.other = f.opener))", values

    monkeypatch.setattr(table_lists, "_visible", blocked)
    found = run_forming(stage, TABLES, until_found=True).differences
    assert any("p0, opener of" in each for each in found)
