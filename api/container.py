"""The services of one process. They are opened once; routes reach them through `api.web.context`."""

import logging
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from api.accounts.accounts import Accounts, open_accounts
from api.accounts.server_nodes import Node, NodeRecords, StreamRecords
from api.clock import ServerClock, database_time
from api.conduct.services.chat import Chat, Messages
from api.conduct.services.moderation import Moderation
from api.config import Config, ConfigError
from api.config.limits import NO_LIMITS, Limits, Rate
from api.evidence.services.audit_reports import ReportCache
from api.evidence.services.keys import SigningKeys
from api.evidence.services.receipts import ReceiptIssuer
from api.inbox.services.entries import GameLabels
from api.limits import GuessLimiter, LimitStorage, RateLimiter
from api.monitoring.log_watch import LogWatch, require_log
from api.monitoring.metrics import store_observer
from api.people.services.closed_times import ClosedTimes
from api.play.services.autoplay import AutoPlayer
from api.play.services.event_stream import StreamSlots
from api.play.services.game_reader import GameReader
from api.play.services.gate import GameGate, LateBoards
from api.play.services.presence import Presence
from api.tables.services.handovers import Handovers
from api.tables.services.popular_games import PopularGames
from domain.store import Games, utc_now
from domain.store.compression import NoDictionary
from domain.store.games import WriteGuard
from domain.store.recorder import timeout_settings
from domain.store.shards.layout import OtherShards
from domain.store.shards.old_archive import GamesArchived
from domain.store.shards.opening import server_settings, shard_settings
from domain.store.shards.servers import UnknownServer
from domain.store.sql.database import Transaction
from domain.store.wakeups import Wakeups
from projections.followers import PROJECTIONS, LogFollower
from projections.storage.rows import RowStore
from projections.views.cache import ViewCache


@dataclass(frozen=True)
class Conduct:
    """The chat, messages, the work of moderators, and the limits on reports and blocks."""

    chat: Chat
    messages: Messages
    moderation: Moderation
    reports_sent: RateLimiter
    blocks_made: RateLimiter


def open_conduct(accounts: Accounts, games: Games, keys: SigningKeys, limits: Limits, counts: LimitStorage) -> Conduct:
    """Return the services of conduct over open stores."""
    return Conduct(
        Chat(accounts, RateLimiter(limits.messages, counts, "messages")),
        Messages(
            accounts,
            RateLimiter(limits.private_messages, counts, "private-messages"),
            RateLimiter(limits.broadcasts, counts, "broadcasts"),
        ),
        Moderation(accounts, games, keys),
        RateLimiter(limits.conduct_reports, counts, "conduct-reports"),
        RateLimiter(limits.blocks, counts, "blocks"),
    )


LOG = logging.getLogger("trickbook.services")
STREAM_HOLD_S = 1.0
"""How long a stream counts at least: with 200 of them, an address opens at most 200 a second."""
UNSAFE_DATABASE = (
    "PostgreSQL runs with {settings} off, so a crash may lose or damage games; turn it on in postgresql.conf, or set"
    " TRICKBOOK_ALLOW_UNSAFE_DATABASE=yes to accept that"
)
WRONG_CIPHER_KEY = (
    "TRICKBOOK_CIPHER_KEY is not the key that these games were written with; set it to that key, or remove it if they"
    " were written without one"
)

OTHER_SHARDS = "this store has {found} shards, not {wanted}; to change that, run `trickbook shards count {wanted}`"
UNKNOWN_SERVER = (
    "shards of this store are on the server {name}, which TRICKBOOK_SERVERS doesn't name; add"
    " {name}=postgresql://user:password@host:port/name to it"
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
    clock: ServerClock
    games: Games
    node: Node
    log_watch: LogWatch
    receipts: ReceiptIssuer
    views: ViewCache
    gate: GameGate
    reader: GameReader
    late_boards: LateBoards
    popular: PopularGames
    autoplayer: AutoPlayer
    rows: RowStore
    labels: GameLabels
    followers: LogFollower
    wakeups: Wakeups
    limit_storage: LimitStorage
    guesses: GuessLimiter
    guesses_by_address: RateLimiter
    unknown_tokens: RateLimiter
    registrations: RateLimiter
    guests: RateLimiter
    mails: RateLimiter
    mail_refusals: RateLimiter
    mail_lines: RateLimiter
    mail_replies: RateLimiter
    branches: RateLimiter
    receipt_requests: RateLimiter
    seat_requests: RateLimiter
    claims: RateLimiter
    rulebook_checks: RateLimiter
    rulebook_checks_by_address: RateLimiter
    stream_slots: StreamSlots
    presence: Presence
    handovers: Handovers
    heavy_by_address: RateLimiter
    heavy_by_player: RateLimiter
    conduct: Conduct
    reports: ReportCache = field(default_factory=ReportCache)
    checks: dict[str, Callable[[], None]] = field(default_factory=dict)
    wait_timeout_s: float = 2.0

    def join_others(self, sockets: Path | None = None, name: str = "") -> None:
        """Wake other processes by changes, and be woken: on PostgreSQL all of the store, else those of the folder."""
        if self.config.database_url is not None:
            self.wakeups.join_database(self.config.database_url)
        elif sockets is not None:
            self.wakeups.join_folder(sockets, name)

    def close(self) -> None:
        """Close every store. The app can't answer requests afterwards."""
        self.wakeups.close()
        self.limit_storage.close()
        self.rows.close()
        self.games.close()
        self.accounts.close()


def open_services(config: Config) -> Services:
    """Open the configured stores and create the missing tables."""
    with ExitStack() as stack:
        accounts = stack.enter_context(closing(open_accounts(config)))
        check_durability(accounts, config)
        check_cipher(accounts, config)
        clock = accounts.clock
        require_log(accounts, config)
        games = stack.enter_context(closing(open_games(config, clock=clock)))
        wakeups = games.log.wakeups
        watch = LogWatch(games, accounts, config)
        watch.require_whole()
        node = open_node(accounts, config, games.guard)
        games.report_to(store_observer())
        games.use_hours(ClosedTimes(accounts.hours.of, accounts.hours.count))
        receipts = open_receipts(accounts, games, config)
        rows = stack.enter_context(
            closing(
                RowStore(config.data, config.database_url, PROJECTIONS, timeouts=config.timeouts, clock=clock.now_us)
            )
        )
        views, followers = ViewCache(games), LogFollower(games, rows, wakeups=wakeups)
        limits, seconds = config.limits, lambda: clock.now_us() / 1_000_000
        counts = stack.enter_context(closing(LimitStorage(config.data, config.database_url, seconds, config.timeouts)))
        handovers = Handovers(
            accounts, RateLimiter(limits.handover_offers, counts, "handover-offers"), accounts.blocks.between
        )
        gate = GameGate(games, views, accounts.roles, handovers.is_invited)
        services = Services(
            config=config,
            accounts=accounts,
            secret=accounts.secrets.server_secret(),
            clock=clock,
            games=games,
            node=node,
            log_watch=watch,
            receipts=receipts,
            views=views,
            gate=gate,
            reader=GameReader(games, views, accounts),
            late_boards=LateBoards(gate),
            popular=PopularGames(rows, clock.now_us),
            autoplayer=AutoPlayer(games, views),
            rows=rows,
            labels=GameLabels(rows, games, accounts.tables),
            followers=followers,
            wakeups=wakeups,
            limit_storage=counts,
            guesses=GuessLimiter(limits.guesses, counts, "guesses"),
            guesses_by_address=RateLimiter(limits.guesses_by_address, counts, "guesses-by-address"),
            unknown_tokens=RateLimiter(limits.unknown_tokens, counts, "unknown-tokens"),
            registrations=RateLimiter(limits.registrations, counts, "registrations"),
            guests=RateLimiter(limits.guests, counts, "guests"),
            mails=RateLimiter(limits.mails, counts, "mails"),
            mail_refusals=RateLimiter(limits.mail_refusals, counts, "mail-refusals"),
            mail_lines=RateLimiter(limits.mail_lines, counts, "mail-lines"),
            mail_replies=RateLimiter(limits.mail_replies, counts, "mail-replies"),
            branches=RateLimiter(limits.branches, counts, "branches"),
            receipt_requests=RateLimiter(limits.receipt_requests, counts, "receipts"),
            seat_requests=RateLimiter(seat_request_rate(config), counts, "questions"),
            claims=RateLimiter(limits.claims, counts, "claims"),
            rulebook_checks=RateLimiter(limits.rulebooks, counts, "rulebooks"),
            rulebook_checks_by_address=RateLimiter(limits.rulebooks_by_address, counts, "rulebooks-by-address"),
            heavy_by_address=RateLimiter(limits.heavy_by_address, counts, "heavy-by-address"),
            heavy_by_player=RateLimiter(limits.heavy_by_player, counts, "heavy-by-player"),
            conduct=open_conduct(accounts, games, receipts.keys, limits, counts),
            stream_slots=open_stream_slots(config),
            presence=Presence(node.name, StreamRecords(accounts.database, _node_clock(accounts, config))),
            handovers=handovers,
            checks={
                "office": accounts.ping,
                "log": watch.require_ready,
                "views": lambda: _check_views(rows),
            },
        )
        stack.pop_all()
    return services


def seat_request_rate(config: Config) -> Rate | None:
    """Return how often a player may ask others to sit down, or None without limits."""
    return Rate(config.hourly_questions, 3600) if config.is_limited else None


def open_stream_slots(config: Config) -> StreamSlots:
    """Return the places for event streams; without limits, only their total is limited."""
    if config.limits == NO_LIMITS:
        return StreamSlots(config.streams, None, None)
    return StreamSlots(config.streams, config.streams_by_address, config.streams_by_player, STREAM_HOLD_S)


def open_receipts(accounts: Accounts, games: Games, config: Config) -> ReceiptIssuer:
    """Return the issuer of receipts with its signing keys. Raise ConfigError if the keys aren't available."""
    keys = SigningKeys(accounts.database, accounts.secrets.folder)
    keys.start(config.origin)
    return ReceiptIssuer(accounts.database, keys, games, config.witnesses)


def check_cipher(accounts: Accounts, config: Config) -> None:
    """Raise ConfigError if the games were written with another cipher key: their logs would look altered."""
    if not accounts.secrets.matches_cipher(config.cipher_key):
        raise ConfigError(WRONG_CIPHER_KEY)


def check_durability(accounts: Accounts, config: Config) -> None:
    """Raise ConfigError, or warn if the settings accept it, if PostgreSQL may lose commits that are on disk."""
    unsafe = accounts.database.unsafe_settings()
    if unsafe and not config.allow_unsafe_database:
        raise ConfigError(UNSAFE_DATABASE.format(settings=" and ".join(unsafe)))
    if unsafe:
        LOG.warning("PostgreSQL runs with %s off: a crash may lose or damage games", " and ".join(unsafe))


def open_node(accounts: Accounts, config: Config, guard: WriteGuard | None = None) -> Node:
    """Return this process as a node that has looked at the others. Writes nothing. `guard` is that of its games."""
    node = Node(NodeRecords(accounts.database, _node_clock(accounts, config)), guard=guard)
    node.look()
    return node


def _node_clock(accounts: Accounts, config: Config) -> Callable[[Transaction], int]:
    """Return the clock that all nodes share: the database's, or on SQLite the machine's."""
    return database_time if config.database_url is not None else lambda _: accounts.clock.now_us()


def open_games(config: Config, *, clock: ServerClock | None = None, migrate: bool = True) -> Games:
    """Open the configured store of games. By default its clock is the machine's.

    Raise ConfigError if it has another number of shards than the configured one, if the address of a server that holds
    shards isn't set, or if it must be migrated first.
    """
    cipher = {"CIPHER_KEY": config.cipher_key} if config.cipher_key else {}
    try:
        return Games(
            config.data,
            config.database_url,
            clock=utc_now if clock is None else clock.now,
            holds=clock,
            settings=timeout_settings(config.timeouts)
            | shard_settings(config.shards)
            | server_settings(config.servers)
            | cipher,
            migrate=migrate,
        )
    except OtherShards as error:
        raise ConfigError(OTHER_SHARDS.format(found=error.found, wanted=config.shards)) from None
    except (GamesArchived, NoDictionary) as error:
        raise ConfigError(str(error)) from None
    except UnknownServer as error:
        raise ConfigError(UNKNOWN_SERVER.format(name=error.name)) from None


def _check_views(rows: RowStore) -> None:
    for name in rows.projections.keys() - rows.live_generations().keys():
        rows.live_generation(name)
