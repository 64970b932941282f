"""Users from the command line: registered, given roles, kept out, signed out, given passwords, or deleted."""

import json
import logging
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from api.accounts.accounts import open_accounts
from api.cli.common.config import CannotAnswer, ask, data_option, exit_on_store_errors, load_config, yes_option
from api.cli.common.histories import json_option
from api.cli.common.invalid_input import load_fields
from api.cli.common.stores import open_stored_accounts, require_store, require_user
from api.config import Config
from api.container import open_services
from api.monitoring.logs import log_event, setup_logging
from api.people.services.housekeeping import erase_person
from api.people.services.seats import resign_seat, running_seats
from api.people.stored import roles
from api.people.stored.passwords import WeakPassword
from api.people.stored.user_admin import USER_ACTS, ListedUser, UserFilter
from api.people.stored.users import NameTaken, User
from api.schemas import Registration
from domain.engine.timestamps import iso_time
from domain.rejections import Rejected

name_argument = click.argument("name")


def ask_password() -> str:
    """Return the password: typed twice at a terminal, otherwise one line of standard input."""
    if sys.stdin.isatty():
        typed: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
        return typed
    return sys.stdin.buffer.readline().decode(errors="surrogateescape").rstrip("\r\n")


def load_password(password: str) -> str:
    """Return the password if `POST /users` would accept it; raise CannotAnswer if not."""
    accepted: str = load_fields(Registration(only=("password",)), {"password": password})["password"]
    return accepted


@click.group()
def access() -> None:
    """Sign players out, and give them new passwords and codes. `trickbook user disable` keeps somebody out."""


@access.command()
@name_argument
@json_option
@data_option
def tokens(name: str, as_json: bool, data: Path | None) -> None:
    """List the tokens of NAME by id, the newest first: scope, creation, expiry, and the last day of use."""
    with open_stored_accounts(data) as accounts:
        found = accounts.admin.tokens(require_user(accounts, name))
    shown = [token.to_json() for token in found]
    if as_json:
        click.echo(json.dumps(shown, indent=2))
        return
    for token in shown:
        cells = [token["id"], token["scope"], token["created"], f"expires {token['expires'] or 'never'}"]
        cells += [f"{word} {token[word]}" for word in ("used", "revoked") if token[word]]
        click.echo("\t".join(map(str, cells)))


@access.command()
@click.argument("token", metavar="TOKEN_ID", required=False)
@click.option("--all", "name", metavar="NAME", help="All tokens of NAME, who is signed out and can log in again.")
@data_option
def end(token: str | None, name: str | None, data: Path | None) -> None:
    """End one token by its id, or all of a user. `trickbook access tokens NAME` lists the ids."""
    if (token is None) == (name is None):
        raise click.UsageError("Name a TOKEN_ID, or --all NAME.")
    with open_stored_accounts(data) as accounts:
        if name is not None:
            ended = accounts.admin.sign_out(require_user(accounts, name))
            click.echo(f"ended {ended} {'token' if ended == 1 else 'tokens'} of {name}")
        elif token is not None and not accounts.admin.revoke_token(token):
            raise CannotAnswer(f"There is no valid token {token}. `trickbook access tokens NAME` lists the ids.")
        else:
            click.echo(f"ended {token}")


@access.command()
@name_argument
@data_option
def password(name: str, data: Path | None) -> None:
    """Give NAME another password and sign them out. The command asks for it, or reads a line of standard input."""
    with open_stored_accounts(data) as accounts:
        found = require_user(accounts, name)
        try:
            accounts.admin.reset_password(found, load_password(ask_password()))
        except WeakPassword as error:
            raise CannotAnswer(f"password: {error}") from None
    click.echo(f"{name} has another password and is signed out")


@access.command()
@name_argument
@data_option
def codes(name: str, data: Path | None) -> None:
    """Print eight new recovery codes for NAME, each of which sets a new password once. Earlier codes become invalid."""
    with open_stored_accounts(data) as accounts:
        renewed = accounts.admin.renew_recovery_codes(require_user(accounts, name))
    click.echo("\n".join(renewed))


LOG = logging.getLogger("trickbook.roles")


@click.group()
def user() -> None:
    """Register players, give them roles, keep them out, or delete them."""


@user.command()
@click.argument("name")
@click.option("--password", help="By default the command asks for it, or reads a line of standard input.")
@data_option
def add(name: str, password: str | None, data: Path | None) -> None:
    """Register NAME and print the player's id. They log in with the password."""
    config = load_config(data)
    require_store(config)
    fields = load_registration(name, ask_password() if password is None else password)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        try:
            player = accounts.users.register(fields["name"], fields["password"])
        except NameTaken as error:
            raise CannotAnswer(str(error)) from None
        except WeakPassword as error:
            raise CannotAnswer(f"password: {error}") from None
        accounts.admin.add_to_log("user-added", player.id)
    click.echo(player.id)


@user.command()
@click.argument("name")
@click.argument("role_", metavar="ROLE", type=click.Choice(roles.ROLES))
@click.option("--remove", is_flag=True, help="Take the role away.")
@data_option
def role(name: str, role_: str, remove: bool, data: Path | None) -> None:
    """Give NAME a role. Arbiters rule on disputes; moderators and operators erase texts of disputes."""
    config = load_config(data)
    setup_logging(config)
    require_store(config)
    with exit_on_store_errors(), closing(open_accounts(config)) as accounts:
        player = require_user(accounts, name)
        (accounts.roles.withdraw if remove else accounts.roles.grant)(player.id, role_)
        accounts.admin.add_to_log("role-withdrawn" if remove else "role-granted", player.id, role=role_)
    log_event(LOG, "role-withdrawn" if remove else "role-granted", player=player.id, role=role_)
    click.echo(f"{name} is {'no longer' if remove else 'now'} {'an' if role_[0] in 'ao' else 'a'} {role_}")


def load_registration(name: str, password: str) -> dict[str, str]:
    """Return name and password if `POST /users` would accept them; raise CannotAnswer if not."""
    return load_fields(Registration(), {"name": name, "password": password})


MAX_LISTED = 10


def require_no_seats(config: Config, user: User) -> None:
    """Raise CannotAnswer, with the boards, if the user has a seat in a running game."""
    with closing(open_services(config)) as services:
        services.followers.catch_up()
        boards = sorted(board for board, _, _ in running_seats(services, user.id))
    if boards:
        listed = ", ".join(map(str, boards[:MAX_LISTED])) + (", ..." if len(boards) > MAX_LISTED else "")
        raise CannotAnswer(f"{user.name} plays at boards {listed}. With --force, the user resigns there first.")


def resign_seats(config: Config, user: User) -> None:
    """Resign the user's seats in running games."""
    with closing(open_services(config)) as services:
        services.followers.catch_up()
        for _, game, seat in list(running_seats(services, user.id)):
            try:
                resign_seat(services, user.id, game, seat)
            except Rejected as refusal:
                raise CannotAnswer(f"{game}: {refusal}") from None


def erase_user(config: Config, user: User) -> None:
    """Erase a user who has no seat in a running game."""
    with closing(open_services(config)) as services:
        erase_person(services, user.id)


TIMES = ("created", "disabled", "leaving")


@user.command("list")
@click.option("--role", type=click.Choice(roles.ROLES), help="Only users with this role.")
@click.option("--disabled", is_flag=True, help="Only disabled users.")
@click.option("--guests", is_flag=True, help="Only guests.")
@click.option("--name", "prefix", metavar="PREFIX", help="Only names that begin with this, in any case.")
@click.option("--erased", is_flag=True, help="Ids of deleted users, as JSON for `trickbook store restore --erasures`.")
@click.option("--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="The most users.")
@json_option
@data_option
def list_users(
    role: str | None, prefix: str | None, limit: int, as_json: bool, data: Path | None, **only: bool
) -> None:
    """List users by name: their roles, and if they're guests, disabled, or about to be deleted."""
    with open_stored_accounts(data) as accounts:
        if only["erased"]:
            erased = [asdict(each) for each in accounts.erasures.all()]
            click.echo(json.dumps({"erasures": erased}, indent=1))
            return
        found = accounts.admin.users(UserFilter(prefix, role, only["disabled"], only["guests"]), limit + 1)
    if len(found) > limit:
        click.echo(f"There are more than {limit} such users. Name a higher --limit to see them.", err=True)
    found = found[:limit]
    if as_json:
        shown = [asdict(user) | {name: iso_time(getattr(user, name)) for name in TIMES} for user in found]
        click.echo(json.dumps(shown, indent=2))
        return
    for user in found:
        click.echo("\t".join((user.name, ",".join(user.roles), _state(user))).rstrip("\t"))


def _state(user: ListedUser) -> str:
    """Return a user's state in words; an empty text for the usual one."""
    if user.disabled is not None:
        return f"disabled {iso_time(user.disabled)}"
    if user.leaving is not None:
        return f"deleted at {iso_time(user.leaving)}"
    return "guest" if user.guest else ""


@user.command()
@name_argument
@data_option
def disable(name: str, data: Path | None) -> None:
    """Keep NAME out: refuse their tokens and log-ins until `trickbook user enable NAME`. The games stay.

    To sign NAME out once, use `trickbook access end --all NAME`. A ban is a moderator's: `trickbook moderation rule`
    gives a reason and takes an appeal.
    """
    with open_stored_accounts(data) as accounts:
        accounts.admin.disable(require_user(accounts, name))
    click.echo(f"{name} is disabled")


@user.command()
@name_argument
@data_option
def enable(name: str, data: Path | None) -> None:
    """Accept NAME's tokens and log-ins again."""
    with open_stored_accounts(data) as accounts:
        accounts.admin.enable(require_user(accounts, name))
    click.echo(f"{name} is enabled")


@user.command()
@name_argument
@yes_option
@click.option("--now", "at_once", is_flag=True, help="Delete at once, and for good, instead of in a day.")
@click.option("--force", is_flag=True, help="With --now: resign the user's running games first.")
@data_option
def delete(name: str, yes: bool, at_once: bool, force: bool, data: Path | None) -> None:
    """Delete NAME in a day: name, password, tokens, roles and texts. Logs keep the player's id and still verify.

    NAME is signed out now. For a day, `trickbook user restore NAME` keeps the account, and so does its owner by signing
    in again. Then the server resigns their running games. Anybody may register the name afterwards. The command asks
    first.
    """
    if force and not at_once:
        raise click.UsageError("--force needs --now. In a day, the server resigns running games by itself.")
    with open_stored_accounts(data) as accounts:
        user = require_user(accounts, name)
        ask(f"Delete {name} ({user.id}) " + ("at once, and for good?" if at_once else "in a day?"), yes=yes)
        if not at_once:
            at = accounts.admin.begin_deletion(user)
            click.echo(f"{name} ({user.id}) will be deleted at {iso_time(at)}")
            return
        if force:
            accounts.admin.disable(user)
            resign_seats(load_config(data), user)
        else:
            require_no_seats(load_config(data), user)
    erase_user(load_config(data), user)
    click.echo(f"deleted {name} ({user.id})")


@user.command()
@name_argument
@data_option
def restore(name: str, data: Path | None) -> None:
    """Keep NAME, who was to be deleted within a day. They log in again: their tokens stay revoked."""
    with open_stored_accounts(data) as accounts:
        if not accounts.admin.keep(require_user(accounts, name)):
            raise CannotAnswer(f"{name} isn't about to be deleted. `trickbook user list` shows who is.")
    click.echo(f"{name} is kept")


@user.command()
@data_option
def log(data: Path | None) -> None:
    """Print what hosts did to users. A line is a JSON object; the oldest is first. Deleted users are named so."""
    with open_stored_accounts(data) as accounts:
        entries = [entry for entry in accounts.admin_log.entries() if entry.what in USER_ACTS]
        names = accounts.users.names_of(str(entry.details["player"]) for entry in entries)
    for entry in entries:
        player = entry.details["player"]
        click.echo(json.dumps(entry.to_json() | {"name": names.get(player, player)}))


commands: list[click.Command] = [access, user]
