"""The description of every endpoint, by the name that Flask gives it."""

from collections.abc import Mapping

from api.description.model import Operation
from api.description.operations import (
    commands,
    conduct,
    disputes,
    games,
    inbox,
    log,
    pages,
    people,
    questions,
    server,
    tables,
)

OPERATIONS_BY_TAG: Mapping[str, Mapping[str, Operation]] = {
    "people": people.OPERATIONS,
    "games": games.OPERATIONS,
    "commands": commands.OPERATIONS,
    "tables": tables.OPERATIONS,
    "log": log.OPERATIONS,
    "inbox": inbox.OPERATIONS,
    "questions": questions.OPERATIONS,
    "disputes": disputes.OPERATIONS,
    "conduct": conduct.OPERATIONS,
    "pages": pages.OPERATIONS,
    "server": server.OPERATIONS,
}
TAGS: Mapping[str, str] = {
    "people": "Users, tokens, guests, and your own account.",
    "games": "The lobby, views and moves.",
    "commands": "Command lines, as players of pbmserv write them.",
    "tables": "Tables that form, invitations, and seats that change hands.",
    "log": "Events, streams, exports, receipts and proofs.",
    "inbox": "What happened in your games, and webhooks that it's sent to.",
    "questions": "Audits, replays, questions, branches and hands.",
    "disputes": "Disputes, rulings and appeals.",
    "conduct": "Blocks, chat, reports and moderation.",
    "pages": "Pages for people, and the sessions of browsers.",
    "server": "The server itself.",
}
OPERATIONS: Mapping[str, Operation] = {
    endpoint: operation for group in OPERATIONS_BY_TAG.values() for endpoint, operation in group.items()
}
TAG_OF: Mapping[str, str] = {endpoint: tag for tag, group in OPERATIONS_BY_TAG.items() for endpoint in group}
