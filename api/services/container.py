"""The services of one process. They are opened once; routes reach them through `api.http.context`."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from api.accounts.accounts import Accounts, open_accounts
from api.config import Config, ConfigError
from api.receipts.issue import ReceiptIssuer
from api.receipts.keys import SigningKeys
from api.services.autoplay import AutoPlayer
from api.services.rate_limit import RateLimiter
from domain.store import Games
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore, RowsUnavailable
from projections.views.cache import ViewCache

WRONG_CIPHER_KEY = (
    "TRICKBOOK_CIPHER_KEY is not the key that these games were written with; set it to that key, or remove it if they"
    " were written without one"
)


@dataclass
class Services:
    """The running parts. /health/ready runs `checks`; each raises an error if its part doesn't answer.

    Command ids are derived from `secret`, so that no client can produce another client's. A read waits up to
    `wait_timeout_s` seconds for the followers.
    """

    config: Config
    accounts: Accounts
    secret: bytes = field(repr=False)
    games: Games
    receipts: ReceiptIssuer
    views: ViewCache
    autoplayer: AutoPlayer
    rows: RowStore
    followers: LogFollower
    guesses: RateLimiter
    guesses_by_address: RateLimiter
    registrations: RateLimiter
    branches: RateLimiter
    checks: dict[str, Callable[[], None]] = field(default_factory=dict)
    wait_timeout_s: float = 2.0

    def close(self) -> None:
        """Close every store. The app can't answer requests afterwards."""
        self.rows.close()
        self.games.close()
        self.accounts.close()


def open_services(config: Config) -> Services:
    """Open the configured stores and create the missing tables."""
    with ExitStack() as stack:
        accounts = stack.enter_context(closing(open_accounts(config)))
        check_cipher(accounts, config)
        games = stack.enter_context(closing(open_games(config)))
        receipts = open_receipts(accounts, games, config)
        rows = stack.enter_context(closing(RowStore(config.data, config.database_url, PROJECTIONS)))
        views, followers = ViewCache(games), LogFollower(games, rows)
        services = Services(
            config=config,
            accounts=accounts,
            secret=accounts.secrets.server_secret(),
            games=games,
            receipts=receipts,
            views=views,
            autoplayer=AutoPlayer(games, views),
            rows=rows,
            followers=followers,
            guesses=RateLimiter(config.limits.guesses),
            guesses_by_address=RateLimiter(config.limits.guesses_by_address),
            registrations=RateLimiter(config.limits.registrations),
            branches=RateLimiter(config.limits.branches),
            checks={
                "office": accounts.ping,
                "log": lambda: _check_log(games),
                "views": lambda: _check_views(rows, followers),
            },
        )
        stack.pop_all()
    return services


def open_receipts(accounts: Accounts, games: Games, config: Config) -> ReceiptIssuer:
    """Return the issuer of receipts with its signing keys. Raise ConfigError if the keys aren't available."""
    keys = SigningKeys(accounts.database, accounts.secrets.folder)
    keys.start(config.origin)
    return ReceiptIssuer(accounts.database, keys, games)


def check_cipher(accounts: Accounts, config: Config) -> None:
    """Raise ConfigError if the games were written with another cipher key: their logs would look altered."""
    if not accounts.secrets.matches_cipher(config.cipher_key):
        raise ConfigError(WRONG_CIPHER_KEY)


def open_games(config: Config, *, migrate: bool = True) -> Games:
    """Open the configured store of games."""
    settings = {"CIPHER_KEY": config.cipher_key} if config.cipher_key else None
    return Games(config.data, config.database_url, settings=settings, migrate=migrate)


def _check_log(games: Games) -> None:
    games.last_position()


def _check_views(rows: RowStore, followers: LogFollower) -> None:
    for name in rows.projections:
        rows.live_generation(name)
    if followers.trouble is not None:
        raise RowsUnavailable(followers.trouble)
