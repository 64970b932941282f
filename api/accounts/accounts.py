"""All accounts data of one store: `accounts.users`, `accounts.tokens`, `accounts.boards` and the other tables."""

from contextlib import ExitStack
from functools import cached_property
from typing import NamedTuple

from api import clock
from api.accounts import migrations, secrets, server_nodes
from api.accounts.secrets import ServerSecrets
from api.clock import ClockRecords, ServerClock
from api.conduct.stored import blocks, chat_messages, conduct_reports, conduct_steps, moderation_log, private_messages
from api.conduct.stored.blocks import Blocks
from api.conduct.stored.chat_messages import ChatMessages
from api.conduct.stored.conduct_reports import ConductReports
from api.conduct.stored.conduct_steps import ConductSteps
from api.conduct.stored.moderation_log import ModerationLog
from api.conduct.stored.private_messages import PrivateMessages
from api.config import Config
from api.delivery.stored import log_reader, queue
from api.delivery.stored.queue import IS_DUE, WEBHOOKS, DeliveryQueue
from api.evidence.stored import dispute_texts
from api.evidence.stored.dispute_texts import DisputeTexts
from api.inbox.stored import outbox, webhooks
from api.inbox.stored.outbox import DeadlineWarnings, Outbox
from api.inbox.stored.webhooks import Webhooks
from api.mail.stored import board_mails, levels
from api.mail.stored.board_mails import BoardMails
from api.mail.stored.levels import MailLevels
from api.monitoring import log_positions
from api.monitoring.log_positions import LogPositions
from api.people.stored import admin_log, emails, hours, own_data, recovery_codes, roles, settings, tokens, users
from api.people.stored.admin_log import AdminLog
from api.people.stored.emails import Emails
from api.people.stored.guests import Guests
from api.people.stored.hours import HoursRecords
from api.people.stored.own_data import Erasures, Leaving
from api.people.stored.passwords import Passwords
from api.people.stored.recovery_codes import RecoveryCodes
from api.people.stored.roles import Roles
from api.people.stored.settings import CommandSettings
from api.people.stored.tokens import USUAL_GRANT, Sessions, TokenGrant, Tokens
from api.people.stored.user_admin import UserAdmin
from api.people.stored.users import Users
from api.tables.stored import boards, forming_tables, handover_offers, held_moves, invitations, rulebooks, seats
from api.tables.stored.boards import Boards
from api.tables.stored.forming_tables import FormingTables, SeatingAllowances
from api.tables.stored.handover_offers import HandoverOffers
from api.tables.stored.held_moves import HeldMoves
from api.tables.stored.invitations import Invitations
from api.tables.stored.rulebooks import Rulebooks
from api.tables.stored.table_lists import TableLists
from domain.store.held_clock import machine_time
from domain.store.sql.database import Database, Schema, open_database

PENDING_WORK = f"""SELECT
    COALESCE((SELECT last FROM counters WHERE name = 'outbox'), 0),
    EXISTS (SELECT 1 FROM deliveries WHERE queue = '{WEBHOOKS}' AND {IS_DUE}),
    EXISTS (SELECT 1 FROM held_moves WHERE kind = 'queued' AND dropped IS NULL),
    EXISTS (SELECT 1 FROM forming_tables WHERE status = 'closing' OR status = 'forming' AND expires <= ?),
    EXISTS (SELECT 1 FROM broadcasts WHERE told IS NOT NULL)"""


class PendingWork(NamedTuple):
    """The number of the last note in the outbox, and whether there is work of each kind."""

    last_note: int = 0
    webhooks: bool = True
    queued_moves: bool = True
    tables: bool = True
    broadcasts: bool = True


def read_pending_work(database: Database) -> PendingWork:
    """Return what waits now."""
    now = database.now()
    last_note, *kinds = database.run(PENDING_WORK, now, now, now)[0]
    return PendingWork(last_note, *map(bool, kinds))


ACCOUNTS = Schema("office", durable=True, lock_id=7_020_021)
"""The accounts are stored as `office`: the file office.db, or the schema of this name on PostgreSQL."""
RECEIPT_TABLES = (
    """CREATE TABLE IF NOT EXISTS signing_keys (
        number BIGINT PRIMARY KEY, vkey TEXT NOT NULL UNIQUE, secret TEXT, note TEXT, since BIGINT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS receipts (
        game TEXT NOT NULL, size BIGINT NOT NULL, root TEXT NOT NULL, note TEXT NOT NULL, given BIGINT NOT NULL,
        PRIMARY KEY (game, size))""",
    """CREATE TABLE IF NOT EXISTS cosignatures (
        game TEXT NOT NULL, size BIGINT NOT NULL, witness TEXT NOT NULL, line TEXT NOT NULL, added BIGINT NOT NULL,
        PRIMARY KEY (game, size, witness))""",
)
TABLES = (
    *users.TABLES,
    *tokens.TABLES,
    *boards.TABLES,
    *secrets.TABLES,
    *RECEIPT_TABLES,
    *admin_log.TABLES,
    *roles.TABLES,
    *dispute_texts.TABLES,
    *migrations.TABLES,
    *clock.TABLES,
    *log_positions.TABLES,
    *server_nodes.TABLES,
    *recovery_codes.TABLES,
    *emails.TABLES,
    *own_data.TABLES,
    *hours.TABLES,
    *blocks.TABLES,
    *seats.TABLES,
    *invitations.TABLES,
    *forming_tables.TABLES,
    *handover_offers.TABLES,
    *chat_messages.TABLES,
    *private_messages.TABLES,
    *conduct_reports.TABLES,
    *conduct_steps.TABLES,
    *moderation_log.TABLES,
    *outbox.TABLES,
    *webhooks.TABLES,
    *outbox.WARNING_TABLES,
    *held_moves.TABLES,
    *settings.TABLES,
    *levels.TABLES,
    *board_mails.TABLES,
    *queue.TABLES,
    *log_reader.TABLES,
    *rulebooks.TABLES,
)

PUTS_OFF = (
    own_data.PUT_OFF, forming_tables.PUT_OFF, invitations.PUT_OFF, handover_offers.PUT_OFF, queue.PUT_OFF,
)  # fmt: skip
"""Puts off what ends by its time, once a hold of the clock has ended. Tokens and steps end by the calendar."""


class Accounts:
    """The parts over one database. Every method may be called from any thread."""

    def __init__(self, database: Database, config: Config) -> None:
        """Read and write nothing."""
        passwords, in_files = Passwords(config.hashing), config.database_url is None
        secrets_folder = config.data / "keys" if in_files else None
        self.database = database
        self._config = config
        self.users = Users(database, passwords)
        self.tokens = Tokens(database)
        self.boards = Boards(database)
        self.roles = Roles(database)
        self.dispute_texts = DisputeTexts(database)
        self.handover_offers = HandoverOffers(database)
        self.admin_log = AdminLog(database)
        self.admin = UserAdmin(database, passwords)
        self.clock_records = ClockRecords(database, PUTS_OFF)
        self.log_positions = LogPositions(database)
        self.hours = HoursRecords(database)
        self.blocks = Blocks(database)
        self.forming = FormingTables(database)
        self.tables = TableLists(database)
        self.invitations = Invitations(database)
        self.rulebooks = Rulebooks(database)
        self.seating = SeatingAllowances(database)
        self.chat = ChatMessages(database)
        self.private_messages = PrivateMessages(database)
        self.reports = ConductReports(database)
        self.steps = ConductSteps(database)
        self.moderation_log = ModerationLog(database)
        self.outbox = Outbox(database)
        self.deliveries = DeliveryQueue(database)
        self.webhooks = Webhooks(database, self.deliveries)
        self.deadline_warnings = DeadlineWarnings(database)
        self.held_moves = HeldMoves(database)
        self.command_settings = CommandSettings(database)
        self.mail_levels = MailLevels(database)
        self.board_mails = BoardMails(database)
        self.secrets = ServerSecrets(database, secrets_folder)
        self.sessions = Sessions(database, self.tokens.forget)
        self.recovery_codes = RecoveryCodes(database)
        self.guests = Guests(database)
        self.leaving = Leaving(database)
        self.emails = Emails(database)
        self.erasures = Erasures(database)

    @cached_property
    def clock(self) -> ServerClock:
        """The server's clock in this process, which the tables ask for the time."""
        return open_clock(self.clock_records, self._config)

    def login(self, name: str, password: str, grant: TokenGrant = USUAL_GRANT) -> str:
        """Return a new token. Raise BadLogin for a wrong name or password, UserDisabled or UserLeaving."""
        return self.tokens.issue(*self.users.authenticate(name, password), grant)

    def invited(self, game: str, player: str) -> bool:
        """Return whether a player was ever asked to the table of this game, or took a seat at it."""
        return self.tables.is_invited(game, player)

    def migrate(self) -> None:
        """Create the missing tables and migrate older ones.

        Safe to repeat, and for concurrent use by several processes. Raise NewerSchema for tables of a newer version.
        """
        self.database.create_tables(TABLES)
        migrations.migrate(self.database)

    def pending_work(self) -> PendingWork:
        """Return what waits for a worker."""
        return read_pending_work(self.database)

    def ping(self) -> None:
        """Raise the database's error if it doesn't answer, or if nothing could be stored in its file."""
        self.database.run("SELECT last FROM counters LIMIT 1")
        self.database.require_files()

    def close(self) -> None:
        self.database.close()


def open_accounts(config: Config) -> Accounts:
    """Open the accounts of the configured store and create the missing tables."""
    database = open_database(ACCOUNTS, config.data, config.database_url, config.timeouts, machine_time)
    with ExitStack() as closing:
        closing.callback(database.close)
        accounts = Accounts(database, config)
        accounts.migrate()
        database.clock = accounts.clock.kept_us  # which asks the database nothing: this may be within a transaction
        closing.pop_all()
    return accounts


def open_clock(records: ClockRecords, config: Config) -> ServerClock:
    """Return the server's clock, compared with the last heartbeat. Writes nothing."""
    database = records.database_time if config.database_url is not None else lambda: None
    return ServerClock(records, config.clock_jump_s, config.clock_gap_s, database=database)
