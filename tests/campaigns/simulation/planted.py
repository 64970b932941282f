"""Bugs that the simulation must find: each changes one thing of the program that runs."""

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

import pytest

from api.clock import Heartbeat, ServerClock
from api.delivery.stored.queue import DeliveryQueue
from api.mail.stored.board_mails import BoardMailKey, BoardMails
from api.play.services.autoplay import AutoPlayer
from domain.commands import Command, DealHand
from domain.decide import DECISIONS, dealing, game_end
from domain.engine import deadlines
from domain.events import CardsDealt, Event, Fact
from domain.protocols.merkle_log import EMPTY
from domain.rules.choices import Phase
from domain.state import State
from domain.store import Games, StaleVersion, aggregate, games
from domain.store.held_clock import KeptTime
from domain.store.log import ShardedLog
from domain.store.sql.database import Transaction
from projections.lists.inbox_pages import InboxPage, inbox_page
from projections.storage import rows
from projections.views import seat as seat_views
from projections.views.cache import ViewCache
from projections.views.seat import ViewFold
from tests.api.worlds import time_after
from tests.values import replace

Patch = pytest.MonkeyPatch


def acknowledge_before_the_commit(patch: Patch) -> None:
    stores, asked = ShardedLog.insert_batches, count(1)

    def insert(log: ShardedLog, batches: Sequence[Any]) -> Any:
        return [[1] * len(batch) for batch in batches] if next(asked) % 20 == 0 else stores(log, batches)

    patch.setattr(ShardedLog, "insert_batches", insert)


def try_again_after_a_lost_reply(patch: Patch) -> None:
    patch.setattr(games, "_is_stored", lambda *_: False)
    patch.setattr(games, "_is_known", lambda *_: False)


def forget_a_followers_position(patch: Patch) -> None:
    moves = "positions = ? WHERE projection = ? AND generation = ? AND (positions = ? OR 1 = 1)"
    patch.setattr(rows, "MOVE_POSITIONS", f"UPDATE followers SET {moves} AND state <> 'dropped'")


def forget_prev(patch: Patch) -> None:
    add = aggregate._Drafting.add

    def add_unlinked(drafting: Any, facts: Any) -> None:
        add(drafting, facts)
        if drafting.entries[-1].event.version % 40 == 0:
            drafting.entries[-1] = replace(drafting.entries[-1], prev=EMPTY.root())

    patch.setattr(aggregate._Drafting, "add", add_unlinked)


def deal_from_the_wrong_end(patch: Patch) -> None:
    def deal(state: State, command: DealHand) -> tuple[Fact, ...]:
        return dealing.deal_hand(state, replace(command, deck=command.deck[::-1]))

    patch.setitem(DECISIONS[Phase.WAITING], DealHand, deal)


def show_a_card_too_early(patch: Patch) -> None:
    add, view = ViewFold.add, seat_views.view_json

    def add_and_remember(fold: ViewFold, event: Event[Any] | None) -> None:
        if event is not None and isinstance(event.data, CardsDealt) and event.data.seat != fold.viewer:
            vars(fold)["early"] = str(event.data.cards[0])
        add(fold, event)

    def view_with_a_card(fold: ViewFold, root: str) -> dict[str, Any]:
        return {**view(fold, root), "early": vars(fold).get("early")}

    patch.setattr(ViewFold, "add", add_and_remember)
    for module in ("projections.views.cache", "tests.campaigns.simulation.checks"):
        patch.setattr(f"{module}.view_json", view_with_a_card)


def show_the_view_of_before(patch: Patch) -> None:
    view = ViewCache.view

    def old(cache: ViewCache, game: str, viewer: Any, at: int | None = None, root: str | None = None) -> Any:
        size = cache._cached(game).frontier.size
        return view(cache, game, viewer, size or at, None if size else root)

    patch.setattr(ViewCache, "view", old)
    patch.setattr(ViewCache, "feed", lambda *_: None)


def take_seats_too_early(patch: Patch) -> None:
    right = deadlines.is_late

    def is_late(state: State, at: str, held: int | None = None) -> bool:
        return right(state, time_after(at, 1200), held)

    patch.setattr(game_end, "is_late", is_late)
    patch.setattr(deadlines, "is_late", is_late)


def believe_every_clock(patch: Patch) -> None:
    patch.setattr(KeptTime, "agree", lambda *_: True)


def take_an_old_heartbeat_for_a_clock(patch: Patch) -> None:
    def all_heartbeats(clock: ServerClock) -> list[Heartbeat]:
        heartbeats = clock._records.heartbeats()
        if clock._compared_until is None:
            clock._compared_until = heartbeats[0].number if heartbeats else 0
        return [each for each in heartbeats if each.number > clock._compared_until]

    patch.setattr(ServerClock, "_fresh_heartbeats", all_heartbeats)


def let_bots_wait(patch: Patch) -> None:
    patch.setattr(AutoPlayer, "play", lambda _player, state, *_: state)


def ignore_if_match(patch: Patch) -> None:
    patch.setattr(games, "_require_match", lambda *_: None)


def store_moves_of_refused_requests(patch: Patch) -> None:
    act = Games.act

    def store_and_refuse(store: Games, game: str, command: Command, **more: Any) -> Any:
        commit = act(store, game, command, **more)
        if commit.state.version % 25 == 0:
            raise StaleVersion(1, commit.state)
        return commit

    patch.setattr(Games, "act", store_and_refuse)


def tell_each_player_twice(patch: Patch) -> None:
    def twice(*asked: Any) -> InboxPage:
        page = inbox_page(*asked)
        return replace(page, entries=(*page.entries, *page.entries[-1:]))

    patch.setattr("api.inbox.services.entries.inbox_page", twice)


def forget_that_a_mail_was_sent(patch: Patch) -> None:
    patch.setattr(BoardMails, "finish", lambda *_, **_more: None)


def leave_the_first_mail_of_a_page_out(patch: Patch) -> None:
    add = BoardMails.add

    def add_without(transaction: Transaction, rows: Iterable[BoardMailKey], *more: Any) -> None:
        add(transaction, list(rows)[1:], *more)

    patch.setattr(BoardMails, "add", staticmethod(add_without))


def send_a_mail_before_it_is_stored(patch: Patch) -> None:
    patch.setattr(DeliveryQueue, "keep", lambda *_: True)


BUGS: dict[str, Callable[[Patch], None]] = {
    plant.__name__.replace("_", " "): plant
    for plant in (
        acknowledge_before_the_commit,
        try_again_after_a_lost_reply,
        forget_a_followers_position,
        forget_prev,
        deal_from_the_wrong_end,
        show_a_card_too_early,
        show_the_view_of_before,
        take_seats_too_early,
        believe_every_clock,
        take_an_old_heartbeat_for_a_clock,
        let_bots_wait,
        ignore_if_match,
        store_moves_of_refused_requests,
        tell_each_player_twice,
        forget_that_a_mail_was_sent,
        leave_the_first_mail_of_a_page_out,
        send_a_mail_before_it_is_stored,
    )
}
"""The function that plants each bug, by what the program then does wrong."""
