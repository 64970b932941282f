"""What the tables of conduct hold about one player: erased with the player, and part of an export of their own data."""

from typing import Any

from api.accounts.conduct import blocks, chat_messages, conduct_reports, conduct_steps
from api.accounts.conduct.blocks import Blocks
from api.accounts.conduct.chat_messages import messages_of
from api.accounts.conduct.conduct_reports import ConductReports
from api.accounts.conduct.conduct_steps import ConductSteps
from projections.storage.database import Database, Transaction


def erase_player(transaction: Transaction, player: str) -> None:
    """Erase the player's texts, those about them, and all blocks. Ids, times and the moderation log stay."""
    for module in (blocks, chat_messages, conduct_reports, conduct_steps):
        module.erase_player(transaction, player)


def own_data(database: Database, player: str) -> dict[str, list[dict[str, Any]]]:
    """Return the player's blocks, messages and reports, and the steps against them. Times are in UTC microseconds."""
    return {
        "blocks": [{"player": other, "since": since} for other, since in Blocks(database).with_times(player)],
        "messages": [
            {"id": each.id, "written": each.written, "to": each.channel, "event": each.event, "text": each.text}
            for each in messages_of(database, player)
        ],
        "reports": [
            {"id": each.id, "written": each.written, "about": each.about, "kind": each.kind, "text": each.text}
            for each in ConductReports(database).by(player)
        ],
        "steps": [
            {"id": each.id, "since": each.since, "until": each.until, "kind": each.kind, "reason": each.reason,
             "appeal": each.appeal_text, "decision": each.decision}
            for each in ConductSteps(database).of(player)
        ],
    }  # fmt: skip
