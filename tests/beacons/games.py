"""Games at tables with a beacon, played near recorded rounds."""

from domain.commands import CutDeck, RecordBeacon, Resign
from domain.events import Fairness
from domain.protocols import fairdeal
from domain.rules.choices import Phase
from domain.state import SERVER
from replay.history import History, from_entries
from tests.beacons.rounds import CHAIN, SIGNATURES, last_moment_for, published, source_of
from tests.domain.protocols.test_cuts import clock, later, own, play_out
from tests.games.tables import Table
from tests.given import GAME

SEALED = Fairness("sealed", 30, CHAIN)


def cut_all(table: Table) -> None:
    """Let both seats cut for the deal that waits, and seal their next cuts."""
    (ceremony,) = (each for each in table.state.ceremonies if not each.dealt)
    for seat in range(len(table.state.seats)):
        seal = fairdeal.seal(GAME, str(seat), own(seat, ceremony.n + 1)).hex()
        table.says(CutDeck(seat, ceremony.n, ceremony.commit, own(seat, ceremony.n).hex(), seal))


def bring(table: Table, number: int, by: str = "p0") -> None:
    """Bring a recorded round at the time of its publication."""
    (ceremony,) = (each for each in table.state.ceremonies if not each.dealt)
    table.now = published(number)
    table.send(RecordBeacon(table.state.seat_of(by) or 0, ceremony.n, source_of(number), SIGNATURES[number]), by)


def three_hands() -> Table:
    """Return a finished game of three hands: F1 with round 1000, F3 with round 1001, and F2 without round 1003."""
    table = Table(2, fairness=SEALED, at=last_moment_for(1000))
    for number, by in ((1000, "p1"), (1001, SERVER)):
        cut_all(table)
        bring(table, number, by)
        table.now = last_moment_for(1001 if number == 1000 else 1003)
        play_out(table)
    cut_all(table)
    later(table, 30)
    clock(table)
    assert table.state.phase is Phase.AUCTION
    table.says(Resign(1))
    assert table.state.result is not None
    return table


def history_of(table: Table) -> History:
    """Return the history of a game."""
    return from_entries([entry for commit in table.commits for entry in commit], {})
