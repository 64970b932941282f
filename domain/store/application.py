"""The eventsourcing application of a shard of the log: games are saved by it and read from its repository."""

from typing import Any, NamedTuple
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import InfrastructureFactory, Recording
from eventsourcing.utils import Environment, EnvType

from domain.store.aggregate import Game
from domain.store.mapper import FactMapper
from domain.store.recorder import LogRecorder
from domain.store.repository import GameCache, GameEvents, GameRepository

CACHED = 1000
"""How many games stay in memory."""


class SharedParts(NamedTuple):
    """The parts of an application that all shards of a log have in common, and the recorder of this one."""

    factory: InfrastructureFactory[Any]
    cache: GameCache
    recorder: LogRecorder


class GameApplication(Application[UUID]):
    """The library's application, with our mapper, repository and recorder.

        games = log.application_of(game_id)
        game = games.repository.get(game_id)
        game.act(command, request, secrets.token_bytes)
        games.save(game)

    A save that fails leaves its games as they were before their commands, and so does a lost race, which raises
    IntegrityError.
    """

    recorder: LogRecorder
    mapper: FactMapper
    events: GameEvents
    repository: GameRepository

    def __init__(self, env: EnvType, name: str, parts: SharedParts) -> None:
        self.name, self._parts = name, parts
        super().__init__(env)

    def save(self, *objs: Any, **kwargs: Any) -> list[Recording[UUID]]:
        """Store the pending events of games, and return once they are on disk. Raise the library's errors."""
        games = [each for each in objs if isinstance(each, Game)]
        try:
            recordings = super().save(*objs, **kwargs)
        except BaseException:
            for game in games:
                game.discard()
            raise
        for game in games:
            game.keep()
        return recordings

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:  # noqa: ARG002 - the library's
        """Return the factory that all shards share."""
        return self._parts.factory

    def construct_recorder(self) -> LogRecorder:
        """Return the recorder of this shard."""
        return self._parts.recorder

    def construct_mapper(self) -> FactMapper:
        """Return the mapper of facts, with the compressor and the cipher of the settings."""
        return FactMapper(self.construct_transcoder(), self.factory.compressor(), self.factory.cipher())

    def construct_event_store(self) -> GameEvents:
        """Return the store that reads games in pages."""
        return GameEvents(self.mapper, self.recorder)

    def construct_repository(self) -> GameRepository:
        """Return the repository, whose cache all shards share."""
        return GameRepository(self.events, self._parts.cache)
