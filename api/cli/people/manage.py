"""Finding, disabling and deleting users from the command line."""

import json
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from api.cli.common.config import CannotAnswer, data_option, load_config
from api.cli.common.confirmation import ask, yes_option
from api.cli.common.histories import json_option
from api.cli.common.invalid_input import load_fields
from api.cli.common.stores import open_stored_accounts, require_user
from api.config import Config
from api.container import open_services
from api.people.services.housekeeping import erase_person
from api.people.services.seats import resign_seat, running_seats
from api.people.stored import roles
from api.people.stored.user_admin import USER_ACTS, ListedUser, UserFilter
from api.people.stored.users import User
from api.schemas import Registration
from domain.engine.timestamps import iso_time
from domain.rejections import Rejected


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
name_argument = click.argument("name")


@click.command("list")
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


@click.command()
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


@click.command()
@name_argument
@data_option
def enable(name: str, data: Path | None) -> None:
    """Accept NAME's tokens and log-ins again."""
    with open_stored_accounts(data) as accounts:
        accounts.admin.enable(require_user(accounts, name))
    click.echo(f"{name} is enabled")


@click.command()
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


@click.command()
@name_argument
@data_option
def restore(name: str, data: Path | None) -> None:
    """Keep NAME, who was to be deleted within a day. They log in again: their tokens stay revoked."""
    with open_stored_accounts(data) as accounts:
        if not accounts.admin.keep(require_user(accounts, name)):
            raise CannotAnswer(f"{name} isn't about to be deleted. `trickbook user list` shows who is.")
    click.echo(f"{name} is kept")


@click.command()
@data_option
def log(data: Path | None) -> None:
    """Print what hosts did to users. A line is a JSON object; the oldest is first. Deleted users are named so."""
    with open_stored_accounts(data) as accounts:
        entries = [entry for entry in accounts.admin_log.entries() if entry.what in USER_ACTS]
        names = accounts.users.names_of(str(entry.details["player"]) for entry in entries)
    for entry in entries:
        player = entry.details["player"]
        click.echo(json.dumps(entry.to_json() | {"name": names.get(player, player)}))


MANAGE: list[click.Command] = [list_users, disable, enable, delete, restore, log]
