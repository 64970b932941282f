"""Tables of the followers that an older version of the program made, brought up to date."""

from domain.store.sql.transactions import Transaction

ADD_POSITIONS = "ALTER TABLE followers ADD COLUMN positions {text} NOT NULL DEFAULT ''"
COPY_POSITION = "UPDATE followers SET positions = position || ':' || {leaf} WHERE position > 0"
OLDER_COLUMNS = "position", "leaf"
"""A position was a number, since 0.2 with the leaf of its event. There was one shard."""


def add_positions(transaction: Transaction, text_type: str) -> None:
    """Replace the columns of a position by that of positions, one for each shard, unless that's done."""
    columns = transaction.columns("followers")
    if "positions" in columns:
        return
    transaction.run(ADD_POSITIONS.format(text=text_type))
    transaction.run(COPY_POSITION.format(leaf="leaf" if "leaf" in columns else "''"))
    for column in columns.intersection(OLDER_COLUMNS):
        transaction.run(f"ALTER TABLE followers DROP COLUMN {column}")
