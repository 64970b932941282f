"""The accounts of the configured store, for commands that list or change them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from api.accounts.accounts import Accounts, open_accounts
from api.cli.common.config import exit_on_store_errors, load_config
from api.cli.common.store_files import require_store


@contextmanager
def open_stored_accounts(data: Path | None) -> Iterator[Accounts]:
    """Yield the accounts of the store. Raise CannotAnswer if there is no store, or if it doesn't respond."""
    config = load_config(data)
    require_store(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        yield accounts
