"""Games with seats that are handed over and returned."""

from domain.commands import AnswerHandover, AskHandover, CutDeck, ReturnSeat, SeatCommand
from domain.protocols import fairdeal
from domain.store.aggregate import Entry
from replay.history import History, from_entries
from tests.games.tables import Table

NAMES = {"p9": "zoe", **{f"p{seat}": f"player {seat}" for seat in range(4)}}
BOT = "bot:simple:9"


def ask(table: Table, seat: int, to: str = "p9") -> tuple[Entry, ...]:
    """Ask to hand a seat over to a person, or to a bot if the id is a bot's."""
    bot = to.split(":")[1] if to.startswith("bot:") else None
    command = AskHandover(seat, to, "human" if bot is None else "bot", bot)
    return table.send(command, table.state.seats[seat].player)


def agree(table: Table) -> tuple[Entry, ...]:
    """Let every other person agree, and return the last commit."""
    last: tuple[Entry, ...] = ()
    while (asked := table.state.handover) is not None and (
        waiting := [seat for seat in table.state.persons if seat not in asked.accepted]
    ):
        last = table.says(AnswerHandover(waiting[0], accept=True))
    return last


def hand_over(table: Table, seat: int, to: str = "p9") -> tuple[Entry, ...]:
    """Hand a seat over with everybody's consent, and return the last commit."""
    asked = ask(table, seat, to)
    return agree(table) or asked


def take_back(table: Table, seat: int, player: str) -> tuple[Entry, ...]:
    """Return a seat to the player who lent it."""
    return table.send(ReturnSeat(seat), player)


def facts(entries: tuple[Entry, ...]) -> list[str]:
    """Return the names of the facts of a commit."""
    return [entry.event.fact for entry in entries]


def history_of(table: Table) -> History:
    """Return everything that happened at the table."""
    return from_entries([entry for commit in table.commits for entry in commit], NAMES)


def lent_and_returned(players: int = 3, variant: str = "pitch") -> Table:
    """Return a game in which seat 1 goes to a person and back, and seat 2 to a bot for good."""
    table = Table(players, variant=variant)
    table.moves(0)
    hand_over(table, 1)
    table.moves(0)
    take_back(table, 1, "p1")
    hand_over(table, 2, BOT)
    return table


def cut(table: Table, seat: int) -> SeatCommand:
    """Return a cut with a seal for the next deal."""
    ceremony = table.state.ceremonies[-1]
    own = bytes([seat + 1]) * 32
    seal = fairdeal.seal(table.state.game, str(seat), own).hex()
    return CutDeck(seat, ceremony.n, ceremony.commit, own.hex(), seal)
