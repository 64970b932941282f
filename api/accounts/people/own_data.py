"""Everything stored about one person, as JSON values, for the export of one's own data. It holds no secret."""

import json
from collections.abc import Callable, Mapping

from api.accounts.clock.times import iso_time
from api.accounts.conduct import personal, private_messages
from api.accounts.inbox import outbox, webhooks
from api.accounts.mail import answers, board_mails, levels
from api.accounts.people import command_settings, hours
from api.accounts.people.sessions import list_tokens
from api.accounts.tables import handover_offers, held_moves, player_data
from projections.storage.database import Database


def _user(database: Database, player: str) -> object:
    rows = database.run("SELECT name, created, guest FROM users WHERE player = ?", player)
    return [{"id": player, "name": name, "created": iso_time(at), "guest": bool(guest)} for name, at, guest in rows]


def _tokens(database: Database, player: str) -> object:
    return [token.to_json() for token in list_tokens(database, player)]


def _roles(database: Database, player: str) -> object:
    return [role for (role,) in database.run("SELECT role FROM roles WHERE player = ? ORDER BY role", player)]


def _email(database: Database, player: str) -> object:
    rows = database.run("SELECT address, asked, confirmed FROM emails WHERE player = ?", player)
    return [{"address": to, "asked": iso_time(at), "confirmed": iso_time(done)} for to, at, done in rows]


def _recovery_codes(database: Database, player: str) -> object:
    rows = database.run("SELECT created, used FROM recovery_codes WHERE player = ? ORDER BY number", player)
    return [{"created": iso_time(created), "used": iso_time(used)} for created, used in rows]


def _opened_games(database: Database, player: str) -> object:
    rows = database.run("SELECT game, opened FROM openings WHERE opener = ? ORDER BY opened, game", player)
    return [{"game": game, "opened": iso_time(opened)} for game, opened in rows]


def _dispute_texts(database: Database, player: str) -> object:
    query = "SELECT game, text, details, written FROM texts WHERE author = ? ORDER BY written, command"
    return [
        {"game": game, "text": text, "written": iso_time(written)}
        | ({} if details is None else {"details": json.loads(details)})
        for game, text, details, written in database.run(query, player)
    ]


OWN_DATA: Mapping[str, Callable[[Database, str], object]] = {
    "user": _user,
    "tokens": _tokens,
    "roles": _roles,
    "email": _email,
    "recovery_codes": _recovery_codes,
    "hours": hours.own_data,
    "opened_games": _opened_games,
    "dispute_texts": _dispute_texts,
    "tables": player_data.own_data,
    "handover_offers": handover_offers.own_data,
    "blocks": personal.blocks_by,
    "messages": personal.messages_by,
    "private_messages": private_messages.own_data,
    "reports": personal.reports_by,
    "steps": personal.steps_against,
    "inbox_notes": outbox.own_data,
    "webhooks": webhooks.own_data,
    "held_moves": held_moves.own_data,
    "command_settings": command_settings.own_data,
    "mail_levels": levels.own_data,
    "board_mails": board_mails.own_data,
    "mail_answers": answers.own_data,
}
"""The parts of the export, each with the function that reads it."""


def own_data(database: Database, player: str) -> dict[str, object]:
    """Return all parts about a player, by name."""
    return {name: read(database, player) for name, read in OWN_DATA.items()}
