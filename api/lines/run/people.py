"""One's own account: register, address, password, leaving and help; and settings, such as the player's hours."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from api.lines.catalog import GAME_COMMANDS, SERVER_COMMANDS, WHO, Command, usage
from api.lines.line_sender import (
    CommandAnswer,
    CommandRefusal,
    LineProblem,
    LineSender,
    json_values,
    refusal,
    telling,
)
from api.lines.options import option_lines
from api.lines.requests import (
    SETTING_NAMES,
    Board,
    ChangePassword,
    ChangeSetting,
    ConfirmAddress,
    Delete,
    Help,
    LineLogin,
    SetAddress,
    Signup,
)
from api.lines.run.play import require_caller, require_writer
from api.lines.run.seeing import look
from api.mail.stored.levels import ALL_GAMES, LEVELS
from api.people.services import own_account
from api.people.services.own_account import register
from api.people.services.own_hours import set_hours, show_hours
from api.people.stored.settings import PASSWORDS, SETTINGS, VALUES
from api.schemas import GivenInput
from domain.rules.variants import KNOWN, VARIANTS
from domain.rules.variants.house import HOUSE
from projections.moves.text_moves import valid_inputs
from replay.text.layout import columns

MOVES = (
    "A move is a bid (3, bid 3, pass, smudge in Pitch, moon at some tables), a card (AD, 10c, A♦, play AD), hearts,"
    " throw 2C 3D, call KH,"
    " delay 2, guilty, not guilty, or change dirty:on."
)
MOVE_WORDS = frozenset(
    (
        "moves",
        "bid",
        "pass",
        "smudge",
        "moon",
        "card",
        "cards",
        "play",
        "suit",
        "throw",
        "call",
        "delay",
        "guilty",
        "not",
    )
)
SIGNED_IN = "With a token, leave out userid and password. Case matters in names and passwords alone."
LOGIN = "|".join(re.escape(text) for text in (f" {WHO}", " foo bar", f"\n{SIGNED_IN}"))
"""The name and the password in usages and examples, and the line about them."""


def help_text(variant: str | None, subjects: Sequence[str], *, signed_in: bool = False) -> str:
    """Return help about subjects: commands, games, or nothing for all commands.

    A writer who is `signed_in` reads nothing of the name and the password that a line without a token has.
    """
    text = _help_text(variant, subjects)
    return re.sub(LOGIN, "", text) if signed_in else text


def _help_text(variant: str | None, subjects: Sequence[str]) -> str:
    if variant is not None and not subjects:
        return _game_help(variant)
    if not subjects or tuple(subjects) == ("commands",):
        return _all_commands()
    return "\n\n".join(_subject(subject, variant) for subject in subjects[:4])


def _all_commands() -> str:
    lines = ["Commands of the server:", *_listed(SERVER_COMMANDS, None)]
    lines += [f"Commands of each game ({', '.join(VARIANTS)}), after its name:", *_listed(GAME_COMMANDS, "game")]
    return "\n".join([*lines, "", MOVES, SIGNED_IN, "help challenge explains one command, help pitch a game."])


def _listed(commands: Mapping[str, Command], variant: str | None) -> list[str]:
    return [f"  {usage(command, variant)}" for command in commands.values()]


def _subject(subject: str, variant: str | None) -> str:
    if subject in KNOWN:
        return _game_help(subject)
    if subject in MOVE_WORDS:
        return MOVES if variant is None else _moves_of(variant)
    found = [
        _command_help(command, game)
        for commands, game in ((SERVER_COMMANDS, None), (GAME_COMMANDS, variant or "pitch"))
        for command in commands.values()
        if subject in (command.name, *command.aliases)
    ]
    return "\n\n".join(found) or f"There is no help about {subject[:40]!a}. Write help for a list of commands."


def _command_help(command: Command, variant: str | None) -> str:
    lines = [usage(command, variant), f"  {command.help}"]
    lines += [f"  It can also be written {' or '.join(command.aliases)}."] if command.aliases else []
    lines.append(f"  Example: {command.example.format(game=variant or 'pitch')}")
    if command.takes_options and variant is not None:
        lines += ["  Options:", *(f"    {line}" for line in columns(option_lines(variant)))]
    return "\n".join(lines)


def _game_help(variant: str) -> str:
    found = KNOWN[variant]
    page = "/house-rules" if variant == HOUSE else f"/rules/{found.sheet.page}"
    lines = [found.title, found.summary, f"The rules are on the page {page}.", "", "Commands:"]
    lines += _listed(GAME_COMMANDS, variant)
    lines += ["", f"Options of {variant} challenge:", *(f"  {line}" for line in columns(option_lines(variant)))]
    return "\n".join([*lines, "", _moves_of(variant), SIGNED_IN])


def _moves_of(variant: str) -> str:
    return f"A move is {valid_inputs(None if variant == HOUSE else VARIANTS[variant].rules)}."


OFF, MAIL = "off", "mail"
NIGHT = re.compile("([0-9]{2}:[0-9]{2})-([0-9]{2}:[0-9]{2})")
SPAN = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:\.\.([0-9]{4}-[0-9]{2}-[0-9]{2}))?")


def change_setting(sender: LineSender, request: ChangeSetting, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Show the settings, or change one."""
    player = require_writer(sender)
    if request.name == MAIL:
        _set_mail(sender, player.id, request)
    elif request.name is not None:
        _change(sender, request.name, request.value or "")
    return _shown(sender)


def _set_mail(sender: LineSender, player: str, request: ChangeSetting) -> None:
    """Choose which mails a player gets, about all boards or one."""
    _require_token(sender, MAIL)
    level = next((each for each in LEVELS if each == (request.value or "").lower()), None)
    if level is None:
        raise _malformed(f"Set {MAIL} to {', '.join(LEVELS)}.")
    game = ALL_GAMES if request.board is None else look(sender, request.variant, Board(request.board.number)).game
    sender.services.accounts.mail_levels.set(player, level, game)


def _change(sender: LineSender, name: str, value: str) -> None:
    if name in SETTINGS:
        _switch(sender, name, value.lower())
    elif name in HOURS:
        hours = _hours(sender)
        kept = {each: hours[each] for each in HOURS} | {name: HOURS[name](value)}
        set_hours(sender.services, sender.writing(own=True), GivenInput(kept))
    else:
        raise _malformed(f"Set one of {', '.join(SETTING_NAMES)}.")


def _hours(sender: LineSender) -> Mapping[str, Any]:
    return json_values(show_hours(sender.services, sender.reading(own=True)))


def _switch(sender: LineSender, name: str, value: str) -> None:
    if value not in VALUES:
        raise _malformed(f"Set {name} to {' or '.join(VALUES)}.")
    if name == PASSWORDS:
        _require_token(sender, name)
    sender.services.accounts.command_settings.set(require_writer(sender).id, name, value)


def _require_token(sender: LineSender, name: str) -> None:
    if not sender.has_token:
        raise refusal("unauthorized", 401, "Token needed", f"The setting {name} changes with a token alone.")


def _shown(sender: LineSender) -> CommandAnswer:
    player, accounts = require_writer(sender).id, sender.services.accounts
    switches = accounts.command_settings.of(player) | {MAIL: accounts.mail_levels.of(player)}
    hours = _hours(sender)
    night, spans = hours["night"], [f"{each['first']}..{each['last']}" for each in hours["vacation"]]
    lines = [f"{name} {value}" for name, value in switches.items()]
    lines += [
        f"zone {hours['zone']}",
        "night " + (OFF if night is None else f"{night['start']}-{night['end']}"),
        f"weekends {'on' if hours['weekends'] else OFF}",
        f"vacation {' '.join(spans) or OFF} (days left: {hours['vacation_days_left']})",
    ]
    return CommandAnswer("set", "\n".join(lines), switches | {"hours": hours})


def _zone(value: str) -> str:
    return value


def _night(value: str) -> dict[str, str] | None:
    if value.lower() == OFF:
        return None
    found = NIGHT.fullmatch(value)
    if found is None:
        raise _malformed("Write a night like 22:00-07:00, or off.")
    return {"start": found[1], "end": found[2]}


def _weekends(value: str) -> bool:
    if value.lower() not in VALUES:
        raise _malformed(f"Set weekends to {' or '.join(VALUES)}.")
    return value.lower() == "on"


def _vacation(value: str) -> list[dict[str, str]]:
    if value.lower() == OFF:
        return []
    found = SPAN.fullmatch(value)
    if found is None:
        raise _malformed("Write a vacation like 2026-12-24..2026-12-26, or off.")
    return [{"first": found[1], "last": found[2] or found[1]}]


def _malformed(detail: str) -> CommandRefusal:
    return refusal("malformed", 400, "Malformed request", detail)


HOURS: Mapping[str, Callable[[str], Any]] = {
    "zone": _zone,
    "night": _night,
    "weekends": _weekends,
    "vacation": _vacation,
}
"""The settings of hours, each with the function that reads its value."""


CODES = "Keep these recovery codes; each gives you a new password once:"
TO_PLAY = "To open games, log in on the page, or by trickbook login: that needs a token. Then write help challenge."
CODE_SENT = "A code went to {address}; it confirms the address."


def help_(sender: LineSender, request: Help, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Explain the commands."""
    return CommandAnswer("help", help_text(request.variant, request.subjects, signed_in=sender.has_token))


def sign_up(sender: LineSender, request: Signup, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Register. A player who registers by a line may write lines with the password."""
    login = request.login
    if login is None:
        raise TypeError("the grammar reads a name and a password")
    address = sender.writing().address
    made = register(sender.services, address, GivenInput({"name": login.name, "password": login.password}))
    sender.has_hashed, sender.new_user = True, made["name"]
    sender.services.accounts.command_settings.set(made["id"], "passwords", "on")
    lines = [f"You are registered as {made['name']}.", CODES, *(f"  {code}" for code in made["recovery_codes"])]
    lines.append(TO_PLAY)
    if request.address is not None:
        lines.append(_set_first_address(sender, login, request.address))
    return CommandAnswer("signup", "\n".join(lines), {"id": made["id"], "name": made["name"]})


def _set_first_address(sender: LineSender, login: LineLogin, address: str) -> str:
    """Set the address of a new user, and return a line about it. A failure must not hide their recovery codes."""
    try:
        with telling():
            sender.sign_in(login)
            own_account.set_address(sender.services, sender.writing(own=True), GivenInput({"email": address}))
    except LineProblem as failed:
        return f"Your e-mail address isn't set: {failed}"
    return CODE_SENT.format(address=address)


def set_address(sender: LineSender, request: SetAddress, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Set the e-mail address, or remove it."""
    require_caller(sender)
    if request.address is None:
        own_account.remove_address(sender.services, sender.writing(own=True))
        return CommandAnswer("change", "You have no e-mail address now.")
    own_account.set_address(sender.services, sender.writing(own=True), GivenInput({"email": request.address}))
    return CommandAnswer("change", CODE_SENT.format(address=request.address))


def confirm_address(sender: LineSender, request: ConfirmAddress, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Confirm the e-mail address with the code from the mail."""
    require_caller(sender)
    sent = GivenInput({"code": request.code})
    made = own_account.confirm_address(sender.services, sender.writing(own=True), sent)
    return CommandAnswer("code", f"Your address {made['address']} is confirmed.", made)


def change_password(sender: LineSender, request: ChangePassword, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Choose another password. It ends all tokens, and the answer has a new one."""
    require_caller(sender)
    body = {"password": request.current, "new_password": request.new}
    token, grant = own_account.change_password(sender.services, sender.writing(own=True), GivenInput(body))
    said = f"Your password is changed, and all tokens have ended. Your new token is {token}"
    return CommandAnswer("change", said, own_account.describe_token(token, grant) | {"token": token})


def delete(sender: LineSender, request: Delete, text: Sequence[str], key: str | None) -> CommandAnswer:
    """Delete the account."""
    require_caller(sender)
    password = request.password if request.login is None else request.login.password
    if password is None:
        raise refusal("malformed", 400, "Malformed request", "Send your password: without it, nothing is deleted.")
    made = own_account.leave(sender.services, sender.writing(own=True), GivenInput({"password": password}))
    return CommandAnswer("delete", f"Your account will be deleted at {made['deleted_at'][:16]} UTC.", made)
