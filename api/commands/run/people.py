"""One's own account: register, address, password, settings and leaving."""

from collections.abc import Mapping, Sequence

from api.commands.answer import CommandAnswer
from api.commands.edge import CommandRefusal, Edge, ServerFailure, ask, refusal
from api.commands.help import help_text
from api.commands.requests import ChangePassword, Delete, Help, LineLogin, SetAddress, Signup
from api.commands.run.moves_for_later import require_caller

CODES = "Keep these recovery codes; each gives you a new password once:"
TO_PLAY = "To open games, log in on the page, or by trickbook login: that needs a token. Then write help challenge."
CODE_SENT = "A code went to {address}; it confirms the address."


def help_(edge: Edge, request: Help, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Explain the commands."""
    return CommandAnswer("help", help_text(request.variant, request.subjects))


def sign_up(edge: Edge, request: Signup, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Register. A player who registers by a line may write lines with the password."""
    login = request.login
    if login is None:
        raise TypeError("the grammar reads a name and a password")
    made = ask(edge, "POST", "/users", {"name": login.name, "password": login.password}).body
    edge.services.accounts.command_settings.set(made["id"], "passwords", "on")
    lines = [f"You are registered as {made['name']}.", CODES, *(f"  {code}" for code in made["recovery_codes"])]
    lines.append(TO_PLAY)
    if request.address is not None:
        lines.append(_set_first_address(edge, login, request.address))
    return CommandAnswer("signup", "\n".join(lines), {"id": made["id"], "name": made["name"]})


def _set_first_address(edge: Edge, login: LineLogin, address: str) -> str:
    """Set the address of a new user, and return a line about it. A failure must not hide their recovery codes."""
    try:
        edge.sign_in(login)
        ask(edge, "PUT", "/me/email", {"email": address})
    except (CommandRefusal, ServerFailure) as failed:
        return f"Your e-mail address isn't set: {failed}"
    return CODE_SENT.format(address=address)


def set_address(edge: Edge, request: SetAddress, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Set the e-mail address, or remove it."""
    require_caller(edge)
    if request.address is None:
        ask(edge, "DELETE", "/me/email")
        return CommandAnswer("change", "You have no e-mail address now.")
    ask(edge, "PUT", "/me/email", {"email": request.address})
    return CommandAnswer("change", CODE_SENT.format(address=request.address))


def change_password(
    edge: Edge, request: ChangePassword, text: Sequence[str], headers: Mapping[str, str]
) -> CommandAnswer:
    """Choose another password. It ends all tokens, and the answer has a new one."""
    require_caller(edge)
    body = {"password": request.current, "new_password": request.new}
    made = ask(edge, "POST", "/me/password", body).body
    token = f" Your new token is {made['token']}" if "token" in made else ""
    return CommandAnswer("change", f"Your password is changed, and all tokens have ended.{token}", made)


def delete(edge: Edge, request: Delete, text: Sequence[str], headers: Mapping[str, str]) -> CommandAnswer:
    """Delete the account."""
    require_caller(edge)
    password = request.password if request.login is None else request.login.password
    if password is None:
        raise refusal("malformed", 400, "Malformed request", "Send your password: without it, nothing is deleted.")
    made = ask(edge, "DELETE", "/me", {"password": password}).body
    return CommandAnswer("delete", f"Your account will be deleted at {made['deleted_at'][:16]} UTC.", made)
