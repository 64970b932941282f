"""A player's data in the tables of conduct: erased with the player, and part of an export of their own data."""

from typing import TypedDict

from api.conduct.stored import blocks, chat_messages, conduct_reports, conduct_steps, private_messages
from api.conduct.stored.blocks import Blocks
from api.conduct.stored.chat_messages import Channel, messages_of
from api.conduct.stored.conduct_reports import ConductReports, ReportKind
from api.conduct.stored.conduct_steps import ConductSteps, StepDecision, StepKind
from domain.engine.timestamps import iso_time
from domain.json_fields import PlayerId, Time
from domain.store.sql.database import Database, Transaction


def erase_conduct(transaction: Transaction, player: str) -> None:
    """Erase the player's texts, those about them, and all blocks. Ids, times and the moderation log stay."""
    for module in (blocks, chat_messages, conduct_reports, conduct_steps, private_messages):
        module.erase_player(transaction, player)


class StoredBlock(TypedDict):
    """A player whom the caller blocks, or blocked until a time."""

    player: PlayerId
    since: Time
    until: Time | None


def blocks_by(database: Database, player: str) -> list[StoredBlock]:
    """Return the players whom a player blocks, or blocked until a time."""
    blocks = Blocks(database)
    spans = [*blocks.lifted(player), *((other, since, None) for other, since in blocks.with_times(player))]
    return [{"player": other, "since": iso_time(since), "until": iso_time(until)} for other, since, until in spans]


class StoredMessage(TypedDict):
    """A message of the caller in the chat of a game."""

    id: str
    written: Time
    to: Channel
    event: int | None
    text: str | None


def messages_by(database: Database, player: str) -> list[StoredMessage]:
    """Return the messages that a player wrote."""
    return [
        {"id": each.id, "written": iso_time(each.written), "to": each.channel, "event": each.event, "text": each.text}
        for each in messages_of(database, player)
    ]


class StoredReport(TypedDict):
    """A report that the caller sent."""

    id: str
    written: Time
    about: PlayerId
    kind: ReportKind
    text: str | None


def reports_by(database: Database, player: str) -> list[StoredReport]:
    """Return the reports that a player sent."""
    return [
        {"id": each.id, "written": iso_time(each.written), "about": each.about, "kind": each.kind, "text": each.text}
        for each in ConductReports(database).by(player)
    ]


class StoredStep(TypedDict):
    """A moderator's step against the caller."""

    id: str
    kind: StepKind
    since: Time
    until: Time | None
    reason: str | None
    appeal: str | None
    decision: StepDecision | None
    decision_reason: str | None


def steps_against(database: Database, player: str) -> list[StoredStep]:
    """Return the steps against a player, with their appeals. The moderators aren't named."""
    return [
        {
            "id": each.id,
            "kind": each.kind,
            "since": iso_time(each.since),
            "until": iso_time(each.until),
            "reason": each.reason,
            "appeal": each.appeal_text,
            "decision": each.decision,
            "decision_reason": each.decision_reason,
        }
        for each in ConductSteps(database).of(player)
    ]
