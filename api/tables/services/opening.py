"""Opens games, at once if every player is seated already, otherwise as tables that form; and seats at such tables.

A player claims a seat of a table that they may see, or that they have an invitation to.
"""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import UUID

from api.caller import Caller, require_player
from api.container import Services
from api.people.stored.tokens import READ, token_sha256
from api.people.stored.users import DELETED_NAME, User
from api.play.services.game_reader import NO_GAME, GameAnswer, OpenedGame
from api.play.services.game_schemas import NEW_GAME
from api.play.services.games import CommandId, command_answer, command_id
from api.problem import Problem
from api.schemas import Read
from api.tables.services.forming import RematchSource, command_of_table, deal_table, form_table, game_fields
from api.tables.services.open_game import BOT_PREFIX, NoSuchPlayer
from api.tables.services.rulebooks import choose_rulebook, require_allowed
from api.tables.services.schemas import CLAIM, REMATCH, REMATCH_GAME, START
from api.tables.services.seat_plan import is_complete, opening_command, plan_seats, reserve_board
from api.tables.services.table_views import (
    ListedTables,
    NamedTable,
    names_beside,
    own_table,
    table_answer,
    table_json,
    table_to_change,
)
from api.tables.stored.invitations import NoInvitation
from api.tables.stored.seats import FULL, FormingSeat, FormingTable, NotForming, TableStatus, require_forming
from domain.decide import decide
from domain.events import GameOpened, Player
from domain.rejections import NotSeated
from domain.rules.variants.house import RULEBOOK
from domain.state import EMPTY_STATE, require
from domain.store import CommandReused, Commit, NoSuchGame
from domain.store.aggregate import Corrupt
from projections.bots import bot_of


class GameRunning(Exception):
    """The game isn't over."""

    def __init__(self) -> None:
        super().__init__("This game isn't over. Ask for a rematch when it is.")


class OtherSettings(Exception):
    """The table for the rematch has other settings than a player asks for."""

    def __init__(self) -> None:
        super().__init__(
            "There is a table for this rematch already, with other settings. Ask without settings to join it, or open"
            " a new game."
        )


def require_settings(table: FormingTable, settings: Mapping[str, Any]) -> None:
    """Raise OtherSettings unless a table has all that a player asks for, and perhaps more."""
    for name, wanted in settings.items():
        has = table.body[name]
        parts = (
            [(has.get(key), value) for key, value in wanted.items()] if isinstance(wanted, dict) else [(has, wanted)]
        )
        if any(present != value for present, value in parts):
            raise OtherSettings


def find_rematch(services: Services, game: str, player: str) -> FormingTable | RematchSource:
    """Return the table for a rematch of `game` that the player takes part in by asking for one, or what a new one is.

    It's one that forms, or one whose game is running: asking twice, or after another player, makes no second game.
    """
    over = set[str]()
    for table in services.accounts.forming.rematches(game, player):
        if table.status != TableStatus.DEALT or _is_running(services, table.game):
            return table
        over.add(table.game)
    return RematchSource(game, frozenset(over))


def _is_running(services: Services, game: str) -> bool:
    with suppress(NoSuchGame, Corrupt):  # nobody can play on in a game that can't be read
        return services.games.state(game).result is None
    return False


def rematch_fields(
    services: Services, game: str, player: str, expires_s: int, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a new table with the players and options of `game`, as a body would have them.

    Each of the `settings` takes the place of the game's as a whole.
    Times when the game ends are left out if they have passed. Raise NotSeated for anybody but its players, GameRunning,
    and NoSuchPlayer if a player's account is gone.
    """
    services.gate.seat_of(game, player)  # refuses those who may not know of a private game
    state = services.games.state(game)
    opened = state.opened
    if opened is None:
        raise NoSuchGame(game)
    if player not in [each.player for each in opened.players]:
        raise NotSeated("You weren't one of the players when this game began, so you can't ask for a rematch.")
    if state.result is None:
        raise GameRunning
    at, fields = services.clock.now(), game_fields(opened)
    return fields | {
        "variant": opened.variant,
        "seats": _names(services, opened),
        **{name: _without_past_end(fields[name], at) for name in ("options", "timing")},
        "reveal": opened.reveal,
        "undo": opened.undo,
        "chat": services.accounts.chat.setting(game),
        "expires_s": expires_s,
        **settings,
    }


def _without_past_end(values: Mapping[str, Any], at: str) -> dict[str, Any]:
    ends = values.get("ends_at")
    return {name: None if name == "ends_at" and ends is not None and ends <= at else values[name] for name in values}


def _names(services: Services, opened: GameOpened) -> list[str]:
    names = services.accounts.users.names_of(player.player for player in opened.players if player.kind == "human")
    return [_name(player, names) for player in opened.players]


def _name(player: Player, names: Mapping[str, str]) -> str:
    if player.bot is not None:
        return BOT_PREFIX + bot_of(player.bot)
    if names[player.player] == DELETED_NAME:
        raise NoSuchPlayer("A player of that game has no account any more. Open a new game.")
    return names[player.player]


OpeningAnswer = GameAnswer[OpenedGame | NamedTable]
"""A game that has started, or a table that forms."""
KEY_REUSED = "This Idempotency-Key was used for another request. Send a new key."


def open_game(services: Services, caller: Caller, read: Read) -> OpeningAnswer:
    """Open a game, `{"id", "board", ...}`, that starts at once (R-P1), or a table that forms (R-P2).

    With a key, a repeat opens no second game and gets the first answer again.
    """
    player, sent = require_player(services, caller), read()
    request_id = command_id(services.secret, player.id, sent.key, "/games", sent.body)
    if "rematch_of" in sent.body:
        settings = REMATCH_GAME.load(sent.body)
        return _open_rematch(services, player, settings.pop("rematch_of"), settings, request_id, sent.key)
    settings = NEW_GAME.load(sent.body)
    fields = choose_rulebook(services, settings) if RULEBOOK in settings else settings
    return _open(services, player, fields, request_id, _new_id(request_id, sent.key))


def open_rematch(services: Services, caller: Caller, reference: str, read: Read) -> OpeningAnswer:
    """Open a table with the same players and options, as `open_game` does, or take a seat at the one that forms."""
    player, sent = require_player(services, caller), read()
    settings = REMATCH.load(sent.body)
    game = services.reader.resolve(reference)
    request_id = command_id(services.secret, player.id, sent.key, f"/games/{game}/rematch", sent.body)
    return _open_rematch(services, player, game, settings, request_id, sent.key)


def _new_id(request_id: CommandId, key: str | None) -> str:
    return str(UUID(bytes=secrets.token_bytes(16), version=4)) if key is None else request_id.game


def _open_rematch(
    services: Services, player: User, reference: str, settings: dict[str, Any], request_id: CommandId, key: str | None
) -> OpeningAnswer:
    """Claim the player's seat at the table for the same rematch, return to its game if it's running, or open one."""
    source = services.reader.resolve(reference)
    expires_s = settings.pop("expires_s")
    game = _new_id(request_id, key)
    known = services.accounts.forming.read(game)
    if known is not None:
        return _repeated(services, known, request_id, player)
    found = find_rematch(services, source, player.id)
    if isinstance(found, FormingTable):
        if found.status != TableStatus.FORMING or services.accounts.tables.visible(found.game, player.id) is not None:
            return _join_rematch(services, found, player, settings)
        found = RematchSource(source, frozenset())
    fields = rematch_fields(services, source, player.id, expires_s, settings)
    return _open(services, player, fields, request_id, game, found, settings)


def _repeated(services: Services, table: FormingTable, request_id: CommandId, player: User) -> OpeningAnswer:
    """Return the table that an earlier request with this key opened; 422 if that request was different."""
    if table.command not in (f"{request_id.sender}-{each}" for each in request_id.requests):
        raise CommandReused(KEY_REUSED)
    return seat_answer(services, table, player.id)


def _join_rematch(services: Services, table: FormingTable, player: User, settings: Mapping[str, Any]) -> OpeningAnswer:
    require_settings(table, settings)
    if table.status == TableStatus.FORMING:
        table = _claim(services, table.game, player.id)
    return seat_answer(services, table, player.id)


def _claim(
    services: Services,
    game: str,
    player: str,
    seat: int | None = None,
    invitation: str | None = None,
    revision: int | None = None,
) -> FormingTable:
    """Claim a seat as `FormingTables.claim` does; the same player's other request may have taken the last one."""
    try:
        return services.accounts.forming.claim(game, player, seat, invitation, revision)
    except NotForming:
        now = services.accounts.forming.read(game)
        if now is None or now.seat_of(player) is None or now.status not in FULL:
            raise
        return now


def _open(
    services: Services,
    player: User,
    fields: Mapping[str, Any],
    request_id: CommandId,
    game: str,
    rematch: RematchSource | None = None,
    settings: Mapping[str, Any] | None = None,
) -> OpeningAnswer:
    known = services.accounts.forming.read(game)
    if known is not None:
        return _repeated(services, known, request_id, player)
    if _is_open(services, game, request_id):
        return game_answer(services, game, player.id, request_id.as_stored(services.games, game), None)
    require_allowed(services, fields)
    seats = plan_seats(services, player.id, fields["seats"])
    if rematch is None and is_complete(seats):
        return game_answer(
            services, game, player.id, request_id, _deal(services, player, fields, seats, request_id, game)
        )
    formed = form_table(services, game, player.id, str(request_id), fields, seats, rematch)
    if formed.game != game:  # another player's rematch was faster
        return _join_rematch(services, formed, player, settings or {})
    return seat_answer(services, formed, player.id)


def _deal(
    services: Services,
    player: User,
    fields: Mapping[str, Any],
    seats: Sequence[FormingSeat],
    request_id: CommandId,
    game: str,
) -> Commit:
    command = opening_command(services, fields, game, seats)
    decide(EMPTY_STATE, command)  # a refused game doesn't use up a board number
    command = replace(command, board=reserve_board(services, game, player.id))
    services.accounts.chat.choose(game, fields["chat"])
    return services.games.open(command, by=player.id, command_id=str(request_id))


def _is_open(services: Services, game: str, request_id: CommandId) -> bool:
    """Return whether an earlier request opened the game; 422 if that request was different."""
    try:
        services.games.state(game)
    except NoSuchGame:
        return False
    if not services.games.entries_of_command(game, str(request_id.as_stored(services.games, game))):
        raise CommandReused(KEY_REUSED)
    return True


def seat_answer(services: Services, table: FormingTable, player: str) -> OpeningAnswer:
    """Return a table that forms, or its game once it's full: the command that closes it deals."""
    if table.status not in FULL:
        return table_answer(services, table, player, table.game)
    commit = deal_table(services, table) if table.status == TableStatus.CLOSING else None
    request_id = CommandId(*command_of_table(services.secret, table.game).split("-"))
    return game_answer(services, table.game, player, request_id, commit)


def game_answer(
    services: Services, game: str, player: str, request_id: CommandId, commit: Commit | None
) -> GameAnswer[OpenedGame]:
    """Return a game that has started, as `command_answer` does."""
    state = services.games.state(game)
    result = command_answer(services, game, player, request_id, commit)
    shown: OpenedGame = {"id": game, "board": require(state.opened).board, **result.body}
    return GameAnswer(shown, result.etag, result.position, opened=game)


def take_seat(services: Services, caller: Caller, reference: str, read: Read) -> OpeningAnswer:
    """Take a seat at a table, and return the table, or its game if that was the last seat. Raise SeatTaken.

    A player who repeats it keeps the seat, and gets the table or the game again.
    """
    player, sent = require_player(services, caller, game=reference), read(CLAIM)
    table, invitation = _table_of_claim(services, reference, player.id, sent.fields["invitation"])
    services.claims.take(player.id)
    own = table.seat_of(player.id)
    if table.status in FULL and own is not None:
        return seat_answer(services, table, player.id)
    claimed = _claim(services, table.game, player.id, sent.fields["seat"], invitation, sent.expected)
    return seat_answer(services, claimed, player.id)


def _table_of_claim(
    services: Services, reference: str, player: str, token: str | None
) -> tuple[FormingTable, str | None]:
    """Return the table, and the hash of the invitation's token if the claim needs one.

    Raise Problem as for no game, unless the player may see the table or shows a valid invitation to it.
    """
    game, tables = services.reader.resolve(reference), services.accounts.tables
    invitation = None if token is None else token_sha256(token)
    is_invited = _is_to(services, invitation, game)  # asked first: the player's other request may use it up meanwhile
    known = tables.visible(game, player)
    if known is not None and known.seat_of(player) is not None:  # a repeated request, whose invitation may be used up
        return known, None
    table = known or (tables.visible(game, player, by_invitation=True) if is_invited else None)
    if table is None:
        raise Problem("not-found", NO_GAME)
    return table, invitation


def _is_to(services: Services, invitation: str | None, game: str) -> bool:
    """Return whether this is a valid invitation to this table."""
    try:
        return invitation is not None and services.accounts.invitations.game_of(invitation) == game
    except NoInvitation:
        return False


def start_table(services: Services, caller: Caller, reference: str, read: Read) -> OpeningAnswer:
    """Start a table with bots in its empty seats. Raise Problem unless the caller opened it."""
    player, sent = require_player(services, caller), read(START)
    bots, table = sent.fields["bots"], own_table(services, reference, player.id)
    bot = None if bots is None else bots.removeprefix(BOT_PREFIX)
    return seat_answer(services, services.accounts.forming.start(table.game, bot, sent.expected), player.id)


def leave_table(services: Services, caller: Caller, reference: str) -> str:
    """Give back the caller's seat at a table that forms, or decline to sit there, and return its game."""
    player = require_player(services, caller, game=reference)
    game = table_to_change(services, reference, player.id).game
    services.accounts.forming.leave(game, player.id)
    return game


def cancel_table(services: Services, caller: Caller, reference: str) -> str:
    """Cancel a table that forms, and return its game. Raise Problem unless the caller opened it, or NotForming."""
    player = require_player(services, caller)
    game = own_table(services, reference, player.id).game
    if not services.accounts.forming.cancel(game):
        require_forming(services.accounts.forming.read(game), None, services.clock.now_us())
    services.accounts.boards.finish([game])
    return game


def tables_that_ask(services: Services, caller: Caller) -> ListedTables:
    """Return `{"items": [...], "names"}`: the tables that ask the caller to sit down, the newest first."""
    player = require_player(services, caller, READ)
    items = [table_json(table, player.id) for table in services.accounts.tables.seat_requests(player.id)]
    return {"items": items, **names_beside(services, items)}
