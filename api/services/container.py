"""The services of one process: opened once, and found by every route through `api.http.context`."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from api.accounts.accounts import Accounts, open_accounts
from api.config import Config, ConfigError
from api.receipts.issue import Receipts
from api.receipts.keys import Keys
from api.services.autoplay import House
from api.services.rate_limit import RateLimiter
from domain.store import Games
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore, RowsUnavailable
from projections.views.cache import ViewCache


@dataclass
class Services:
    """The running parts. `checks` are asked by /health/ready; each raises when its part does not answer.

    `secret` is the server's own: command ids are made with it, so that no client can make another's. `patience_s` is
    how long a read waits for the followers.
    """

    config: Config
    accounts: Accounts
    secret: bytes = field(repr=False)
    games: Games
    receipts: Receipts
    views: ViewCache
    house: House
    rows: RowStore
    followers: LogFollower
    guesses: RateLimiter
    guesses_by_address: RateLimiter
    registrations: RateLimiter
    branches: RateLimiter
    checks: dict[str, Callable[[], None]] = field(default_factory=dict)
    patience_s: float = 2.0

    def close(self) -> None:
        """Let go of every store; the app answers nothing afterwards."""
        self.rows.close()
        self.games.close()
        self.accounts.close()


def open_services(config: Config) -> Services:
    """Open what the configuration names, tables in place."""
    with ExitStack() as opened:
        accounts = opened.enter_context(closing(open_accounts(config)))
        check_cipher(accounts, config)
        games = opened.enter_context(closing(open_games(config)))
        receipts = open_receipts(accounts, games, config)
        rows = opened.enter_context(closing(RowStore(config.data, config.database_url, PROJECTIONS)))
        views, followers = ViewCache(games), LogFollower(games, rows)
        made = Services(
            config=config,
            accounts=accounts,
            secret=accounts.secrets.server_secret(),
            games=games,
            receipts=receipts,
            views=views,
            house=House(games, views),
            rows=rows,
            followers=followers,
            guesses=RateLimiter(config.limits.guesses),
            guesses_by_address=RateLimiter(config.limits.guesses_by_address),
            registrations=RateLimiter(config.limits.registrations),
            branches=RateLimiter(config.limits.branches),
            checks={"office": accounts.ping, "log": lambda: _ask(games), "views": lambda: _look(rows, followers)},
        )
        opened.pop_all()
    return made


def open_receipts(accounts: Accounts, games: Games, config: Config) -> Receipts:
    """The receipts of these games, and the keys that sign them; ConfigError where these are not to be had."""
    keys = Keys(accounts.database, accounts.secrets.folder)
    keys.start(config.origin)
    return Receipts(accounts.database, keys, games)


def check_cipher(accounts: Accounts, config: Config) -> None:
    """ConfigError for another cipher key than the games were written with: they would look like changed ones."""
    if not accounts.secrets.matches_cipher(config.cipher_key):
        raise ConfigError("TRICKBOOK_CIPHER_KEY is not the one these games were written with")


def open_games(config: Config, *, migrate: bool = True) -> Games:
    """The games that the configuration names."""
    settings = {"CIPHER_KEY": config.cipher_key} if config.cipher_key else None
    return Games(config.data, config.database_url, settings=settings, migrate=migrate)


def _ask(games: Games) -> None:
    games.last_position()


def _look(rows: RowStore, followers: LogFollower) -> None:
    for name in rows.projections:
        rows.live_generation(name)
    if followers.trouble is not None:
        raise RowsUnavailable(followers.trouble)
