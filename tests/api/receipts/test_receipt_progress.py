"""The search for missing receipts starts again if the log is another one than the one it had read."""

from api.config import Config
from api.worker import Worker
from domain.commands import Resign
from domain.store import Games
from tests.api.conftest import Caller, MakeApp, services_of
from tests.conftest import Database
from tests.logs.copies import LogCopy

TABLE = {"variant": "pitch", "seats": ["ann", "bot:random"]}


def open_games(caller: Caller, number: int) -> list[str]:
    """Open games and return their ids."""
    return [caller.post("/games", TABLE).get_json()["id"] for _ in range(number)]


def resign(games: Games, game: str) -> None:
    """End a game without a request, so that no receipt is issued."""
    games.act(game, Resign(0), by=games.state(game).seats[0].player, command_id="1-1")


def turns(worker: Worker) -> int:
    """Let the worker look for missing receipts, and return how many it issued."""
    return sum(worker.issue_receipts() for _ in range(4))


def test_receipts_of_a_log_that_was_put_back_are_issued_from_its_first_event(
    make_app: MakeApp, config: Config, database: Database
) -> None:
    here = services_of(app := make_app(config))
    ann = Caller(app.test_client()).join("ann")
    (early,) = open_games(ann, 1)
    resign(here.games, early)
    copy = LogCopy(database)
    for game in open_games(ann, 4):
        resign(here.games, game)
    assert turns(Worker(here)) == 5
    read_before = here.games.log.last_numbers()
    here.close()
    copy.put_back()
    here = services_of(app := make_app(config))
    late = open_games(Caller(app.test_client(), ann.token), 1)
    resign(here.games, *late)
    open_games(Caller(app.test_client(), ann.token), 8)
    assert sum(here.games.log.last_numbers()) > sum(read_before)
    assert turns(Worker(here)) == 1
    assert turns(Worker(here)) == 0
    assert [len(here.receipts.stored_receipts(game)) for game in (early, *late)] == [1, 1]
