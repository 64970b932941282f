"""The eventsourcing library's application: an author of other programs finds in it what they know."""

import cProfile
import pstats
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import eventsourcing.application
import eventsourcing.persistence
import pytest
from eventsourcing.persistence import IntegrityError

import domain.store.application
from domain.commands import PassBid
from domain.rejections import Rejected
from domain.store import Games
from domain.store.aggregate import Game, Request
from domain.store.application import GameApplication, NoSuchGame
from tests.conftest import Database
from tests.domain.store.storing import at, open_game, opening, play
from tests.games.tables import entropy

LIBRARY = {eventsourcing.application.__file__, eventsourcing.persistence.__file__, domain.store.application.__file__}


@contextmanager
def calls_of_the_library() -> Iterator[Counter[str]]:
    """Count the calls of the library's functions, and of our mapper."""
    counts, profile = Counter[str](), cProfile.Profile()
    profile.enable()
    yield counts
    profile.disable()
    for (file, _, name), (_, times, *_) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        if file in LIBRARY:
            counts[f"{Path(file).parent.name}.{Path(file).stem}.{name}"] += times


def test_each_move_goes_through_the_librarys_application_and_a_cold_read_through_its_repository(
    database: Database,
) -> None:
    with at(database) as games:
        game = open_game(games)
        with calls_of_the_library() as counts:
            commits = play(games, game, 60)
        events = sum(len(commit.entries) for commit in commits)
        library, ours = "eventsourcing", "store.application"
        named = (f"{library}.application.save", f"{library}.persistence.put", f"{ours}.to_stored_event")
        assert [counts[name] for name in named] == [60, 60, events]
    with at(database) as games, calls_of_the_library() as counts:
        version = games.state(game).version
    read = (f"{library}.application._reconstruct_aggregate", f"{ours}.to_domain_event")
    assert [counts[name] for name in read] == [1, version]


@pytest.fixture
def application(tmp_path: Path) -> Iterator[GameApplication]:
    with Games(tmp_path) as games:
        (opened,) = games.log.applications
        yield opened


def request(number: int, by: str = "p0") -> Request:
    return Request(by, f"{number:016x}-{0:016x}", "2026-11-21T08:00:00.000000Z")


def opened_game(application: GameApplication) -> Game:
    """Return a new game that is stored."""
    game = Game(str(uuid4()))
    game.act(opening(game.game), request(1), entropy(1))
    application.save(game)
    return game


def test_a_game_is_saved_and_got_as_an_aggregate(application: GameApplication) -> None:
    game = opened_game(application)
    dealer = game.state.turn[0]
    draft = game.act(PassBid(dealer), request(2, f"p{dealer}"), entropy(2))
    assert (game.pending_events, game.version) == (draft.entries, len(game.recent) + len(draft.entries))
    recordings = application.save(game)
    assert [each.domain_event for each in recordings] == [*draft.entries]
    assert game.pending_events == ()
    for got in (application.repository.get(game.id), application.repository.get(game.id, version=game.version)):
        assert (got.id, got.version, got.root, got.state) == (game.id, game.version, game.root, game.state)
    before = application.repository.get(game.id, version=game.version - len(draft.entries))
    assert before.state.turn == (dealer,)
    noticed = application.notification_log.select(start=1, limit=5)
    assert [each.originator_version for each in noticed] == [1, 2, 3, 4, 5]


def test_after_a_refusal_nothing_is_pending(application: GameApplication) -> None:
    game = opened_game(application)
    waits = (game.state.turn[0] + 1) % 4
    with pytest.raises(Rejected):
        game.act(PassBid(waits), request(2, f"p{waits}"), entropy(2))
    assert (game.pending_events, application.save(game)) == ((), [])


def test_after_a_lost_race_a_game_is_as_it_was_before_its_commands(application: GameApplication) -> None:
    game = opened_game(application)
    other = application.repository.get(game.id, version=game.version)
    dealer, version, root = game.state.turn[0], game.version, game.root
    for number, each in enumerate((game, other), 2):
        each.act(PassBid(dealer), request(number, f"p{dealer}"), entropy(number))
    application.save(game)
    with pytest.raises(IntegrityError):
        application.save(other)
    assert (other.pending_events, other.version, other.root, other.state.turn) == ((), version, root, (dealer,))


def test_a_game_that_was_never_stored_is_named_as_the_library_does(application: GameApplication) -> None:
    with pytest.raises(eventsourcing.application.AggregateNotFoundError):
        application.repository.get(uuid4())
    with pytest.raises(NoSuchGame):
        application.repository.get(UUID(int=0), version=0)
    assert uuid4() not in application.repository
    with pytest.raises(TypeError, match="is a UUID here"):
        assert str(uuid4()) in application.repository  # type: ignore[operator]


def test_a_later_version_than_the_last_is_the_last_as_the_library_does(application: GameApplication) -> None:
    game = opened_game(application)
    assert application.repository.get(game.id, version=game.version + 1).root == game.root
    with pytest.raises(NoSuchGame):
        application.repository.get(game.id, version=-1)


def test_events_that_nobody_saves_are_in_no_other_game(application: GameApplication) -> None:
    game = opened_game(application)
    dealer, version = game.state.turn[0], game.version
    game.act(PassBid(dealer), request(2, f"p{dealer}"), entropy(2))
    again = application.repository.get(game.id)
    assert (again.version, again.pending_events) == (version, ())
    assert repr(again) == f"Game('{game.game}', version={version})"
