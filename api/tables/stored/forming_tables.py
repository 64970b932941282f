"""Tables that form: seats are claimed and left until a table is full, starts with bots, is cancelled or lapses.

Every change locks the table's row and counts its revision. The change that fills a table also closes it, in the same
transaction: from then on nobody leaves, and whichever process comes first deals.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from api.clock import put_off
from api.inbox.stored.outbox import InboxNote, leave_notes
from api.tables.stored.invitations import take_use
from api.tables.stored.seats import (
    ASKED,
    CLAIMED,
    INVITE,
    OPEN,
    FormingSeat,
    FormingTable,
    SeatsEmpty,
    SeatTaken,
    TableStatus,
    is_kept_away,
    known_to,
    read_table,
    read_tables,
    require_forming,
    seat_row,
    table_row,
)
from domain.engine.wording import count_of
from domain.rejections import NoPerson, TooMany
from domain.store.sql.database import Database, Transaction
from projections.bots import strategy_of


def invitees_of(transaction: Transaction, table: FormingTable) -> list[str]:
    """Return the people who sit at a new table or get its request."""
    sitting = [seat.player for seat in table.seats if seat.kind == "human" and seat.state == CLAIMED and seat.player]
    return sitting + [player for player, _ in _questions(transaction, table)]


def question_notes(transaction: Transaction, table: FormingTable) -> list[InboxNote]:
    """Return the notes for the inboxes of the players whom the table asks."""
    return [
        InboxNote(player, "question", table.game, {"asks": "sit", "seat": seat.seat, "from": table.opener})
        for player, seat in _questions(transaction, table)
    ]


def _questions(transaction: Transaction, table: FormingTable) -> list[tuple[str, FormingSeat]]:
    asked = [(seat.player, seat) for seat in table.seats if seat.player is not None and seat.state == ASKED]
    return [(player, seat) for player, seat in asked if not is_kept_away(transaction, table, player)]


TABLES = (
    "CREATE TABLE IF NOT EXISTS seating_allowances (player TEXT PRIMARY KEY, at_once BIGINT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS seating_friends (
        player TEXT NOT NULL, friend TEXT NOT NULL, PRIMARY KEY (player, friend))""",
    "CREATE INDEX IF NOT EXISTS seating_friends_of_friend ON seating_friends (friend)",
)


@dataclass(frozen=True)
class AllowedOpeners:
    """Whether anybody may seat the player at once, and the ids of the friends who may."""

    at_once: bool = False
    friends: tuple[str, ...] = ()

    def allows(self, opener: str) -> bool:
        """Return whether this opener may seat the player without asking."""
        return self.at_once or opener in self.friends


class SeatingAllowances:
    """The table of allowances. A player without a row is asked by everybody."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, player: str) -> AllowedOpeners:
        """Return a player's allowances, friends in order of their ids."""
        with self._database.transaction(writes=False) as transaction:
            return _read(transaction, player)

    def set(self, player: str, *, at_once: bool, friends: Iterable[str]) -> None:
        """Replace a player's allowances."""
        with self._database.transaction(writes=True) as transaction:
            transaction.run(
                "INSERT INTO seating_allowances VALUES (?, ?)"
                " ON CONFLICT (player) DO UPDATE SET at_once = excluded.at_once",
                player, int(at_once),
            )  # fmt: skip
            transaction.run("DELETE FROM seating_friends WHERE player = ?", player)
            transaction.run_many(
                "INSERT INTO seating_friends VALUES (?, ?) ON CONFLICT DO NOTHING",
                [(player, friend) for friend in friends],
            )


def _read(transaction: Transaction, player: str) -> AllowedOpeners:
    at_once = transaction.run("SELECT at_once FROM seating_allowances WHERE player = ?", player)
    friends = transaction.run("SELECT friend FROM seating_friends WHERE player = ? ORDER BY friend", player)
    return AllowedOpeners(bool(at_once and at_once[0][0]), tuple(friend for (friend,) in friends))


Change = Callable[[Transaction, FormingTable], Sequence[FormingSeat]]
"""Returns the changed seats of a locked table; none if nothing changes."""
ONE_AT_A_TIME = "UPDATE counters SET last = last WHERE name = 'boards'"
"""Changes nothing, but another process that forms a table or reserves a board waits for it."""
ADD_INVITEE = "INSERT INTO table_invitees VALUES (?, ?) ON CONFLICT DO NOTHING"
SET_STATUS = "UPDATE forming_tables SET status = ?, revision = revision + 1"
FORMING, CLOSING, LAPSED = TableStatus.FORMING, TableStatus.CLOSING, TableStatus.LAPSED
PUT_OFF = put_off("forming_tables", "expires", since="created", due="expires", where=f"status = '{FORMING}'")


class FormingTables:
    """The rows of forming tables and their seats. Safe for concurrent use by several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, table: FormingTable, most: int | None, over: Collection[str] = ()) -> FormingTable:
        """Add a table and return it, or the one that has its id or is for the same rematch already.

        `over` are the rematches of the same game that are over; they don't count, and neither does one that forms and
        that a block keeps the opener away from. Raise TooMany if the opener has `most` forming tables.
        """
        with self._database.transaction(writes=True) as transaction:
            transaction.run(ONE_AT_A_TIME)
            known = read_table(transaction, table.game) or next(
                (each for each in _rematches(transaction, table.rematch_of, table.opener) if each.game not in over),
                None,
            )
            if known is not None:
                return known
            _require_room(transaction, table.opener, most)
            transaction.run(f"INSERT INTO forming_tables VALUES ({', '.join('?' * 12)})", *table_row(table))
            rows = [seat_row(table.game, seat) for seat in table.seats]
            transaction.run_many("INSERT INTO forming_seats VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            transaction.run_many(ADD_INVITEE, [(table.game, player) for player in invitees_of(transaction, table)])
            leave_notes(transaction, question_notes(transaction, table))
        return table

    def require_room(self, opener: str, most: int | None) -> None:
        """Raise TooMany if the opener has `most` forming tables."""
        with self._database.transaction(writes=False) as transaction:
            _require_room(transaction, opener, most)

    def read(self, game: str) -> FormingTable | None:
        """Return a table by its id, which is also its game's."""
        with self._database.transaction(writes=False) as transaction:
            return read_table(transaction, game)

    def rematches(self, game: str, player: str) -> list[FormingTable]:
        """Return the tables for a rematch of a game: those that form, unless a block keeps the player away, the oldest
        first; then those at which the player sits and which are full.
        """
        with self._database.transaction(writes=False) as transaction:
            return _rematches(transaction, game, player)

    def claim(
        self, game: str, player: str, number: int | None, invitation: str | None = None, revision: int | None = None
    ) -> FormingTable:
        """Give a player a seat, by default the first free one, and return the table; closed if it's full.

        `invitation` is the hash of an invitation's token. A player who has the seat already keeps it. Raise NotForming,
        StaleRevision, SeatTaken, or NoInvitation if the invitation isn't valid.
        """

        def claim(transaction: Transaction, table: FormingTable) -> Sequence[FormingSeat]:
            own = known_to(transaction, table, player).seat_of(player)
            if own is not None and own.state == CLAIMED and number in (None, own.seat):
                return ()
            seat = _free_seat(table, own, number, invited=player == table.opener or invitation is not None)
            if invitation is not None and own is None:
                take_use(transaction, game, invitation)
            if is_kept_away(transaction, table, player):  # last, so that others get every other refusal first, too
                raise SeatTaken
            transaction.run(ADD_INVITEE, game, player)
            return (replace(seat, kind="human", player=player, state=CLAIMED),)

        return self._change(game, claim, revision)

    def leave(self, game: str, player: str) -> FormingTable:
        """Free the player's seat, or decline it, and return the table. Raise NotForming, or SeatTaken without one."""

        def leave(transaction: Transaction, table: FormingTable) -> Sequence[FormingSeat]:
            own = known_to(transaction, table, player).seat_of(player)
            if own is None:
                raise SeatTaken("You have no seat at this table.")
            return (own.vacated(),)

        return self._change(game, leave, None)

    def start(self, game: str, bot: str | None, revision: int | None = None) -> FormingTable:
        """Seat bots of this name in what is empty, close the table and return it.

        Raise NotForming, StaleRevision, SeatsEmpty without a name, and NoPerson if only bots would play.
        """

        def start(_transaction: Transaction, table: FormingTable) -> Sequence[FormingSeat]:
            empty = [seat for seat in table.seats if seat.state != CLAIMED]
            if bot is None:
                raise SeatsEmpty([seat.seat for seat in empty])
            if all(seat.kind != "human" for seat in table.seats if seat.state == CLAIMED):
                raise NoPerson("A game needs at least one person. Take a seat, or wait until somebody does.")
            return [
                replace(seat, kind="bot", player=f"bot:{bot}:{seat.seat}", bot=strategy_of(bot), state=CLAIMED)
                for seat in empty
            ]

        return self._change(game, start, revision)

    def cancel(self, game: str) -> bool:
        """Cancel a table, and return whether it was forming."""
        with self._database.transaction(writes=True) as transaction:
            cancel = f"{SET_STATUS} WHERE game = ? AND status = ?"
            return bool(transaction.count_changes(cancel, TableStatus.CANCELLED, game, FORMING))

    def lapse(self) -> list[str]:
        """Let the tables lapse whose time is up, and return their ids."""
        lapse = f"{SET_STATUS} WHERE status = ? AND expires <= ? RETURNING game"
        return [str(game) for (game,) in self._database.run(lapse, LAPSED, FORMING, self._database.now())]

    def due(self, at: int) -> list[str]:
        """Return the tables whose time would be up at a time."""
        find = "SELECT game FROM forming_tables WHERE status = ? AND expires <= ?"
        return [str(game) for (game,) in self._database.run(find, FORMING, at)]

    def closing(self) -> list[str]:
        """Return the closed tables whose games aren't known to be in the log, the oldest first."""
        find = "SELECT game FROM forming_tables WHERE status = ? ORDER BY created"
        return [str(game) for (game,) in self._database.run(find, CLOSING)]

    def finish(self, game: str, status: TableStatus) -> None:
        """Record what became of a closed table."""
        self._database.run(f"{SET_STATUS} WHERE game = ? AND status = ?", status, game, CLOSING)

    def in_progress(self, opener: str) -> set[str]:
        """Return the ids of the opener's tables that form or close."""
        find = "SELECT game FROM forming_tables WHERE opener = ? AND status IN (?, ?)"
        return {game for (game,) in self._database.run(find, opener, FORMING, CLOSING)}

    def _change(self, game: str, change: Change, revision: int | None) -> FormingTable:
        """Lock a table, change seats, close it if it's full, and return it."""
        with self._database.transaction(writes=True) as transaction:
            transaction.run("UPDATE forming_tables SET revision = revision WHERE game = ?", game)
            table = require_forming(read_table(transaction, game), revision, transaction.now())
            changed = {seat.seat: seat for seat in change(transaction, table)}
            if not changed:
                return table
            for seat in changed.values():
                _write_seat(transaction, game, seat)
            seats = tuple(changed.get(seat.seat, seat) for seat in table.seats)
            status = CLOSING if all(seat.state == CLAIMED for seat in seats) else FORMING
            transaction.run(f"{SET_STATUS} WHERE game = ?", status, game)
            return replace(table, status=status, revision=table.revision + 1, seats=seats)


def _write_seat(transaction: Transaction, game: str, seat: FormingSeat) -> None:
    transaction.run(
        "UPDATE forming_seats SET kind = ?, player = ?, bot = ?, state = ? WHERE game = ? AND seat = ?",
        seat.kind, seat.player, seat.bot, seat.state, game, seat.seat,
    )  # fmt: skip


def _free_seat(table: FormingTable, own: FormingSeat | None, number: int | None, *, invited: bool) -> FormingSeat:
    """Return the seat that a player may claim: the one they're asked to take, one by invitation, or an open one."""
    if own is not None:
        free = [own] if own.state == ASKED else []
    else:
        states = (INVITE, OPEN) if invited else (OPEN,)
        free = [seat for state in states for seat in table.seats if seat.state == state]
    chosen = next((seat for seat in free if number in (None, seat.seat)), None)
    if chosen is None:
        raise SeatTaken
    return chosen


def _rematches(transaction: Transaction, game: str | None, player: str) -> list[FormingTable]:
    """Return the tables as `rematches` does; none for a table that isn't for a rematch."""
    if game is None:
        return []
    where = "WHERE f.rematch_of = ? AND f.status IN (?, ?, ?) ORDER BY f.created, f.game"
    found = read_tables(transaction, where, game, FORMING, CLOSING, TableStatus.DEALT)
    forming = [table for table in found if table.status == FORMING and table.expires > transaction.now()]
    full = [table for table in found if table.status != FORMING and table.seat_of(player) is not None]
    return [table for table in forming if not is_kept_away(transaction, table, player)] + full


def _require_room(transaction: Transaction, opener: str, most: int | None) -> None:
    count = "SELECT COUNT(*) FROM forming_tables WHERE opener = ? AND status = ? AND expires > ?"
    forming = int(transaction.run(count, opener, FORMING, transaction.now())[0][0])
    if most is not None and forming >= most:
        raise TooMany(
            f"You have opened {count_of(forming, 'forming table')}, the most that this server allows. Start or cancel"
            " one, and try again."
        )
