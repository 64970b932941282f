"""The accounts of the configured store, for commands that list or change them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from api.accounts import roles
from api.accounts.accounts import Accounts, open_accounts
from api.accounts.user_admin import UserFilter
from api.accounts.users import User
from api.cli.common.config import CannotAnswer, exit_on_store_errors, load_config
from api.cli.common.store_files import require_store
from api.cli.parser.advice import did_you_mean
from api.config import Config
from api.services.container import open_node

MOST_NAMES = 1000


@contextmanager
def open_stored_accounts(data: Path | None) -> Iterator[Accounts]:
    """Yield the accounts of the store. Raise CannotAnswer if there is no store, or if it doesn't respond."""
    config = load_config(data)
    require_store(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        yield accounts


def require_user(accounts: Accounts, name: str) -> User:
    """Return the user of this name; raise CannotAnswer if there isn't one."""
    user = accounts.users.by_name(name)
    if user is None:
        raise CannotAnswer(no_such_user(accounts, name))
    return user


def require_moderator(accounts: Accounts, name: str | None) -> User:
    """Return the moderator of this name; raise CannotAnswer without a name, or for somebody who isn't one."""
    if name is None:
        raise CannotAnswer("Name the moderator who acts with --by NAME.")
    user = accounts.users.by_name(name)
    if user is None or not accounts.roles.has_any(user.id, *roles.MODERATORS):
        raise CannotAnswer(f"{name} isn't a moderator. `trickbook user role {name} moderator` gives a user this role.")
    return user


def no_such_user(accounts: Accounts, name: str) -> str:
    """Return the sentence about a user who doesn't exist, with the nearest name that begins with the same letter."""
    near = [each.name for each in accounts.admin.users(UserFilter(name[:1]), MOST_NAMES)] if name else []
    return f"There is no user {name}.{did_you_mean(name, near) or ' `trickbook user list` lists them.'}"


def require_no_servers(accounts: Accounts, config: Config) -> None:
    """Raise CannotAnswer if a server uses the log: it couldn't store anything afterwards, until it starts again."""
    nodes = {each.name.partition(" ")[0] for each in open_node(accounts, config).others()}
    if nodes:
        raise CannotAnswer(
            f"A server uses this log, on {' and '.join(sorted(nodes))}. Stop every server, then run this again. One "
            "that was killed counts for a minute."
        )
