"""The authors of texts that version 0.1 stored: the log names them, and erasing somebody's texts needs them."""

import logging

from api.accounts.accounts import Accounts
from api.evidence.services.disputes import dispute_records
from domain.store import Games, NoSuchGame
from domain.store.aggregate import Corrupt

LOG = logging.getLogger("trickbook.people")


def store_text_authors(accounts: Accounts, games: Games) -> None:
    """Store the authors of all texts that have none, except in games that can't be read."""
    for game in accounts.dispute_texts.games_without_authors():
        try:
            records = dispute_records(entry.event for entry in games.entries(game))
        except (NoSuchGame, Corrupt) as error:
            LOG.warning("the authors of texts of game %s aren't known: %s", game, error)
            continue
        events = (event for record in records for event in record.parts.values())
        accounts.dispute_texts.set_authors({event.command: event.by for event in events})
