"""A small campaign, and leaks that it must find: a check that can't fail would show nothing."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from api.conduct.services.chat import Chat, ChatAccess
from api.play.services.event_stream import read_page
from api.play.services.gate import GameGate
from api.tables.stored import table_lists
from domain.cards import RANK
from domain.state import State
from domain.store import Games, NoSuchGame
from projections.views.audience import event_lines, viewer_of
from replay.history import History
from replay.history.receipts import with_receipt
from tests.api.secrecy.read_routes import get_rules
from tests.campaigns.worlds.asking import ALSO, OFTEN, OTHERS
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


def test_every_address_that_is_read_is_a_route(stage: Stage) -> None:
    assert {*OFTEN, *OTHERS, *ALSO} <= set(get_rules(stage.server.app))


@pytest.mark.parametrize("part", [pytest.param(part, marks=pytest.mark.slow if part else ()) for part in range(4)])
def test_worlds_that_differ_in_what_a_viewer_may_not_know_give_them_the_same_bytes(stage: Stage, part: int) -> None:
    tally = run_campaign(stage, WORLDS // 4, f"part {part}")
    assert tally.differences == []
    assert (tally.worlds, tally.alike) == (WORLDS // 4, tally.requests)
    assert {"seat", "spectator"} < tally.by["viewer"].keys()
    assert {200, 400, 403, 404} < {status for statuses in tally.routes.values() for status in statuses}
    assert {403, 409} < tally.routes["POST /games/#/moves"].keys()  # the server judges moves in this very world


def test_tables_before_the_deal_that_differ_in_what_a_viewer_may_not_know_look_the_same(stage: Stage) -> None:
    tally = run_forming(stage, TABLES)
    assert tally.differences == []
    assert (tally.worlds, tally.alike) == (TABLES, tally.requests)


Patch = pytest.MonkeyPatch


def show_the_cards_of_seat_0(patch: Patch) -> None:
    def all_of_seat_0(entries: Any, _viewer: object, revealed: Any) -> list[bytes]:
        return event_lines(entries, 0, revealed)

    patch.setattr("api.play.routes.events.event_lines", all_of_seat_0)


def show_a_lent_seat_to_those_who_left(patch: Patch) -> None:
    def without_times(state: State, player: str | None) -> Any:
        viewer = viewer_of(state, player)
        return getattr(viewer, "seat", viewer)

    patch.setattr("api.play.services.gate.viewer_of", without_times)


def show_texts_between_partners_to_those_who_left(patch: Patch) -> None:
    reads = Chat.reader

    def reader(chat: Chat, access: ChatAccess, **how: bool) -> Any:
        found = reads(chat, access, **how)
        return replace(found, channels=["table", "partner", "watchers"], side=None) if access.seat is None else found

    patch.setattr(Chat, "reader", reader)


def answer_outsiders_of_a_private_game_in_other_words(patch: Patch) -> None:
    judges = GameGate.judge

    def judge(gate: GameGate, state: State, player: str | None) -> Any:
        try:
            return judges(gate, state, player)
        except NoSuchGame:
            return None, False

    patch.setattr(GameGate, "judge", judge)


def send_events_that_are_not_late(patch: Patch) -> None:
    def at_once(gate: GameGate, game: str, player: str | None, after: int) -> Any:
        page = read_page(gate, game, player, after)
        return replace(page, frames=(*page.frames, ((0, 0), b": %d\n\n" % page.log_head[1])))

    patch.setattr("tests.campaigns.worlds.asking.read_page", at_once)


def take_longer_with_some_cards(patch: Patch) -> None:
    acts = Games.act

    def act(games: Games, game: str, *given: Any, **more: Any) -> Any:
        hand = games.state(game).hand
        for _ in range(0 if hand is None else sum(RANK[card] in "AKQ" for card in hand.cards[0] or ())):
            games.now()
        return acts(games, game, *given, **more)

    patch.setattr(Games, "act", act)


def let_the_length_of_a_list_of_keys_tell_hidden_leaves(patch: Patch) -> None:
    def with_keys(history: History, keys: list[str], receipt: str | None) -> History:
        return with_receipt(history, keys * (1 + sum(line.leaf[0] for line in history.lines) % 2), receipt)

    patch.setattr("api.evidence.services.receipts.with_receipt", with_keys)


def name_whom_a_table_asks(patch: Patch) -> None:
    patch.setattr("api.tables.services.table_views.shown_to", lambda table, _: table)


def hide_a_table_after_a_block(patch: Patch) -> None:
    """A player who blocks the opener must look like one who doesn't answer."""
    usual = table_lists._visible

    def blocked(viewer: str | None, **how: bool) -> tuple[str, list[Any]]:
        where, values = usual(viewer, **how)
        return f"({where} AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.other = f.opener))", values

    patch.setattr(table_lists, "_visible", blocked)


def test_canary_a_list_of_events_with_the_cards_of_seat_0_is_found(stage: Stage, monkeypatch: Patch) -> None:
    show_the_cards_of_seat_0(monkeypatch)
    found = run_campaign(stage, SEARCHED, "leak 0", until_found=True).differences
    assert found
    assert all("/events" in each for each in found)


LEAKS: tuple[tuple[Callable[[Patch], None], int, str], ...] = (
    (show_a_lent_seat_to_those_who_left, 0, "former holder|as spectator"),
    (show_texts_between_partners_to_those_who_left, 10, "/chat"),
    (answer_outsiders_of_a_private_game_in_other_words, 0, "as outsider"),
    (send_events_that_are_not_late, 0, "event-stream"),
    (take_longer_with_some_cards, 0, "POST /games/1/moves"),
    (let_the_length_of_a_list_of_keys_tell_hidden_leaves, 0, "/export"),
)
"""Each leak, a seed with which it's found soon, and what the difference says."""


@pytest.mark.slow
@pytest.mark.planted
@pytest.mark.parametrize(("leak", "seed", "says"), LEAKS, ids=[leak.__name__ for leak, *_ in LEAKS])
def test_a_leak_about_a_game_is_found(
    stage: Stage, monkeypatch: Patch, leak: Callable[[Patch], None], seed: int, says: str
) -> None:
    leak(monkeypatch)
    found = run_campaign(stage, SEARCHED, f"leak {seed}", until_found=True).differences
    assert any(re.search(says, each) for each in found), found


@pytest.mark.slow
@pytest.mark.planted
@pytest.mark.parametrize(
    ("leak", "says"), [(name_whom_a_table_asks, "outsider of"), (hide_a_table_after_a_block, "p0, opener of")]
)
def test_a_leak_about_a_table_before_the_deal_is_found(
    stage: Stage, monkeypatch: Patch, leak: Callable[[Patch], None], says: str
) -> None:
    leak(monkeypatch)
    assert any(says in each for each in run_forming(stage, TABLES, until_found=True).differences)
